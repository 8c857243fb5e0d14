// Chunks: the samples, and how often each chunk is decoded, forward and in parts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/base/log.h"
#include "volumes/formats/chunks.h"

#include <stdlib.h>
#include <string.h>

#define MOST 4096

// Chunks that are made, not read.
struct made {
    const struct chunks *chunks;
    unsigned char *samples; // of the whole volume, in the form of the file
    uint64_t grid[3];
    unsigned decoded[MOST]; // how often each chunk was
    unsigned all;
};

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool made_read(void *user, const uint64_t at[3], void *out, struct problem *problem)
{
    struct made *made = user;
    const struct chunks *of = made->chunks;
    const size_t size = sample_size(&of->format);
    const uint64_t all = of->dim[0] * of->dim[1] * of->dim[2] * size;
    (void)problem;
    const uint64_t number = at[0] + made->grid[0] * (at[1] + made->grid[1] * at[2]);
    assert_true(number < MOST);
    made->decoded[number]++;
    made->all++;
    if (of->run) {
        const uint64_t begin = at[2] * of->run;
        memcpy(out, made->samples + begin, less(of->run, all - begin));
        return true;
    }
    const uint64_t *chunk = of->chunk, *dim = of->dim;
    memset(out, 0xee, chunk[0] * chunk[1] * chunk[2] * size); // beyond the volume
    for (uint64_t z = at[2] * chunk[2]; z < less(dim[2], (at[2] + 1) * chunk[2]); z++) {
        for (uint64_t y = at[1] * chunk[1]; y < less(dim[1], (at[1] + 1) * chunk[1]); y++) {
            const uint64_t x = at[0] * chunk[0], n = less(chunk[0], dim[0] - x);
            const uint64_t to = ((z % chunk[2]) * chunk[1] + y % chunk[1]) * chunk[0] * size;
            memcpy(
                (char *)out + to, made->samples + ((z * dim[1] + y) * dim[0] + x) * size, n * size);
        }
    }
    return true;
}

static bool made_unchanged(const void *user, struct problem *problem)
{
    (void)user, (void)problem;
    return true;
}

static void made_close(void *user)
{
    (void)user;
}

static void check(struct chunks chunks)
{
    struct made made = { .chunks = &chunks };
    struct volume_file file = { 0 };
    struct problem problem = { 0 };
    const struct volume_params params = { 0 };
    const uint64_t count = chunks.dim[0] * chunks.dim[1] * chunks.dim[2];
    const size_t size = sample_size(&chunks.format);
    made.samples = malloc(count * size);
    for (uint64_t i = 0; i < count * size; i++) {
        made.samples[i] = (unsigned char)(i * 7 + i / 251);
    }
    uint64_t total = 1;
    for (int i = 0; i < 3; i++) {
        made.grid[i] = chunks.run ? 1 : (chunks.dim[i] + chunks.chunk[i] - 1) / chunks.chunk[i];
        total *= made.grid[i];
    }
    total = chunks.run ? (count * size + chunks.run - 1) / chunks.run : total;
    chunks.path = "chunks";
    chunks.read = made_read;
    chunks.unchanged = made_unchanged;
    chunks.close = made_close;
    chunks.user = &made;
    if (!chunks_open(&chunks, &params, &file, &problem)) {
        fail_msg("%s", problem.text);
    }
    // What the samples become in memory, by the one function for it.
    unsigned char *stored = malloc(count * size), *due = malloc(count * 8);
    memcpy(stored, made.samples, count * size);
    struct samples samples = { .path = "due", .format = chunks.format, .to = due, .count = count };
    assert_true(samples_put(&samples, stored, count, &problem));
    const uint32_t depth = (uint32_t)chunks.dim[2];
    const uint64_t slice = volume_bytes(&file.volume) / depth;
    unsigned char *room = malloc(slice * depth);
    for (uint32_t step = 1; step <= depth; step++) {
        memset(made.decoded, 0, sizeof made.decoded);
        made.all = 0;
        file.reader->close(file.state); // nothing is kept
        assert_true(chunks_open(&chunks, &params, &file, &problem));
        for (uint32_t z = 0; z < depth; z += step) {
            const uint32_t n = depth - z < step ? depth - z : step;
            assert_true(file.reader->read(file.state, z, n, room + z * slice, NULL, &problem));
        }
        assert_memory_equal(room, due, slice * depth);
        assert_int_equal(made.all, total);
        for (uint64_t i = 0; i < total; i++) {
            if (made.decoded[i] != 1) {
                fail_msg(
                    "chunk %u decoded %u times: %u x %u x %u, runs of %u, %u slices at a time",
                    (unsigned)i, made.decoded[i], (unsigned)chunks.chunk[0],
                    (unsigned)chunks.chunk[1], (unsigned)chunks.chunk[2], (unsigned)chunks.run,
                    step);
            }
        }
    }
    // A part: only its chunks.
    for (uint32_t z = 0; z + 3 <= depth; z += 2) {
        file.reader->close(file.state);
        assert_true(chunks_open(&chunks, &params, &file, &problem));
        made.all = 0;
        assert_true(file.reader->read(file.state, z, 3, room, NULL, &problem));
        assert_memory_equal(room, due + z * slice, 3 * slice);
        const uint64_t bytes = count * size / depth;
        const uint64_t of = chunks.run
                                ? ((z + 3) * bytes - 1) / chunks.run - z * bytes / chunks.run + 1
                                : ((z + 2) / chunks.chunk[2] - z / chunks.chunk[2] + 1) *
                                      made.grid[0] * made.grid[1];
        assert_int_equal(made.all, of);
    }
    volume_file_close(&file);
    free(room);
    free(due);
    free(stored);
    free(made.samples);
}

static void forward_decodes_each_chunk_once(void **state)
{
    (void)state;
    static const struct sample_format formats[] = {
        { .type = VOLUME_UINT8 },
        { .type = VOLUME_INT16, .order = BYTE_ORDER_BIG },
        { .type = VOLUME_UINT16, .order = BYTE_ORDER_LITTLE, .slope = 2, .intercept = 1 },
        { .type = VOLUME_UINT8, .values = 3, .value = 1 },
        { .type = VOLUME_UINT8, .values = 2, .value = SAMPLE_LENGTH },
    };
    static const uint64_t sizes[][3] = { { 9, 7, 1 }, { 9, 7, 4 },    { 4, 3, 1 }, { 4, 7, 2 },
                                         { 1, 1, 1 }, { 16, 16, 16 }, { 5, 5, 3 } };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct chunks chunks = { .format = formats[i], .dim = { 9, 7, 10 } };
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            memcpy(chunks.chunk, sizes[k], sizeof sizes[k]);
            check(chunks);
        }
        for (uint64_t run = 1; run < 200; run += run < 8 ? 1 : 31) {
            chunks.run = run;
            if (630 * sample_size(&formats[i]) / run < MOST) {
                check(chunks);
            }
        }
    }
}

// Reads all slices, `step` at a time, with room for so many chunks, and counts the decoded ones.
static unsigned decoded_with(uint64_t kept, uint32_t step)
{
    struct chunks chunks = {
        .path = "chunks",
        .format = { .type = VOLUME_UINT8 },
        .dim = { 9, 7, 10 },
        .chunk = { 4, 4, 5 },
        .read = made_read,
        .unchanged = made_unchanged,
        .close = made_close,
        .cache = kept * 4 * 4 * 5,
    };
    unsigned char samples[9 * 7 * 10], read[9 * 7 * 10];
    struct made made = { .chunks = &chunks, .samples = samples, .grid = { 3, 2, 2 } };
    const struct volume_params params = { 0 };
    struct volume_file file = { 0 };
    struct problem problem;
    for (size_t i = 0; i < sizeof samples; i++) {
        samples[i] = (unsigned char)(i * 7 + i / 251);
    }
    chunks.user = &made;
    log_quiet = true;
    assert_true(chunks_open(&chunks, &params, &file, &problem));
    for (uint32_t z = 0; z < 10; z += step) {
        assert_true(file.reader->read(file.state, z, step, read + (size_t)z * 63, NULL, &problem));
    }
    assert_memory_equal(read, samples, sizeof read);
    volume_file_close(&file);
    return made.all;
}

static void few_chunks_are_kept(void **state)
{
    (void)state;
    assert_int_equal(decoded_with(12, 1), 12);
    assert_int_equal(decoded_with(6, 1), 12); // one layer
    assert_int_equal(decoded_with(1, 1), 60); // each chunk for each slice
    assert_int_equal(decoded_with(0, 1), 12); // as much as is free
    assert_int_equal(decoded_with(1, 5), 12); // whole layers need no chunk again
    assert_int_equal(decoded_with(1, 10), 12);
    const unsigned some = decoded_with(4, 1);
    assert_true(some > 12 && some < 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_decodes_each_chunk_once),
        cmocka_unit_test(few_chunks_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
