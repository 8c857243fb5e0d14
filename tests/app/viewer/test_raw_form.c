// What a person types about a raw file, against its size.
// ctest: plain
#include "app/viewer/forms/raw_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct form form;

static bool reads(
    const char *dims, const char *spacing, const char *offset, uint64_t bytes,
    struct volume_params *out)
{
    static const struct volume_params given;
    const struct raw_form raw = { .file = { .bytes = bytes }, .given = &given };
    form = (struct form){ 0 };
    form.fields[RAW_TYPE].choice = VOLUME_UINT16;
    form_set_text(&form, RAW_DIMS, dims);
    form_set_text(&form, RAW_SPACING, spacing);
    form_set_text(&form, RAW_OFFSET, offset);
    const bool fits = raw_form_read(&form, &raw, out);
    assert_int_equal(form.note_is_error, !fits);
    return fits;
}

static void texts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *dims, *spacing, *offset;
        uint64_t bytes;
        bool fits;
        uint32_t depth;
        const char *note;
    } cases[] = {
        { "64x32x16", "", "", 65536, true, 16, "64x32x16 samples of uint16 fit" },
        { " 64 x 32, 16 ", "1", "0", 65536, true, 16, "fit the file exactly" },
        { "64 32", "1,1,2.5", "0", 65536, true, 16, "64x32x16 samples" },
        { "64x32x16", "1 1 2", "352", 65888, true, 16, "fit the file exactly" },
        { "64x32", "", "352", 65888, true, 16, "fit the file exactly" },
        { "64x31", "", "", 65536, false, 0, "No whole number of 64x31 slices" },
        { "64x32x15", "", "", 65536, false, 15, "4,096 bytes more than 61,440" },
        { "64x32x17", "", "", 65536, false, 17, "4,096 bytes fewer than 69,632" },
        { "4000000000x4000000000x4000000000", "", "", 65536, false, 0, "fit no file" },
        { "64", "", "", 65536, false, 0, "three numbers" },
        { "64x32x16x2", "", "", 65536, false, 0, "three numbers" },
        { "64x32x1", "", "", 65536, false, 0, "three numbers" },
        { "64x32x-16", "", "", 65536, false, 0, "three numbers" },
        { "", "", "", 65536, false, 0, "three numbers" },
        { "64x32x16", "1,1", "", 65536, false, 0, "three such as" },
        { "64x32x16", "0", "", 65536, false, 0, "three such as" },
        { "64x32x16", "1,1,a", "", 65536, false, 0, "three such as" },
        { "64x32x16", "", "a", 65536, false, 0, "number of bytes" },
        { "64x32x16", "", "-1", 65536, false, 0, "number of bytes" },
        { "64x32", "", "99999999", 65536, false, 0, "No whole number" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct volume_params params;
        const bool fits =
            reads(cases[i].dims, cases[i].spacing, cases[i].offset, cases[i].bytes, &params);
        if (fits != cases[i].fits || !strstr(form.note, cases[i].note) ||
            (cases[i].depth && params.dim[2] != cases[i].depth)) {
            fail_msg("'%s': %d, %u, %s", cases[i].dims, fits, params.dim[2], form.note);
        }
    }
    struct volume_params params;
    assert_true(reads("64x32", "0.5;1;2", "352", 65888, &params));
    assert_true(params.spacing[0] == 0.5 && params.spacing[1] == 1 && params.spacing[2] == 2);
    assert_int_equal(params.offset, 352);
    assert_true(reads("64x32", "3", "352", 65888, &params));
    assert_true(params.spacing[0] == 3 && params.spacing[2] == 3);
    assert_true(reads("64x32", "", "352", 65888, &params));
    assert_true(params.spacing[0] == 0 && params.spacing[2] == 0); // the reader's default
}

// A refusal that has a remedy becomes a question without options. The choice and what was asked
// for before make the params.
static void remedies_are_chosen(void **state)
{
    (void)state;
    static const struct {
        enum problem_remedy remedy;
        uint32_t choice;
        const char *text, *question;
        enum gaps gaps;
        const char *axis_index;
    } cases[] = {
        { REMEDY_GAPS, 0, "'a': slices are missing (1 of 8): add --gaps blank or --gaps resample",
          "'a': slices are missing (1 of 8).", GAPS_BLANK, NULL },
        { REMEDY_GAPS, 0, "'a --b': far apart: add --gaps blank", "'a --b': far apart.", GAPS_BLANK,
          NULL },
        { REMEDY_GAPS, 1, "'a': far apart", "'a': far apart.", GAPS_RESAMPLE, NULL },
        { REMEDY_AXIS_INDEX, 0, "'a': uneven: --axis-index z takes it; --array NAME reads 'b'",
          "'a': uneven.", GAPS_REFUSED, "all" },
        { REMEDY_AXIS_INDEX, 0, "'a' (t 4, y 5); --axis-index t takes it", "'a' (t 4, y 5).",
          GAPS_REFUSED, "all" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct raw_form raw;
        struct volume_params params;
        raw = (struct raw_form){ .file = { .array = "b", .params = { .pick = { .time = 3 } } } };
        raw.file.why.remedy = cases[i].remedy;
        strcpy(raw.file.why.text, cases[i].text);
        assert_true(raw_form_show(&form, &raw));
        assert_string_equal(form.question, cases[i].question);
        form.fields[0].choice = cases[i].choice;
        assert_true(raw_form_read(&form, &raw, &params));
        assert_true(form.note[0] && !form.note_is_error);
        assert_int_equal(params.gaps, cases[i].gaps);
        assert_int_equal(params.pick.time, 3);
        assert_string_equal(params.pick.array, "b");
        assert_true(!cases[i].axis_index == !params.axis_index);
        if (params.axis_index) {
            assert_string_equal(params.axis_index, cases[i].axis_index);
        }
        form_clear(&form);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(remedies_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
