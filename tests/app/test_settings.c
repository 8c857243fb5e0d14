// The table of settings: no field of the view is left out.
// ctest: plain
#include "app/picture/render_line.h"
#include "app/settings/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Changes each byte of a view that belongs to a field.
static void every_byte_of_a_view_counts(void **state)
{
    (void)state;
    struct view own = { 0 }, other;
    unsigned char *bytes = (unsigned char *)&other;
    size_t fields = 0;
    for (size_t i = 0; i < sizeof other; i++) {
        memset(&other, 0, sizeof other);
        bytes[i] = 0xff;
#ifndef __clang__ // has it for C++ alone
        __builtin_clear_padding(&other);
#endif
        const bool is_field = bytes[i] != 0;
        if (is_field == view_same(&own, &other)) {
            fail_msg("byte %zu of a view has no row", i);
        }
        fields += is_field;
    }
    assert_true(fields > 200);
}

static void what_is_beside_the_picture_leaves_it(void **state)
{
    (void)state;
    const struct view own = { 0 }, axes = { .axes = true }, box = { .box = true };
    assert_false(view_same(&own, &axes));
    assert_true(view_same_picture(&own, &axes));
    assert_false(view_same_picture(&own, &box));
}

// A view of rays has the picture of its session, which does not state what rays do not have.
static void what_rays_do_not_have_is_dropped(void **state)
{
    (void)state;
    struct view plain = { .draw = DRAW_RAYS }, view;
    uint32_t dropped = 0;
    for (const struct setting *row = settings_table; row->size; row++) {
        if (row->place < sizeof view && row->place != offsetof(struct settings, view.draw)) {
            view = plain;
            *(uint8_t *)setting_in(row, &view) = 1;
            view_drop_unused(&view);
            assert_int_equal(view_same(&view, &plain), row->no_rays);
            view.draw = DRAW_TRIANGLES;
            const struct view before = view;
            view_drop_unused(&view);
            assert_memory_equal(&view, &before, sizeof view);
            dropped += row->no_rays;
        }
    }
    assert_true(dropped >= 4);
    view = (struct view){ .draw = DRAW_RAYS, .shadow = true, .transparencies = { 0.5f } };
    view_drop_unused(&view); // transparent contours have no shadow
    assert_false(view.shadow);
}

static void what_a_key_changes_has_a_row(void **state)
{
    (void)state;
    for (const struct key_row *row = key_table; row->text; row++) {
        const struct setting *setting = row->setting ? setting_at(row->setting) : NULL;
        assert_true(!row->setting || setting);
        assert_true(
            !setting ||
            setting->type == (row->action == ACTION_NEXT ? SETTING_WORD : SETTING_SWITCH));
    }
}

// What a setting prints is read as the same value, and nothing is printed of a default. A camera is
// printed where it stands, and not where it starts: see test_pose.
static void values_are_read_as_they_are_printed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "bone",
        "scan",
        "occlusion",
        "off",
        "levels",
        "rays",
        "1",
        "8",
        "256",
        "host",
        "dda",
        "kd-jump",
        "red",
        "dark",
        "white",
        "-z",
        "y",
        "z",
        "top",
        "2.5",
        "#d08050",
        "iso",
        "red,auto,#112233",
        "0.3",
        "0.3,0,1",
        "2,8",
        "30,-20",
        "0",
        "1,2,3,4,1,0,0,0",
        "-x=12.5%@1,8",
        "p2.5:90%",
        "values",
        "nearest",
        "1,-2,0.5,3:4;view=50%:60%,k=7",
    };
    for (const struct setting *row = settings_table; row->size; row++) {
        bool read = !row->option;
        for (size_t i = 0; row->option && i < sizeof texts / sizeof *texts; i++) {
            struct view view = { .further = CONTOURS_MOST - 1 }, again = view;
            char text[SETTING_TEXT];
            const bool prints = row->type < SETTING_CAMERA && row->type != SETTING_ROUNDS;
            assert_true(!prints || !setting_print(row, &view, NULL, text));
            if (setting_parse(row, row->value ? texts[i] : NULL, &view)) {
                const char *printed = prints ? setting_print(row, &view, NULL, text) : NULL;
                assert_true(!printed || setting_parse(row, printed, &again));
                assert_true(!prints || view_same(&view, &again));
                read = true;
            }
        }
        if (!read) {
            fail_msg("add a value of --%s to this test", row->option);
        }
    }
}

// A float is printed with the digits that it needs, not with those of a double.
static void a_float_is_printed_short(void **state)
{
    (void)state;
    const size_t place = offsetof(struct settings, view.start.zoom);
    const struct setting row = { .place = place, .size = 4, .type = SETTING_NUMBER, .most = 1000 };
    static const char *const texts[] = { "0.3", "0.1", "33.333336", "2", "1e-07" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct view view = { 0 };
        char text[SETTING_TEXT];
        assert_true(setting_parse(&row, texts[i], &view));
        assert_string_equal(setting_print(&row, &view, NULL, text), texts[i]);
    }
}

// A contour keeps its colour when another one is removed, and a new one has a colour of its own.
static void contours_have_colours_of_their_own(void **state)
{
    (void)state;
    struct view view = { 0 };
    char text[SETTING_TEXT];
    view_add(&view, 1);
    view_add(&view, 2);
    const struct colour red = view_colour(&view, 1), blue = view_colour(&view, 2);
    assert_true(red.set && blue.set);
    view.contour = 0;
    assert_true(view_remove(&view));
    view_add(&view, 3);
    const struct colour found[3] = { view_colour(&view, 0), view_colour(&view, 1),
                                     view_colour(&view, 2) };
    assert_memory_equal(&found[0], &red, sizeof red);
    assert_memory_equal(&found[1], &blue, sizeof blue);
    assert_memory_not_equal(&found[2], &red, sizeof red);
    assert_memory_not_equal(&found[2], &blue, sizeof blue);
    // One value for all contours; the list is not written if those that the view has are usual.
    const struct setting *colours = setting_at(offsetof(struct settings, view.colours));
    view = (struct view){ 0 };
    assert_true(setting_parse(colours, "red", &view));
    view.colours[0] = (struct colour){ 0 };
    assert_null(setting_print(colours, &view, NULL, text));
}

static void count_option(void *user, const char *name, const char *value)
{
    (void)value;
    *(int *)user += strcmp(name, "camera") != 0;
}

// A line for render leaves out what would have no effect, because render refuses it.
static void lines_have_what_applies(void **state)
{
    (void)state;
    static const struct {
        const char *clip, *section, *cap;
        int options;
    } cases[] = {
        { NULL, NULL, "none", 0 },    { NULL, NULL, "values", 0 },  { "x=1", NULL, "none", 4 },
        { "x=1", NULL, "values", 6 }, { NULL, "x=1", "values", 4 }, { "x=1", "x=2", "values", 8 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct view view = {
            .clip_all = true,
            .clip_off = true,
            .section_off = true,
            .interpolate = INTERPOLATE_NEAREST,
            .grey = { { ISOVALUE_NUMBER, 1 }, { ISOVALUE_NUMBER, 2 } },
            .cap = strcmp(cases[i].cap, "none") == 0 ? CAP_NONE : CAP_VALUES,
        };
        const struct placement placement = { .model = { { 1 }, { 0, 1 }, { 0, 0, 1 } } };
        int options = 0;
        assert_true(!cases[i].clip || !planes_parse(cases[i].clip, view.clips));
        assert_true(!cases[i].section || !planes_parse(cases[i].section, view.sections));
        render_line_view(&view, &placement, count_option, &options);
        assert_int_equal(options, cases[i].options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contours_have_colours_of_their_own),
        cmocka_unit_test(every_byte_of_a_view_counts),
        cmocka_unit_test(what_is_beside_the_picture_leaves_it),
        cmocka_unit_test(what_rays_do_not_have_is_dropped),
        cmocka_unit_test(what_a_key_changes_has_a_row),
        cmocka_unit_test(values_are_read_as_they_are_printed),
        cmocka_unit_test(a_float_is_printed_short),
        cmocka_unit_test(lines_have_what_applies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
