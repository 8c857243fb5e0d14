// ctest: device
// The ranges of bricks, found by subgroups that share a brick as on a GPU: the same as where each
// lane has a brick, for volumes and parts of any size, also with samples that are not finite.
#include "tests/device.h"

#include "compute/gpu/transfer.h"

#include <math.h>

static const uint32_t fours[] = { GROUP, 32, 64, 128 }; // the first one: a brick per lane

// The ranges of an atlas, to be freed.
static void *ranges_of(
    const struct volume *volume, const struct atlas_params *params, uint32_t shared, uint64_t *size)
{
    struct problem problem = { 0 };
    const struct traits *const of_device = gpu.traits;
    struct traits traits = *of_device;
    struct atlas atlas;
    traits.shared_fours = shared;
    gpu.traits = &traits;
    REQUIRE(atlas_create(&gpu, volume, params, &atlas, &problem));
    *size = (uint64_t)atlas.brick_count * 8;
    void *ranges = malloc(*size);
    assert_non_null(ranges);
    REQUIRE(transfer_download(&gpu, &atlas.ranges, 0, ranges, *size, &problem));
    atlas_destroy(&gpu, &atlas);
    gpu.traits = of_device;
    return ranges;
}

static void check(const struct volume *volume, const struct atlas_params *params)
{
    uint64_t size;
    uint32_t *expected = ranges_of(volume, params, fours[0], &size);
    bool differ = false; // from brick to brick
    for (uint64_t i = 2; i < size / 4; i++) {
        differ = differ || expected[i] != expected[i % 2];
    }
    assert_true(differ);
    for (size_t i = 1; i < sizeof fours / sizeof *fours; i++) {
        void *found = ranges_of(volume, params, fours[i], &size);
        if (memcmp(expected, found, size) != 0) {
            fail_msg("%s, %u groups of rows", volume_type_name(volume->type), fours[i]);
        }
        free(found);
    }
    free(expected);
}

static void fill(struct volume *volume)
{
    const uint64_t count = (uint64_t)volume->dim[0] * volume->dim[1] * volume->dim[2];
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)(i * 2654435761u);
        if (volume->type == VOLUME_FLOAT32) {
            ((float *)volume->samples)[i] = bits % 7 == 0 || i / 600 % 4 == 0 ? NAN : (float)bits;
        } else {
            ((uint16_t *)volume->samples)[i] = (uint16_t)(bits >> 16);
        }
    }
}

static void test_shared_bricks(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {
        { 70, 23, 19 }, { 33, 5, 5 }, { 97, 4, 6 }, { 65, 41, 18 }
    };
    static const enum volume_type types[] = { VOLUME_UINT16, VOLUME_FLOAT32 };
    static const struct atlas_part part = {
        .first = 4, .layers = 6, .first_row = 6, .rows = 3, .held_rows = 21
    };
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        struct problem problem = { 0 };
        struct volume volume;
        REQUIRE(volume_create(sizes[i / 2], types[i % 2], &volume, &problem));
        fill(&volume);
        for (int image = 0; image < 2; image++) {
            struct atlas_params params = { .storage =
                                               image ? ATLAS_STORAGE_IMAGE : ATLAS_STORAGE_BUFFER };
            check(&volume, &params);
            params.cells = &part;
            if (volume.dim[1] > part.held_rows) {
                check(&volume, &params);
            }
        }
        volume_destroy(&volume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_shared_bricks) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
