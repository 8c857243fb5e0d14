// Zarr stores while they are read: each chunk is read once, only those of a part are, and changes
// are noticed. What stores hold is in test_volumes_zarr_stores.py.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"
#include "volumes/formats/volume_file.h"

#include <unistd.h>

// 6 x 5 x 8 samples in chunks of 4 x 3 x 4, so 2 x 2 x 2 of them.
#define METADATA                                                                                   \
    "{\"zarr_format\": 2, \"shape\": [8, 5, 6], \"chunks\": [4, 3, 4], \"dtype\": \"|u1\", "       \
    "\"compressor\": null, \"fill_value\": 0, \"filters\": null, \"order\": \"C\"}"

static uint8_t value_of(unsigned x, unsigned y, unsigned z)
{
    return (uint8_t)(x + 6 * y + 30 * z);
}

static const char *chunk_name(unsigned x, unsigned y, unsigned z)
{
    static char name[40];
    snprintf(name, sizeof name, "s/%u.%u.%u", z, y, x);
    return name;
}

static const char *write_store(void)
{
    scratch_remove(scratch("s"));
    mkdir(scratch("s"), 0700);
    scratch_write("s/.zarray", METADATA, strlen(METADATA));
    for (unsigned chunk = 0; chunk < 8; chunk++) {
        const unsigned x = chunk & 1, y = chunk >> 1 & 1, z = chunk >> 2;
        unsigned char samples[48];
        for (unsigned i = 0; i < 48; i++) {
            samples[i] = value_of(4 * x + i % 4, 3 * y + i / 4 % 3, 4 * z + i / 12);
        }
        scratch_write(chunk_name(x, y, z), samples, sizeof samples);
    }
    return scratch("s");
}

// Removes the chunks of a layer.
static void remove_layer(unsigned z)
{
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(unlink(scratch(chunk_name(i & 1, i >> 1, z))), 0);
    }
}

// Reads slices one by one and checks their samples; `missing`: there is no chunk, so all are 0.
static void read_slices(struct volume_file *file, uint32_t from, uint32_t to, bool missing)
{
    struct problem problem;
    uint8_t samples[30];
    for (uint32_t z = from; z < to; z++) {
        if (!volume_file_read(file, z, 1, samples, NULL, &problem)) {
            fail_msg("%s", problem.text);
        }
        for (unsigned i = 0; i < 30; i++) {
            assert_int_equal(samples[i], missing ? 0 : value_of(i % 6, i / 6, z));
        }
    }
}

static void open_store(struct volume_file *file)
{
    struct problem problem;
    if (!volume_file_open(write_store(), NULL, file, &problem)) {
        fail_msg("%s", problem.text);
    }
    assert_true(file->seekable);
}

static void each_chunk_is_read_once(void **state)
{
    (void)state;
    struct volume_file file;
    open_store(&file);
    read_slices(&file, 0, 1, false);
    remove_layer(0); // it is not read again
    read_slices(&file, 1, 5, false);
    remove_layer(1);
    read_slices(&file, 5, 8, false);
    read_slices(&file, 0, 8, false); // two layers are kept
    volume_file_close(&file);
    // A part reads its own chunks and no others.
    open_store(&file);
    remove_layer(0);
    scratch_write(chunk_name(0, 0, 0), "wrong", 5);
    read_slices(&file, 4, 8, false);
    volume_file_close(&file);
    // What is not there is the fill value.
    open_store(&file);
    remove_layer(0);
    read_slices(&file, 0, 4, true);
    read_slices(&file, 4, 8, false);
    volume_file_close(&file);
}

static void refuses_slice(struct volume_file *file, uint32_t z, const char *word)
{
    uint8_t samples[30];
    struct problem problem = { 0 };
    assert_false(volume_file_read(file, z, 1, samples, NULL, &problem));
    if (problem.kind != PROBLEM_INPUT || !strstr(problem.text, word)) {
        fail_msg("%d: %s", problem.kind, problem.text);
    }
}

static void changes_are_noticed(void **state)
{
    (void)state;
    struct volume_file file;
    struct problem problem;
    open_store(&file);
    assert_true(volume_file_unchanged(&file, &problem));
    scratch_write("s/.zarray", METADATA " ", strlen(METADATA) + 1);
    assert_false(volume_file_unchanged(&file, &problem));
    refuses_slice(&file, 0, "changed while it was read");
    volume_file_close(&file);
    // A chunk that is read again: it is not kept while a third layer would be read, so by cutting
    // the metadata's chunks this volume has four layers.
    static const char flat[] =
        "{\"zarr_format\": 2, \"shape\": [4, 5, 6], \"chunks\": [1, 5, 6], \"dtype\": \"|u1\", "
        "\"compressor\": {\"id\": \"lz4\"}, \"fill_value\": 0, \"filters\": null, \"order\": "
        "\"C\"}";
    write_store();
    scratch_write("s/.zarray", flat, strlen(flat));
    assert_true(volume_file_open(scratch("s"), NULL, &file, &problem));
    uint8_t samples[30] = { 1 };
    assert_true(volume_file_read(&file, 2, 1, samples, NULL, &problem)); // there is no such chunk
    assert_int_equal(samples[0], 0);
    scratch_write("s/2.0.0", "x", 1);
    refuses_slice(&file, 2, "changed while it was read");
    volume_file_close(&file);
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    struct bytes bytes = { .size = 0 };
    write_store();
    put_text(&bytes, METADATA);
    for (size_t size = 0; size < bytes.size; size++) {
        scratch_write("s/.zarray", bytes.at, size);
        struct volume volume;
        struct problem problem;
        assert_false(volume_read(scratch("s"), NULL, &volume, &problem));
    }
    uint32_t random = 1;
    scratch_listen();
    for (int round = 0; round < 1500; round++) {
        struct bytes copy = bytes;
        for (int i = 0; i < 3; i++) {
            const uint32_t value = next_random(&random);
            copy.at[next_random(&random) % copy.size] = (unsigned char)"0-9.[ \"]}\xff"[value % 10];
        }
        scratch_write("s/.zarray", copy.at, copy.size);
        survives(scratch("s"));
    }
    scratch_heard();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_chunk_is_read_once),
        cmocka_unit_test(changes_are_noticed),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
