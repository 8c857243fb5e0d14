// Inviwo's .dat: keys, data files, and every kind of wrong file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"

#include <math.h>

static const struct volume_params nothing;

static const struct {
    const char *name;
    enum volume_type type;
    bool wide;
} kinds[] = {
    { "UINT8", VOLUME_UINT8, false },      { "INT8", VOLUME_INT8, false },
    { "UINT16", VOLUME_UINT16, false },    { "INT16", VOLUME_INT16, false },
    { "UINT32", VOLUME_UINT32, false },    { "INT32", VOLUME_INT32, false },
    { "FLOAT32", VOLUME_FLOAT32, false },  { "FLOAT64", VOLUME_FLOAT64, false },
    { "UCHAR", VOLUME_UINT8, false },      { "USHORT", VOLUME_UINT16, false },
    { "USHORT_12", VOLUME_UINT16, false }, { "float", VOLUME_FLOAT32, false },
    { "INT64", VOLUME_INT32, true },       { "UINT64", VOLUME_UINT32, true },
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

// Writes r.raw: `skip` bytes, then samples 0, 5, 10, ... of 4 x 3 x 2.
static void write_raw(int kind, bool big, int skip, int count)
{
    struct bytes bytes = { .size = (size_t)skip };
    for (int i = 0; i < count; i++) {
        if (kinds[kind].wide) {
            put_bits(&bytes, 5 * (uint64_t)i, 8, big);
        } else {
            put_sample(&bytes, 5 * i, kinds[kind].type, big);
        }
    }
    write_bytes("r.raw", &bytes);
}

static void check_samples(const struct volume *volume, int kind)
{
    assert_int_equal(volume->file_type, kinds[kind].type);
    assert_true(volume->dim[0] == 4 && volume->dim[1] == 3 && volume->dim[2] == 2);
    for (int i = 0; i < 24; i++) {
        const uint32_t x = (uint32_t)i % 4, y = (uint32_t)i / 4 % 3, z = (uint32_t)i / 12;
        assert_true(volume_sample(volume, x, y, z) == 5 * i);
    }
}

static const char *write_text(const char *text)
{
    return scratch_write("a.dat", text, strlen(text));
}

#define PLAIN "RawFile: r.raw\nResolution: 4 3 2\nFormat: UINT8\n"

static void reads_every_format(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        struct bytes bytes = { .size = 0 };
        put_text(
            &bytes, "# a comment\n/ another\nRawFile: r.raw\nResolution: 4 3 2\nFormat: %s\n%s",
            kinds[i / 2].name, i % 2 ? "ByteOrder: BigEndian\n" : "ByteOrder: LittleEndian");
        write_raw(i / 2, i % 2, 0, 24);
        struct volume volume = accepted_saying(write_bytes("a.dat", &bytes), &nothing, NULL);
        check_samples(&volume, i / 2);
        volume_destroy(&volume);
    }
    // Voreen's keywords, keys in any case, blanks around them, CR LF.
    write_raw(9, false, 7, 24);
    struct volume volume = accepted_saying(
        write_text("objectfilename :\tr.raw\r\nTaggedFileName: ---\r\n DIMENSIONS: 4 3 2\r\n"
                   "Format: USHORT\r\nNbrTags: 0\r\nGridType: EQUIDISTANT\r\nByteOffset: 7\r\n"),
        &nothing, NULL);
    check_samples(&volume, 9);
    volume_destroy(&volume);
    // Selected by content if the name says nothing.
    write_raw(0, false, 0, 24);
    volume = accepted_saying(scratch_write("noname", PLAIN, strlen(PLAIN)), &nothing, NULL);
    check_samples(&volume, 0);
    volume_destroy(&volume);
}

static void places_are_those_of_the_box(void **state)
{
    (void)state;
    write_raw(0, false, 0, 24);
    // The box is centred; samples are in the middle of their parts of the box.
    struct volume volume = accepted(write_text(PLAIN "SliceThickness: 0.5 1 2\n"), &nothing);
    reals_are(volume.spacing, (double[]){ 0.5, 1, 2 }, 3);
    reals_are(volume.origin, (double[]){ -0.75, -1, -1 }, 3);
    volume_destroy(&volume);
    // Edges of the box, sheared; its corner.
    volume = accepted(
        write_text(PLAIN "BasisVector1: 8 0 0\nBasisVector2: 3 3 0\nBasisVector3: 0 0 -2\n"
                         "Offset: 10 20 30\n"),
        &nothing);
    const double half = sqrt(0.5);
    reals_are(volume.spacing, (double[]){ 2, 2 * half, 1 }, 3);
    reals_are(volume.direction, (double[]){ 1, half, 0, 0, half, 0, 0, 0, -1 }, 9);
    reals_are(volume.origin, (double[]){ 10 + 1 + 0.5, 20 + 0.5, 30 - 0.5 }, 3);
    volume_destroy(&volume);
    // If spacing and edges are given, the edges are used.
    volume = accepted(
        write_text(PLAIN "Spacing: 9 9 9\nBasisVector1: 4 0 0\nBasisVector2: 0 3 0\n"
                         "BasisVector3: 0 0 2\n"),
        &nothing);
    reals_are(volume.spacing, (double[]){ 1, 1, 1 }, 3);
    reals_are(volume.origin, (double[]){ -1.5, -1, -0.5 }, 3);
    volume_destroy(&volume);
    volume = accepted_saying(write_text(PLAIN "WorldVector1: 1 0 0 0\n"), &nothing, "WorldVector1");
    volume_destroy(&volume);
    // Several in sequence.
    write_raw(0, false, 0, 48);
    volume = accepted_saying(write_text(PLAIN "Sequences: 2\n"), &nothing, "2 volumes");
    check_samples(&volume, 0);
    volume_destroy(&volume);
    refused(write_text(PLAIN "Sequences: 3\n"), &nothing, PROBLEM_INPUT, "r.raw");
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } wrong[] = {
        { "Resolution: 4 3 2\nFormat: UINT8\n", "no RawFile" },
        { "RawFile:\nResolution: 4 3 2\nFormat: UINT8\n", "no RawFile" },
        { "RawFile: r.raw\nFormat: UINT8\n", "no Resolution" },
        { "RawFile: r.raw\nResolution: 4 3 2\n", "no Format" },
        { "RawFile: r.raw\nResolution: 4 3\nFormat: UINT8\n", "Resolution" },
        { "RawFile: r.raw\nResolution: 4 3 2 1\nFormat: UINT8\n", "Resolution" },
        { "RawFile: r.raw\nResolution: 4 3 -2\nFormat: UINT8\n", "Resolution" },
        { "RawFile: r.raw\nResolution: 4 6 1\nFormat: UINT8\n", "two samples" },
        { "RawFile: r.raw\nResolution: 5 3 2\nFormat: UINT8\n", "r.raw" },
        { "RawFile: r.raw\nResolution: 4 3 2\nFormat: UINT16\n", "r.raw" },
        { "RawFile: r.raw\nResolution: 4 3 2\nFormat: FLOAT16\n", "FLOAT16" },
        { "RawFile: r.raw\nResolution: 4 3 2\nFormat: Vec3UINT8\n", "Vec3UINT8" },
        { PLAIN "RawFile: s.raw\n", "a second RawFile" },
        { PLAIN "nonsense\n", "'nonsense'" },
        { PLAIN "ByteOrder: Middle\n", "ByteOrder" },
        { PLAIN "ByteOffset: x\n", "ByteOffset" },
        { PLAIN "ByteOffset: 1\n", "r.raw" },
        { PLAIN "ByteOffset: 99\n", "r.raw" },
        { PLAIN "Spacing: 1 1\n", "Spacing" },
        { PLAIN "Spacing: 1 1 0\n", "spacing" },
        { PLAIN "BasisVector1: 1 0 0\n", "BasisVector" },
        { PLAIN "BasisVector1: 1 0 0\nBasisVector2: 2 0 0\nBasisVector3: 0 0 1\n", "one plane" },
        { PLAIN "Offset: nan 0 0\n", "not finite" },
        { "RawFile: other.dat\nResolution: 4 3 2\nFormat: UINT8\n", "open that one" },
        { "RawFile: gone.raw\nResolution: 4 3 2\nFormat: UINT8\n", "gone.raw" },
        { "RawFile: ../r.raw\nResolution: 4 3 2\nFormat: UINT8\n", "../r.raw" },
        { "RawFile: /etc/passwd\nResolution: 4 3 2\nFormat: UINT8\n", "/etc/passwd" },
        { "hello\n", "Key: value" },
    };
    write_raw(0, false, 0, 24);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(write_text(wrong[i].text), &nothing, PROBLEM_INPUT, wrong[i].word);
    }
    write_raw(0, false, 0, 23);
    refused(write_text(PLAIN), &nothing, PROBLEM_INPUT, "r.raw");
    write_raw(0, false, 0, 25);
    struct volume volume = accepted_saying(write_text(PLAIN), &nothing, "1 byte");
    volume_destroy(&volume);
}

static void cut_and_scrambled(void **state)
{
    (void)state;
    struct bytes bytes = { .size = 0 };
    put_text(&bytes, "Spacing: 1 2 3\nByteOffset: 4\n" PLAIN);
    write_raw(0, false, 4, 24);
    cut_everywhere("a.dat", &bytes, bytes.size, 1, 1);
    scramble("a.dat", &bytes, bytes.size, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_format),
        cmocka_unit_test(places_are_those_of_the_box),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(cut_and_scrambled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
