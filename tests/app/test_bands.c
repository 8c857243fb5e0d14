// The bands of a picture cover each pixel once, and none is larger than was said.
// ctest: plain
#include "app/picture/bands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void covers(uint32_t width, uint32_t height)
{
    const struct bands bands = bands_of(width, height);
    assert_true(bands.columns <= BAND_COLUMNS);
    assert_true((uint64_t)bands.columns * bands.rows <= BAND_PIXELS);
    assert_true(bands.across * bands.down <= 300);
    uint32_t right = 0, bottom = 0;
    for (uint32_t i = 0; i < bands.across * bands.down; i++) {
        const struct band band = band_at(&bands, i);
        assert_true(band.width > 0 && band.width <= bands.columns);
        assert_true(band.height > 0 && band.height <= bands.rows);
        // Each begins where the one before in its row ends, and each row where the row before ends.
        assert_int_equal(band.x, i % bands.across == 0 ? 0 : right);
        if (i % bands.across == 0) {
            assert_int_equal(band.y, bottom);
            assert_int_equal(right, i == 0 ? 0 : width);
        }
        right = band.x + band.width;
        bottom = band.y + band.height;
    }
    assert_int_equal(right, width);
    assert_int_equal(bottom, height);
}

static void cover(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {
        1, 2, 3, 255, 800, 1024, 1280, 3000, 4096, 4097, 8191, 16384
    };
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < count * count; i++) {
        covers(sizes[i / count], sizes[i % count]);
    }
    // The default picture, and a usual window, are drawn at once.
    const struct bands usual = bands_of(1280, 800);
    assert_int_equal(usual.across * usual.down, 1);
}

// A picture is enlarged by as much as is asked for, if no side gets too long.
static void times(void **state)
{
    (void)state;
    assert_int_equal(bands_times(2048, 1, 8), 8);
    assert_int_equal(bands_times(2049, 1, 8), 4);
    assert_int_equal(bands_times(1, 4097, 8), 2);
    assert_int_equal(bands_times(4096, 2160, 8), 4);
    assert_int_equal(bands_times(16384, 16384, 2), 1);
    assert_int_equal(bands_times(UINT32_MAX, 1, 8), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(cover), cmocka_unit_test(times) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
