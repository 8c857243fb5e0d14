// What a raw file could be, by its size alone: real volumes are among the first guesses, and every
// guess fits.
// ctest: plain
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/formats/raw_guess.h"

#include <stdio.h>
#include <string.h>

#define ROOM 100

// The volumes of the open-scivis collection whose dims have a rule, with the place that each has
// among the guesses at the latest.
static const struct {
    const char *name;
    uint32_t dim[3];
    enum volume_type type;
    uint64_t offset;
    uint32_t place;
} volumes[] = {
    { "fuel", { 64, 64, 64 }, VOLUME_UINT8, 0, 1 },
    { "bonsai", { 256, 256, 256 }, VOLUME_UINT8, 0, 1 },
    { "engine", { 256, 256, 128 }, VOLUME_UINT8, 0, 3 },
    { "hydrogen", { 128, 128, 128 }, VOLUME_UINT8, 0, 1 },
    { "statue leg", { 341, 341, 93 }, VOLUME_UINT8, 0, 1 },
    { "frog", { 256, 256, 44 }, VOLUME_UINT8, 0, 4 },
    { "teapot", { 256, 256, 178 }, VOLUME_UINT8, 0, 2 },
    { "heptane", { 302, 302, 302 }, VOLUME_UINT8, 0, 1 },
    { "woman", { 256, 256, 109 }, VOLUME_UINT16, 0, 2 },
    { "turbulence", { 256, 256, 256 }, VOLUME_FLOAT32, 0, 2 },
    { "vertebra", { 512, 512, 512 }, VOLUME_UINT16, 0, 2 },
    { "zeiss", { 680, 680, 680 }, VOLUME_UINT8, 0, 1 },
    { "marmoset", { 1024, 1024, 314 }, VOLUME_UINT8, 0, 3 },
    { "beetle", { 832, 832, 494 }, VOLUME_UINT16, 0, 3 },
    { "bunny", { 512, 512, 361 }, VOLUME_UINT16, 0, 4 },
    { "present", { 492, 492, 442 }, VOLUME_UINT16, 0, 3 },
    { "tree", { 512, 499, 512 }, VOLUME_UINT16, 0, 8 },
    { "pancreas", { 240, 512, 512 }, VOLUME_UINT16, 0, 40 },
    { "branch", { 2048, 2048, 2048 }, VOLUME_UINT16, 0, 1 },
    { "chameleon", { 1024, 1024, 1080 }, VOLUME_UINT16, 0, 4 },
    { "nucleon", { 41, 41, 41 }, VOLUME_UINT8, 0, 1 },
    { "silicium", { 98, 34, 34 }, VOLUME_UINT8, 0, 9 },
    { "carp", { 256, 256, 512 }, VOLUME_UINT16, 0, 6 },
    { "shockwave", { 64, 64, 512 }, VOLUME_UINT8, 0, 12 },
    { "angio", { 416, 512, 112 }, VOLUME_UINT16, 0, 80 },
    { "magnetic", { 512, 512, 512 }, VOLUME_FLOAT32, 0, 2 },
    { "MNI152", { 182, 218, 182 }, VOLUME_UINT8, 0, 3 },
    { "NIfTI", { 256, 256, 180 }, VOLUME_UINT16, 352, 6 },
    { "cube and header", { 64, 64, 64 }, VOLUME_FLOAT32, 1234, 3 },
};

static void real_volumes_come_early(void **state)
{
    (void)state;
    bool fine = true;
    for (size_t i = 0; i < sizeof volumes / sizeof volumes[0]; i++) {
        const uint32_t *dim = volumes[i].dim;
        const uint64_t bytes =
            (uint64_t)dim[0] * dim[1] * dim[2] * volume_type_size(volumes[i].type) +
            volumes[i].offset;
        struct raw_guess guesses[ROOM];
        const uint32_t count = raw_guess(bytes, guesses, ROOM);
        uint32_t place = 0;
        for (uint32_t k = 0; k < count && place == 0; k++) {
            place = memcmp(guesses[k].dim, dim, sizeof guesses[k].dim) == 0 &&
                            guesses[k].type == volumes[i].type &&
                            guesses[k].offset == volumes[i].offset
                        ? k + 1
                        : 0;
        }
        if (place == 0 || place > volumes[i].place) {
            char text[80];
            raw_guess_text(&guesses[0], text, sizeof text);
            print_error(
                "%s has place %u of %u, expected %u at the latest; the first is %s\n",
                volumes[i].name, place, count, volumes[i].place, text);
            fine = false;
        }
    }
    assert_true(fine);
}

static void every_guess_fits(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 0,    1,     7,          8,          16,        4096,
                                      4097, 99991, 1000000007, 1ull << 36, UINT64_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct raw_guess guesses[ROOM];
        const uint32_t count = raw_guess(sizes[i], guesses, ROOM);
        assert_true(count <= ROOM);
        for (uint32_t k = 0; k < count; k++) {
            const struct raw_guess *guess = &guesses[k];
            uint64_t bytes = volume_type_size(guess->type);
            for (int d = 0; d < 3; d++) {
                assert_true(guess->dim[d] >= 2);
                bytes *= guess->dim[d];
            }
            assert_true(bytes + guess->offset == sizes[i]);
            assert_true(k == 0 || guess->doubt >= guesses[k - 1].doubt);
            for (uint32_t j = 0; j < k; j++) {
                assert_false(
                    memcmp(guesses[j].dim, guess->dim, sizeof guess->dim) == 0 &&
                    guesses[j].type == guess->type && guesses[j].offset == guess->offset);
            }
        }
    }
}

static void little_room_keeps_the_best(void **state)
{
    (void)state;
    struct raw_guess few[3], many[ROOM];
    const uint64_t bytes = 256 * 256 * 128;
    assert_int_equal(raw_guess(bytes, few, 0), 0);
    assert_int_equal(raw_guess(bytes, few, 3), 3);
    assert_true(raw_guess(bytes, many, ROOM) > 3);
    assert_memory_equal(few, many, sizeof few);
}

static void texts(void **state)
{
    (void)state;
    char text[80];
    struct raw_guess guess = { .dim = { 64, 32, 16 }, .type = VOLUME_UINT16 };
    raw_guess_text(&guess, text, sizeof text);
    assert_string_equal(text, "64x32x16 uint16");
    guess.offset = 352;
    raw_guess_text(&guess, text, sizeof text);
    assert_string_equal(text, "64x32x16 uint16 after 352 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_volumes_come_early),
        cmocka_unit_test(every_guess_fits),
        cmocka_unit_test(little_room_keeps_the_best),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
