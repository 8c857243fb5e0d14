// ctest: plain once
// The device marks the cells that an isovalue meets in masks. Each bit equals what the host finds.
#include "tests/device.h"

#include "compute/atlas_keys.h"
#include "compute/casting/masks.h"
#include "compute/compaction/compaction.h"
#include "compute/gpu/transfer.h"
#include "shaders/shared/casting.h"

#include <math.h>

struct masks_bench {
    struct atlas atlas;
    struct masks masks;
    struct buffer contours;
};

static void
masks_open(struct masks_bench *bench, const struct volume *volume, enum atlas_storage storage)
{
    struct problem problem = { 0 };
    const struct atlas_params params = { .storage = storage };
    uint32_t constants[CONSTANTS];
    REQUIRE(atlas_create(&gpu, volume, &params, &bench->atlas, &problem));
    atlas_constants(&bench->atlas, constants);
    compaction_constants(&gpu, constants);
    REQUIRE(masks_create(&gpu, &bench->atlas, constants, &bench->masks, &problem));
    const struct buffer_params contours = { .name = "contours",
                                            .size = sizeof(struct contours_block) };
    REQUIRE(buffer_create(&gpu, &contours, &bench->contours, &problem));
}

static void masks_close(struct masks_bench *bench)
{
    buffer_destroy(&gpu, &bench->contours);
    masks_destroy(&gpu, &bench->masks);
    atlas_destroy(&gpu, &bench->atlas);
}

static void masks_make(struct masks_bench *bench, double iso)
{
    struct problem problem = { 0 };
    struct run run;
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    run_begin(&run, &gpu, cmd, NULL);
    const struct contours_block block = {
        .count = 1, .list = { { .iso = atlas_iso(bench->atlas.type, iso) } }
    };
    run_update(&run, &bench->contours, 0, &block, sizeof block);
    masks_record(&bench->masks, &run, &bench->atlas, &bench->contours, &block);
    const struct buffer *list = &bench->masks.buffers[MASKS_LIST];
    struct binding table[BINDINGS] = { [BINDING_SPANS] = { list },
                                       [BINDING_SQUARES] = { list },
                                       [BINDING_SQUARES_COUNTER] = {
                                           &bench->masks.buffers[MASKS_COUNT] } };
    masks_bind(&bench->masks, table);
    masks_record_squares(&bench->masks, &run, table, 0, 0); // no squares, only the leaps
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
    masks_done(&bench->masks);
}

static uint32_t masks_bit(const uint32_t *words, const uint32_t at[3])
{
    const uint32_t bit = (at[0] & 3) + 4 * (at[1] & 3) + 16 * (at[2] & 3);
    return words[bit / 32] >> bit % 32 & 1;
}

// Whether a cell has corners on both sides; *all: they are finite.
static bool cell_is_active(const struct volume *volume, double iso, const uint32_t at[3], bool *all)
{
    uint32_t inside = 0;
    *all = true;
    for (uint32_t i = 0; i < 8; i++) {
        const double sample =
            volume_sample(volume, at[0] + (i & 1), at[1] + (i >> 1 & 1), at[2] + (i >> 2));
        *all &= isfinite(sample) != 0;
        inside += sample >= iso;
    }
    return inside > 0 && inside < 8;
}

#define STRIP 64

struct masks_words {
    uint32_t fines[3];
    const uint32_t *cells, *strips, *leaps;
};

static struct masks_words masks_words(const struct volume *volume, const uint32_t *words)
{
    struct masks_words out = { .cells = words };
    for (int i = 0; i < 3; i++) {
        out.fines[i] = (volume->dim[i] + 2) / 4;
    }
    const size_t rows = (size_t)out.fines[1] * out.fines[2];
    out.strips = words + 2 * out.fines[0] * rows;
    out.leaps = out.strips + 2 * ((out.fines[0] + STRIP - 1) / STRIP) * rows;
    return out;
}

// Whether the isovalue meets a fine cube; outside of the volume it meets nothing.
static bool masks_meets(const struct masks_words *masks, const int32_t fine[3])
{
    const uint32_t *fines = masks->fines, strips = (fines[0] + STRIP - 1) / STRIP;
    for (int i = 0; i < 3; i++) {
        if (fine[i] < 0 || fine[i] >= (int32_t)fines[i]) {
            return false;
        }
    }
    const size_t strip = ((size_t)fine[2] * fines[1] + fine[1]) * strips + fine[0] / STRIP;
    return masks->strips[2 * strip + fine[0] / 32 % 2] >> fine[0] % 32 & 1;
}

// The leaps in all directions from a fine cube are as far as there is nothing to meet.
static void masks_compare_leaps(const struct masks_words *masks, const int32_t fine[3])
{
    const uint32_t *fines = masks->fines, strips = (fines[0] + STRIP - 1) / STRIP;
    const size_t half = ((size_t)fine[2] * fines[1] + fine[1]) * strips * 2 + fine[0] / 32;
    const size_t halves = (size_t)fines[2] * fines[1] * strips * 2;
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t *words = masks->leaps + 2 * (k * halves + half);
        const uint32_t bit = fine[0] % 32;
        const int found = (int)(words[0] >> bit & 1) + 2 * (int)(words[1] >> bit & 1);
        int most = 3;
        for (int i = 0; i < 27; i++) {
            const int on[3] = { i % 3, i / 3 % 3, i / 9 };
            int32_t at[3];
            int side = 0;
            for (int c = 0; c < 3; c++) {
                at[c] = fine[c] + (k >> c & 1 ? on[c] : -on[c]);
                side = on[c] > side ? on[c] : side;
            }
            most = masks_meets(masks, at) && side < most ? side : most;
        }
        assert_int_equal(found, most);
    }
}

// Compares all bits; returns the number of active cells.
static uint64_t masks_compare(struct masks_bench *bench, const struct volume *volume, double iso)
{
    struct problem problem = { 0 };
    uint64_t active = 0;
    const struct buffer *buffer = &bench->masks.buffers[MASKS_BITS];
    uint32_t *words = malloc(buffer->size);
    assert_non_null(words);
    REQUIRE(transfer_download(&gpu, buffer, 0, words, buffer->size, &problem));
    const struct masks_words masks = masks_words(volume, words);
    const uint32_t *fines = masks.fines;
    for (uint32_t n = 0; n < fines[0] * fines[1] * fines[2]; n++) {
        const int32_t fine[3] = { (int32_t)(n % fines[0]), (int32_t)(n / fines[0] % fines[1]),
                                  (int32_t)(n / fines[0] / fines[1]) };
        const bool met = masks_meets(&masks, fine);
        bool needed = false;
        for (uint32_t k = 0; k < 64; k++) {
            const uint32_t at[3] = { 4 * (uint32_t)fine[0] + k % 4,
                                     4 * (uint32_t)fine[1] + k / 4 % 4,
                                     4 * (uint32_t)fine[2] + k / 16 };
            const bool there = at[0] + 1 < volume->dim[0] && at[1] + 1 < volume->dim[1] &&
                               at[2] + 1 < volume->dim[2];
            const bool bit = met && masks_bit(words + (size_t)2 * n, at);
            bool all = true;
            const bool is = there && cell_is_active(volume, iso, at, &all);
            if (all && bit != is) {
                fail_msg("cell %u %u %u: %d, should be %d", at[0], at[1], at[2], bit, is);
            }
            assert_true(there || !bit);
            active += is && all;
            needed |= bit;
        }
        assert_int_equal(met, needed);
        masks_compare_leaps(&masks, fine);
    }
    free(words);
    return active;
}

static const struct {
    const char *name;
    uint32_t dim[3];
    enum volume_type type;
    double isos[2];
} volumes[] = {
    { "gyroid", { 40, 33, 37 }, VOLUME_UINT8, { 120.5, 128 } },
    { "noise", { 67, 34, 18 }, VOLUME_UINT16, { 30000, 65000 } },
    { "marschner-lobb", { 33, 33, 33 }, VOLUME_INT16, { 1000.25, -3 } },
    { "torus", { 70, 61, 50 }, VOLUME_FLOAT32, { 0.41, 0.2 } },
    { "noise", { 17, 5, 70 }, VOLUME_INT32, { 0, 1e9 } },
    { "noise", { 2, 2, 2 }, VOLUME_UINT8, { 100, 101 } },
    { "noise", { 530, 7, 18 }, VOLUME_UINT8, { 250, 254 } },
    { "noise", { 2, 30, 30 }, VOLUME_INT8, { 0.5, -100 } },
    { "noise", { 65, 2, 9 }, VOLUME_UINT32, { 2e9, 1e9 } },
    { "noise", { 64, 6, 2 }, VOLUME_UINT8, { 255, 0.5 } },
};

// The masks of an isovalue are made over those of another one.
static void test_every_bit(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof volumes / sizeof *volumes; v++) {
        struct volume volume;
        struct problem problem = { 0 };
        REQUIRE(
            volume_generate(volumes[v].name, volumes[v].dim, volumes[v].type, &volume, &problem));
        for (int storage = 0; storage < 2; storage++) {
            struct masks_bench bench;
            masks_open(&bench, &volume, storage ? ATLAS_STORAGE_IMAGE : ATLAS_STORAGE_BUFFER);
            uint64_t active = 0;
            for (int i = 0; i < 4; i++) {
                const double iso = volumes[v].isos[i % 2];
                masks_make(&bench, iso);
                active += masks_compare(&bench, &volume, iso);
            }
            assert_true(active > 0);
            masks_close(&bench);
        }
        volume_destroy(&volume);
    }
}

// Masks are made for the largest part of a volume; the last part may have fewer slices. The bits of
// the part before must be gone. Below its last slice a part is taken to go on with the same
// samples.
static void test_smaller_part(void **state)
{
    (void)state;
    enum { SLICES = 12 };
    const double iso = 128;
    struct volume whole;
    struct problem problem = { 0 };
    REQUIRE(volume_generate("noise", (uint32_t[]){ 40, 18, 40 }, VOLUME_UINT8, &whole, &problem));
    struct volume part = whole;
    part.dim[2] = SLICES;
    for (int storage = 0; storage < 2; storage++) {
        const struct atlas_params params = { .storage = storage ? ATLAS_STORAGE_IMAGE
                                                                : ATLAS_STORAGE_BUFFER };
        struct masks_bench bench;
        masks_open(&bench, &whole, params.storage);
        masks_make(&bench, iso);
        assert_true(masks_compare(&bench, &whole, iso) > 0);
        struct atlas first = bench.atlas;
        REQUIRE(atlas_create(&gpu, &part, &params, &bench.atlas, &problem));
        bench.masks.made = false;
        masks_make(&bench, iso);
        const struct buffer *buffer = &bench.masks.buffers[MASKS_BITS];
        uint32_t *words = malloc(buffer->size);
        REQUIRE(transfer_download(&gpu, buffer, 0, words, buffer->size, &problem));
        const struct masks_words masks = masks_words(&whole, words);
        const uint32_t *fines = masks.fines;
        for (uint32_t n = 0; n < fines[0] * fines[1] * fines[2]; n++) {
            const int32_t fine[3] = { (int32_t)(n % fines[0]), (int32_t)(n / fines[0] % fines[1]),
                                      (int32_t)(n / fines[0] / fines[1]) };
            assert_int_equal(masks_meets(&masks, fine), fine[2] < SLICES / 4);
            masks_compare_leaps(&masks, fine);
        }
        free(words);
        atlas_destroy(&gpu, &first);
        masks_close(&bench);
    }
    volume_destroy(&whole);
}

// Cells with a corner that is not finite may have a bit or not; all others are as ever.
static void test_gaps(void **state)
{
    (void)state;
    const float gaps[3] = { NAN, INFINITY, -INFINITY };
    struct volume volume;
    struct problem problem = { 0 };
    REQUIRE(
        volume_generate("noise", (uint32_t[]){ 37, 20, 11 }, VOLUME_FLOAT32, &volume, &problem));
    for (size_t i = 0; i < volume_count(&volume); i += 13) {
        ((float *)volume.samples)[i] = gaps[i % 3];
    }
    struct masks_bench bench;
    masks_open(&bench, &volume, ATLAS_STORAGE_AUTO);
    masks_make(&bench, 0.5);
    assert_true(masks_compare(&bench, &volume, 0.5) > 100);
    masks_close(&bench);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bit),
        cmocka_unit_test(test_smaller_part),
        cmocka_unit_test(test_gaps),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
