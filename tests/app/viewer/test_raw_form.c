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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(texts_are_read) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
