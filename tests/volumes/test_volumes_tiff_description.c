// ctest: heavy
// What descriptions of TIFF files say: orders of pages, and units of length in every spelling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/base/log.h"
#include "volumes/formats/tiff_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A distance of `value` in the unit of z, in the unit of x; 0 where the two cannot be compared.
static double in_units_of_x(const char *x, const char *z, double value)
{
    char text[300];
    struct tiff_description imagej, ome;
    snprintf(text, sizeof text, "ImageJ=1.53t\nimages=3\nunit=%s\nzunit=%s\nspacing=1\n", x, z);
    tiff_describe(text, NULL, &imagej);
    assert_true(imagej.imagej && !imagej.ome);
    snprintf(
        text, sizeof text,
        "<?xml version='1.0'?><OME:OME><Image><OME:Pixels PhysicalSizeZUnit = '%s' SizeZ=\"3\"\n"
        "PhysicalSizeX='1' PhysicalSizeZ='1' PhysicalSizeXUnit='%s'/></Image></OME:OME>",
        z, x);
    tiff_describe(text, NULL, &ome);
    assert_true(ome.ome && !ome.imagej);
    assert_true(ome.slices == 3 && ome.spacing[0] == 1 && ome.spacing[2] == 1);
    assert_string_equal(ome.odd_units, imagej.odd_units);
    assert_true(ome.unit[2].times == imagej.unit[2].times);
    assert_true(ome.unit[2].over == imagej.unit[2].over);
    return ome.odd_units[0] ? 0 : value * ome.unit[2].times / ome.unit[2].over;
}

static void units(void **state)
{
    (void)state;
    static const char *const micro[] = {
        "um",       "micron",   "Microns",  "micrometer", "\xc2\xb5m", "\xce\xbcm", "\xb5m",
        "\\u00B5m", "\\u00b5m", "\\u03bcm", "&#181;m",    "&#xB5;m",   "&#x3bc;m",  "&#956;m",
    };
    for (size_t i = 0; i < sizeof micro / sizeof *micro; i++) {
        if (in_units_of_x(micro[i], "nm", 500) != 0.5 ||
            in_units_of_x("nm", micro[i], 0.025) != 25 || in_units_of_x(micro[i], "um", 3) != 3) {
            fail_msg("%s", micro[i]);
        }
    }
    static const struct {
        const char *x, *z;
        double value, right;
    } cases[] = {
        { "mm", "inch", 1, 25.4 },
        { "inch", "cm", 2.54, 1 },
        { "cm", "inch", 1, 2.54 },
        { "m", "km", 2, 2000 },
        { "nm", "\xc3\x85", 5, 0.5 },
        { "nm", "\xe2\x84\xab", 5, 0.5 },
        { "nm", "\\u00C5", 5, 0.5 },
        { "\xc5", "nm", 1, 10 },
        { "Mm", "Mm", 7, 7 },
        { "pixel", "pixel", 2.5, 2.5 },
        { "mm", "9", 3, 0 },
        { "Mm", "mm", 1, 0 },
        { "pixel", "um", 1, 0 },
        { "um", "reference frame", 1, 0 },
        { "um", "m m", 1, 0 },
        { "um", "micron micron", 1, 0 },
        { "um", "\xff\xc2", 1, 0 },
        { "um", "\\u00B5", 1, 0 },
        { "um", "nanometre", 300, 0.3 },
        { "um", "a unit with a very long name of no use", 1, 0 },
        { "um", "\\u0000", 1, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double found = in_units_of_x(cases[i].x, cases[i].z, cases[i].value);
        if (found != cases[i].right) {
            fail_msg("%s, %s: %.17g", cases[i].x, cases[i].z, found);
        }
    }
}

// ImageJ's y has a unit of its own, or that of x; "zunit" is not "unit".
static void axes(void **state)
{
    (void)state;
    struct tiff_description said;
    tiff_describe(
        "ImageJ=1.5\nzunit=um\nyunit=um\nunit=nm \r\nspacing=-2.5\nloop=false", NULL, &said);
    assert_true(!said.in_pixels && said.spacing[2] == 2.5);
    assert_true(said.unit[1].times == 1000 && said.unit[2].times == 1000);
    tiff_describe("ImageJ=1.5\nunit=mm\nyunit=cm\n", NULL, &said);
    assert_true(said.unit[1].times == 10 && said.unit[2].times == 1);
    tiff_describe("ImageJ=1.5\nyunit=cm\nzunit=cm\n", NULL, &said);
    assert_true(said.in_pixels);
    tiff_describe("ImageJ=1.5\nunit=Pixels\n", NULL, &said);
    assert_true(said.in_pixels && !said.odd_units[0]);
    // A distance that is not said has no unit. The schema's default is um.
    tiff_describe("<OME><Pixels PhysicalSizeX='5' PhysicalSizeXUnit='nm'/></OME>", NULL, &said);
    assert_true(said.odd_units[0] == 0 && said.spacing[1] == 0);
    tiff_describe(
        "<OME><Pixels PhysicalSizeX='5' PhysicalSizeXUnit='nm' PhysicalSizeZ='1'/></OME>", NULL,
        &said);
    assert_true(said.unit[2].times == 1000);
    static const char *const nothing[] = {
        NULL, "", "ImageJ", "<OME", "<OME>Pixels </OME>", "plain"
    };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        tiff_describe(nothing[i], NULL, &said);
        assert_true(!said.imagej && said.channels == 0 && !said.order[0] && said.spacing[0] == 0);
    }
}

static bool select_of(const char *text, uint32_t images, uint32_t *slices, uint32_t *step)
{
    struct tiff_description said;
    struct problem problem = { 0 };
    tiff_describe(text, NULL, &said);
    const struct pick pick = { .channel = 2, .time = 3 };
    struct contents contents = { 0 };
    struct tiff_pages pages = { 0 }, other;
    const bool fine = tiff_describe_slices(
        &said, "x.tif", images, &(struct pick){ 0 }, &contents, &pages, &problem);
    if (fine && said.channels == 2 && said.slices == 5 && said.frames == 3) {
        // Another channel and time step: the page where the order has them.
        uint32_t stride[256] = { 0 }, next = 1;
        for (int i = 0; i < 3; i++) {
            stride[(unsigned char)said.order[i]] = next;
            next *= said.order[i] == 'c' ? 2 : said.order[i] == 'z' ? 5 : 3;
        }
        assert_true(
            tiff_describe_slices(&said, "x.tif", images, &pick, &contents, &other, &problem));
        assert_true(other.first == stride['c'] + 2 * stride['t'] && other.step == pages.step);
        assert_int_equal(contents.choice[CONTENTS_TIME].count, 3);
        assert_int_equal(contents.choice[CONTENTS_CHANNEL].at, 1);
        const struct pick beyond = { .time = 4 };
        assert_false(
            tiff_describe_slices(&said, "x.tif", images, &beyond, &contents, &other, &problem));
        assert_int_equal(problem.kind, PROBLEM_USAGE);
    }
    *slices = pages.count;
    *step = pages.step;
    return fine;
}

static void orders(void **state)
{
    (void)state;
    static const struct {
        const char *order;
        uint32_t step; // of 2 channels, 5 slices and 3 time steps; 0: refused
    } cases[] = {
        { "czt", 2 }, { "ctz", 6 }, { "zct", 1 }, { "ztc", 1 }, { "tcz", 6 },  { "tzc", 3 },
        { "CZT", 2 }, { "cz", 0 },  { "czz", 0 }, { "xyz", 0 }, { "cztc", 2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2][400];
        snprintf(
            text[0], sizeof text[0], "ImageJ=1\nchannels=2\nslices=5\nframes=3\norder=%s\n",
            cases[i].order);
        snprintf(
            text[1], sizeof text[1],
            "<OME><Pixels DimensionOrder='XY%s' SizeC='2' SizeZ='5' SizeT='3'><TiffData/></Pixels>",
            cases[i].order);
        for (int form = 0; form < 2; form++) {
            uint32_t slices = 0, step = 0;
            const bool fine = select_of(text[form], 30, &slices, &step);
            if (fine != (cases[i].step > 0) || (fine && (slices != 5 || step != cases[i].step))) {
                fail_msg("%s: %u slices, step %u", text[form], slices, step);
            }
        }
    }
    uint32_t slices, step;
    assert_true(select_of("ImageJ=1\nchannels=2\nslices=5\nframes=3\n", 30, &slices, &step));
    assert_true(slices == 5 && step == 2);
    assert_false(select_of("ImageJ=1\nchannels=2\nslices=5\nframes=3\n", 29, &slices, &step));
    assert_false(select_of("<OME><Pixels SizeC='2' SizeZ='5'/></OME>", 10, &slices, &step));
    log_quiet = true;
    assert_true(select_of("ImageJ=1\nslices=5\n", 7, &slices, &step)); // with a warning
    assert_true(slices == 7 && step == 1);
    // Elements that put the pages where the order does, and elements that do not.
    static const struct {
        const char *elements;
        bool fine;
    } scattered[] = {
        { "<TiffData IFD='0' PlaneCount='6'/>", true },
        { "<TiffData IFD='3' FirstC='1'/><TiffData IFD='2' FirstZ='2'/>", true },
        { "<TiffData FirstC='1'/>", true },
        { "<TiffData IFD='1'/>", false },
        { "<TiffData IFD='2' FirstC='1'/>", false },
        { "<a:TiffData IFD='0'></a:TiffData><a:TiffData IFD='1' FirstZ='2'/>", false },
    };
    for (size_t i = 0; i < sizeof scattered / sizeof *scattered; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "<OME><Pixels DimensionOrder='XYZCT' SizeC='2' SizeZ='3'>%s</Pixels>"
            "<Pixels><TiffData IFD='7'/></Pixels></OME>",
            scattered[i].elements);
        if (select_of(text, 6, &slices, &step) != scattered[i].fine) {
            fail_msg("%s", text);
        }
    }
}

// A text is not searched from each of its elements again, even if no tag ends.
static void long_texts(void **state)
{
    (void)state;
    const char *const tags[] = { "<TiffData a='b'>", "<TiffData", "<TiffData UUID", "<Pixels" };
    for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
        const size_t count = 100000, each = strlen(tags[k]);
        char *text = malloc(100 + count * each + 1);
        size_t at = (size_t)sprintf(text, "<OME><Pixels SizeC='1' SizeT='1' SizeZ='9'>");
        for (size_t i = 0; i < count; i++, at += each) {
            memcpy(text + at, tags[k], each + 1);
        }
        struct tiff_description said;
        const clock_t begin = clock();
        tiff_describe(text, NULL, &said);
        assert_int_equal(said.slices, 9);
        assert_true(clock() - begin < 10 * CLOCKS_PER_SEC); // it is 0.1 s; else minutes
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),
        cmocka_unit_test(axes),
        cmocka_unit_test(orders),
        cmocka_unit_test(long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
