// How the window's rays are divided among frames: drafts and bands, from what the last casts took.
// ctest: plain
#include "app/viewer/work/drafts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PIXELS (1280u * 800)

static void the_first_draft_is_the_coarsest(void **state)
{
    (void)state;
    const struct drafts none = { 0 };
    assert_int_equal(drafts_scale(&none, PIXELS), 4);
    assert_int_equal(drafts_scale(&none, 1), 4);
}

// The finest draft that fits the time, by what a ray took.
static void a_draft_fits_its_time(void **state)
{
    (void)state;
    static const struct {
        double whole_ms, rest_ms; // all rays of the picture, and all else
        uint32_t scale;
    } cases[] = {
        { 10, 10, 1 }, { 40, 10, 2 },  { 80, 12, 2 }, { 100, 12, 4 },
        { 400, 5, 4 }, { 100, 50, 4 }, { 4, 50, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drafts drafts = { 0 };
        const double ray_ms = cases[i].whole_ms / PIXELS;
        drafts_note(&drafts, 1, PIXELS, cases[i].whole_ms, cases[i].rest_ms);
        assert_int_equal(drafts_scale(&drafts, PIXELS), cases[i].scale);
        // A finer one than before is begun only where there is time to spare.
        drafts_note(&drafts, 4, PIXELS / 16, ray_ms * PIXELS / 16, cases[i].rest_ms);
        const uint32_t later = drafts_scale(&drafts, PIXELS);
        assert_true(later >= cases[i].scale);
        const double ms = cases[i].whole_ms / (later * later) + cases[i].rest_ms;
        assert_true(
            later == 4 || ms <= DRAFTS_FINER * DRAFTS_MS + 1e-9 || cases[i].rest_ms > DRAFTS_MS);
    }
}

// On a GPU a picture in full comes before the first draft. If it fits, its drafts are as fine.
static void the_first_draft_follows_a_picture(void **state)
{
    (void)state;
    static const struct {
        double ms, drawn_ms; // of the picture in full
        uint32_t scale;
    } cases[] = { { 0, 0, 1 }, { 0.3, 0.1, 1 }, { 33, 5, 1 }, { 60, 5, 2 }, { 200, 5, 4 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drafts drafts = { 0 };
        drafts_note_picture(&drafts, PIXELS, cases[i].ms, cases[i].drawn_ms);
        assert_int_equal(drafts_scale(&drafts, PIXELS), cases[i].scale);
        // A later one is not asked: the drafts are measured.
        drafts_note(&drafts, 4, PIXELS / 16, 1, 1);
        drafts_note_picture(&drafts, PIXELS, 10000, 1);
        assert_int_equal(drafts_scale(&drafts, PIXELS), 1);
    }
}

static void a_fast_picture_is_one_band(void **state)
{
    (void)state;
    struct drafts drafts = { 0 };
    drafts_note_picture(&drafts, PIXELS, DRAFTS_WHOLE_MS - 1, 1);
    assert_int_equal(drafts_rows(&drafts, 800, 16), 800);
    drafts_note_picture(&drafts, PIXELS, DRAFTS_WHOLE_MS + 1, 1);
    assert_true(drafts_rows(&drafts, 800, 16) < 800);
}

// A picture whose rays are known is drawn again at once, or in frames of their time.
static void a_picture_is_drawn_again(void **state)
{
    (void)state;
    struct drafts drafts = { 0 };
    assert_int_equal(drafts_rows_again(&drafts, 800), 800); // nothing is known
    drafts_note_picture(&drafts, PIXELS, 10 * DRAFTS_WHOLE_MS, DRAFTS_AGAIN_MS);
    assert_int_equal(drafts_rows_again(&drafts, 800), 800);
    drafts_note_picture(&drafts, PIXELS, 10 * DRAFTS_WHOLE_MS, 16 * DRAFTS_BAND_MS);
    assert_in_range(drafts_rows_again(&drafts, 800), 50, 51);
    drafts_note_picture(&drafts, PIXELS, 1e9, 1e9);
    assert_int_equal(drafts_rows_again(&drafts, 800), 1);
}

// Bands are whole tiles, end with the picture, take about their time, and grow by twice at most.
static void bands_cover_a_slow_picture(void **state)
{
    (void)state;
    struct drafts drafts = { 0 };
    uint32_t left = 807, before = 0, bands = 0;
    while (left > 0) {
        const uint32_t rows = drafts_rows(&drafts, left, 16);
        assert_true(rows > 0 && rows <= left);
        assert_true(rows % 16 == 0 || rows == left);
        assert_true(before == 0 || rows <= 2 * before);
        const double row_ms = left > 600 ? 0.01 : 1.0; // empty rows at the top
        assert_true(before == 0 || left > 500 || rows <= DRAFTS_BAND_MS / row_ms);
        drafts_note_band(&drafts, rows, rows * row_ms);
        before = rows;
        left -= rows;
        bands++;
    }
    assert_in_range(bands, 6, 40);
    // However slow a row is, a band has one tile.
    drafts_note_band(&drafts, 16, 1e6);
    assert_int_equal(drafts_rows(&drafts, 800, 16), 16);
    assert_int_equal(drafts_rows(&drafts, 5, 16), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_draft_is_the_coarsest),
        cmocka_unit_test(a_draft_fits_its_time),
        cmocka_unit_test(the_first_draft_follows_a_picture),
        cmocka_unit_test(a_fast_picture_is_one_band),
        cmocka_unit_test(a_picture_is_drawn_again),
        cmocka_unit_test(bands_cover_a_slow_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
