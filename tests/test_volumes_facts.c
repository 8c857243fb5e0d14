// Range, histogram and first isovalue, compared with slow counts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "volumes/facts.h"
#include "volumes/generate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct volume make(uint32_t w, uint32_t h, uint32_t d, enum volume_type type)
{
    struct volume volume;
    struct problem problem;
    assert_true(volume_create((uint32_t[]){ w, h, d }, type, &volume, &problem));
    return volume;
}

static void put(struct volume *volume, uint64_t i, double value)
{
    switch (volume->type) {
    case VOLUME_UINT8:
        ((uint8_t *)volume->samples)[i] = (uint8_t)value;
        break;
    case VOLUME_INT8:
        ((int8_t *)volume->samples)[i] = (int8_t)value;
        break;
    case VOLUME_UINT16:
        ((uint16_t *)volume->samples)[i] = (uint16_t)value;
        break;
    case VOLUME_INT16:
        ((int16_t *)volume->samples)[i] = (int16_t)value;
        break;
    case VOLUME_UINT32:
        ((uint32_t *)volume->samples)[i] = (uint32_t)value;
        break;
    case VOLUME_INT32:
        ((int32_t *)volume->samples)[i] = (int32_t)value;
        break;
    default:
        ((float *)volume->samples)[i] = (float)value;
    }
}

static bool is_integer(const struct volume *volume)
{
    return volume->type != VOLUME_FLOAT32;
}

// All promises of the facts, checked sample by sample.
static void check(const struct volume *volume, const struct volume_facts *facts)
{
    double min = INFINITY, max = -INFINITY;
    uint64_t not_finite = 0, total = 0, below = 0, above = 0;
    uint64_t histogram[VOLUME_BINS] = { 0 };
    const uint32_t *dim = volume->dim;
    for (uint32_t i = 0; i < volume_count(volume); i++) {
        const double v =
            volume_sample(volume, i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1]);
        not_finite += !isfinite(v);
        if (isfinite(v)) {
            min = fmin(min, v);
            max = fmax(max, v);
            below += v < facts->iso;
            above += v >= facts->iso;
            assert_true(!is_integer(volume) || v != facts->iso || facts->min == facts->max);
        }
    }
    assert_int_equal(facts->not_finite, not_finite);
    if (not_finite < volume_count(volume)) {
        assert_true(facts->min == min && facts->max == max);
    } else {
        assert_true(facts->min == 0 && facts->max == 0);
    }
    for (uint32_t i = 0; i < volume_count(volume); i++) {
        const double v =
            volume_sample(volume, i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1]);
        if (isfinite(v)) {
            int bin = max > min ? (int)floor((v - min) * (VOLUME_BINS / (max - min))) : 0;
            histogram[bin < VOLUME_BINS ? bin : VOLUME_BINS - 1]++;
        }
    }
    for (int b = 0; b < VOLUME_BINS; b++) {
        assert_int_equal(facts->histogram[b], histogram[b]);
        total += facts->histogram[b];
    }
    assert_int_equal(total + not_finite, volume_count(volume));
    assert_true(isfinite(facts->iso));
    if (facts->max > facts->min) {
        assert_true(strncmp(facts->iso_rule, "otsu", 4) == 0);
        assert_true(below > 0 && above > 0);
        const float narrow = (float)facts->iso;
        assert_true(is_integer(volume) || (narrow > (float)min && narrow <= (float)max));
    } else {
        assert_string_equal(facts->iso_rule, "constant");
        assert_true(facts->iso == facts->min);
    }
}

static void every_type(void **state)
{
    (void)state;
    static const double low[] = { 0, -128, 0, -32768, 0, -2147483648.0, -1e6 };
    static const double high[] = { 255, 127, 65535, 32767, 4294967295.0, 2147483647, 1e6 };
    for (int type = 0; type < VOLUME_FLOAT64; type++) {
        for (int kind = 0; kind < 6; kind++) {
            struct volume volume = make(9, 8, 7, type);
            uint32_t random = 12345;
            for (uint64_t i = 0; i < volume_count(&volume); i++) {
                random = random * 1664525 + 1013904223;
                const double u = (random >> 8) / 16777216.0;
                const double v = kind == 0   ? low[type] + u * (high[type] - low[type])
                                 : kind == 1 ? high[type]
                                 : kind == 2 ? low[type] + (u > 0.9)
                                 : kind == 3 ? (u > 0.5 ? high[type] : low[type])
                                 : kind == 4 ? (u > 0.01 ? 0 : 100 * u * 100)
                                             : low[type] + floor(3 * u) * 40;
                put(&volume, i, v);
            }
            put(&volume, 0, kind == 1 ? high[type] : kind == 4 ? 0 : low[type]);
            struct volume_facts facts;
            volume_facts(&volume, &facts);
            check(&volume, &facts);
            volume_destroy(&volume);
        }
    }
}

static void floats_that_are_none(void **state)
{
    (void)state;
    static const struct {
        double values[8];
        uint64_t not_finite;
        double min, max;
    } cases[] = {
        { { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN }, 8, 0, 0 },
        { { INFINITY, -INFINITY, NAN, NAN, 5, NAN, NAN, NAN }, 7, 5, 5 },
        { { INFINITY, -INFINITY, NAN, -3, 5, 0, 0, 1 }, 3, -3, 5 },
        { { 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5 }, 0, 3.5, 3.5 },
        { { -3, -3, -3, -3, -3, -3, -3, NAN }, 1, -3, -3 },
        { { FLT_MAX, -FLT_MAX, 0, 0, 0, 0, 0, 0 }, 0, -FLT_MAX, FLT_MAX },
        { { 0x1p-149, 0, 0, 0, 0, 0, 0, 0 }, 0, 0, 0x1p-149 },
        { { 0x1p-149, 0x1p-148, 0, 0x1p-147, 0, 0, 0, 0 }, 0, 0, 0x1p-147 },
        { { 1, 1 + FLT_EPSILON, 1, 1, 1, 1, 1, 1 }, 0, 1, 1 + FLT_EPSILON },
        { { 16777216, 16777218, 16777216, 16777220, 1.6777216e7, 16777216, 16777216, 16777216 },
          0,
          16777216,
          16777220 },
        { { 0, 1e30, 0, 0, 0, 0, 0, 1 }, 0, 0, (double)1e30f },
        { { -0.0, 0.0, -0.0, 0.0, 0, 0, 0, 0 }, 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct volume volume = make(2, 2, 2, VOLUME_FLOAT32);
        struct volume_facts facts;
        for (int j = 0; j < 8; j++) {
            put(&volume, (uint64_t)j, cases[i].values[j]);
        }
        volume_facts(&volume, &facts);
        check(&volume, &facts);
        assert_int_equal(facts.not_finite, cases[i].not_finite);
        assert_true(facts.min == cases[i].min && facts.max == cases[i].max);
        volume_destroy(&volume);
    }
}

static void the_isovalue_parts_what_a_person_would(void **state)
{
    (void)state;
    // Two peaks: the isovalue is in the middle. A mask: in the middle of its two values.
    struct volume volume = make(32, 32, 32, VOLUME_UINT8);
    struct volume_facts facts;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        put(&volume, i, (i % 7 < 5 ? 40 : 200) + (double)(i * 2654435761u >> 8 & 15));
    }
    volume_facts(&volume, &facts);
    assert_true(facts.iso > 56 && facts.iso < 200);
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        put(&volume, i, i % 7 < 5 ? 10 : 210);
    }
    volume_facts(&volume, &facts);
    assert_true(fabs(facts.iso - 110) < 2);
    volume_destroy(&volume);
    volume = make(4, 4, 4, VOLUME_FLOAT32);
    for (uint64_t i = 0; i < 64; i++) {
        put(&volume, i, i % 2);
    }
    volume_facts(&volume, &facts);
    assert_true(facts.iso == 0.5);
    volume_destroy(&volume);
}

// A number that looks random: 0 to 1, with its mean in the middle.
static double noise(uint64_t i)
{
    const uint32_t a = (uint32_t)i * 2654435761u, b = (a ^ a >> 15) * 2246822519u;
    return (b ^ b >> 13) / 4294967296.0;
}

// About normally distributed: mean 0, standard deviation 1.
static double bell(uint64_t i)
{
    double sum = -6;
    for (uint64_t k = 0; k < 12; k++) {
        sum += noise(12 * i + k);
    }
    return sum;
}

// Air, tissue and a little bone, as computed tomography sees them.
static double scan(uint64_t i)
{
    const double u = noise(i * 7 + 1);
    return u < 0.4 ? -980 + 15 * bell(i) : u < 0.95 ? 20 + 60 * bell(i) : 300 + 900 * noise(i);
}

struct rule_case {
    const char *name;
    enum volume_type type;
    double (*sample)(uint64_t i);
    const char *rule;
    double low, high; // of the isovalue
};

static double padded(uint64_t i, double value)
{
    return i % 5 == 0 ? value : scan(i);
}
static double padded_1500(uint64_t i)
{
    return padded(i, -1500);
}
static double padded_3024(uint64_t i)
{
    return padded(i, -3024);
}
static double padded_32768(uint64_t i)
{
    return padded(i, -32768);
}
static double padded_float(uint64_t i)
{
    return padded(i, -1e30);
}
static double padded_unsigned(uint64_t i)
{
    return i % 5 == 0 ? 0 : scan(i) + 3024;
}
// Nothing but tissue, in a field of padding that is much farther away than it is wide.
static double padded_tissue(uint64_t i)
{
    return i % 5 == 0 ? -1000 : 100 + 10 * bell(i);
}
// No padding: the isovalue separates the lowest value from the rest.
static double mask(uint64_t i)
{
    return i % 3 ? 0 : 1000;
}
static double labels(uint64_t i)
{
    return i % 5 < 2 ? 0 : 100 * (double)(i % 5);
}
static double stripped(uint64_t i) // a head without all that is not brain
{
    return i % 5 < 2 ? 0 : i % 2 ? 600 + 60 * bell(i) : 800 + 60 * bell(i);
}
static double stripped_small(uint64_t i)
{
    return i % 5 < 4 ? 0 : scan(i) + 3000;
}
static double stray(uint64_t i) // one sample in a thousand
{
    return i % 1000 == 7 ? -30000 : scan(i);
}
// Density maps.
static double density(uint64_t i)
{
    return i % 20 == 0 ? 8 + bell(i) : bell(i);
}
static double density_masked(uint64_t i)
{
    return i % 10 == 0 ? 8 + bell(i) : i % 3 == 0 ? bell(i) : 0;
}
static double density_small(uint64_t i)
{
    return i % 20 == 0 ? 80 + 10 * bell(i) : 10 * bell(i);
}
static double orbital(uint64_t i) // two lobes of equal height, of opposite signs
{
    return pow(2 * noise(i) - 1, 9);
}
// Both signs, but no density maps.
static double wave(uint64_t i) // as much above zero as below, and little at zero
{
    return sin((double)i);
}
static double ringing(uint64_t i) // hardly below zero
{
    return i % 3 == 0 ? 900 + 50 * bell(i) : 5 * bell(i);
}

static const struct rule_case rule_cases[] = {
    { "a scan", VOLUME_INT16, scan, "otsu", -900, -100 },
    { "padded with -1500", VOLUME_INT16, padded_1500, "otsu without padding", -900, -100 },
    { "padded with -3024", VOLUME_INT16, padded_3024, "otsu without padding", -900, -100 },
    { "padded with -32768", VOLUME_INT16, padded_32768, "otsu without padding", -900, -100 },
    { "padded, 32 bits", VOLUME_INT32, padded_32768, "otsu without padding", -900, -100 },
    { "padded, floats", VOLUME_FLOAT32, padded_float, "otsu without padding", -900, -100 },
    { "padded, unsigned", VOLUME_UINT16, padded_unsigned, "otsu without padding", 2100, 2900 },
    { "padded, one tissue", VOLUME_INT16, padded_tissue, "otsu without padding", 70, 130 },
    { "a mask", VOLUME_UINT16, mask, "otsu", 400, 600 },
    { "labels", VOLUME_UINT16, labels, "otsu", 0, 300 },
    { "a stripped brain", VOLUME_INT16, stripped, "otsu", 0, 500 },
    { "a small stripped head", VOLUME_INT16, stripped_small, "otsu", 0, 2900 },
    { "a stray sample", VOLUME_INT16, stray, "otsu", -30000, 1200 },
    { "density", VOLUME_FLOAT32, density, "otsu above zero", 2.5, 6 },
    { "density, masked", VOLUME_FLOAT32, density_masked, "otsu above zero", 2.5, 6 },
    { "density, 8 bits", VOLUME_INT8, density_small, "otsu above zero", 25, 60 },
    { "an orbital", VOLUME_FLOAT32, orbital, "otsu above zero", 0.2, 0.6 },
    { "a wave", VOLUME_FLOAT32, wave, "otsu", -0.6, 0.3 },
    { "ringing", VOLUME_INT16, ringing, "otsu", 200, 800 },
};

static void the_isovalue_has_a_rule_for_padding_and_density(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rule_cases / sizeof *rule_cases; k++) {
        const struct rule_case *row = &rule_cases[k];
        struct volume volume = make(40, 40, 40, row->type);
        struct volume_facts facts;
        for (uint64_t i = 0; i < volume_count(&volume); i++) {
            const double value = row->sample(i);
            put(&volume, i, is_integer(&volume) ? rint(value) : value);
        }
        volume_facts(&volume, &facts);
        check(&volume, &facts);
        if (strcmp(facts.iso_rule, row->rule) != 0 || facts.iso < row->low ||
            facts.iso > row->high) {
            fail_msg("%s: isovalue %g by %s", row->name, facts.iso, facts.iso_rule);
        }
        volume_destroy(&volume);
    }
}

// Half of the density is above zero: the isovalue of its negative is positive, too.
static void a_density_map_may_be_negated(void **state)
{
    (void)state;
    struct volume volume = make(40, 40, 40, VOLUME_FLOAT32);
    struct volume_facts facts;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        put(&volume, i, -orbital(i));
    }
    volume_facts(&volume, &facts);
    assert_string_equal(facts.iso_rule, "otsu above zero");
    assert_true(facts.iso > 0.2 && facts.iso < 0.6);
    volume_destroy(&volume);
}

static void floats_get_a_short_isovalue(void **state)
{
    (void)state;
    // It is a short number: rounded by at most a hundredth of the range.
    struct volume volume;
    struct problem problem;
    struct volume_facts facts;
    assert_true(
        volume_generate("default", (uint32_t[]){ 32, 32, 32 }, VOLUME_FLOAT32, &volume, &problem));
    volume_facts(&volume, &facts);
    char text[64];
    snprintf(text, sizeof text, "%.17g", facts.iso * 100);
    assert_true(fabs(facts.iso * 100 - rint(facts.iso * 100)) < 1e-9);
    volume_destroy(&volume);
}

static void well_known_volumes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t dim[3];
        enum volume_type type;
        double low, high; // what people select
    } cases[] = {
        { "bonsai_256x256x256_uint8.raw", { 256, 256, 256 }, VOLUME_UINT8, 30, 50 },
        { "engine_256x256x128_uint8.raw", { 256, 256, 128 }, VOLUME_UINT8, 60, 90 },
        { "aneurism_256x256x256_uint8.raw", { 256, 256, 256 }, VOLUME_UINT8, 30, 80 },
        { "fuel_64x64x64_uint8.raw", { 64, 64, 64 }, VOLUME_UINT8, 10, 60 },
        { "headsq_quarter_64x64x93_uint16.raw", { 64, 64, 93 }, VOLUME_UINT16, 500, 700 },
        { "hydrogen_orbital_64x64x64_float32.raw", { 64, 64, 64 }, VOLUME_FLOAT32, 0.05, 0.3 },
        { "ironprot_68x68x68_uint8.raw", { 68, 68, 68 }, VOLUME_UINT8, 40, 130 },
        { "wmag_91x91x91_float32.raw", { 91, 91, 91 }, VOLUME_FLOAT32, 20, 60 },
    };
    const char *data = getenv("CUBIST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", data ? data : "", cases[0].name);
    if (!data || access(path, R_OK) != 0) {
        print_message("no shared volumes at CUBIST_DATA: skipped\n");
        skip();
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct volume volume;
        struct problem problem;
        struct volume_facts facts;
        snprintf(path, sizeof path, "%s/%s", data, cases[i].name);
        assert_true(volume_read(path, NULL, &volume, &problem));
        assert_int_equal(volume.type, cases[i].type);
        assert_memory_equal(volume.dim, cases[i].dim, sizeof volume.dim);
        volume_facts(&volume, &facts);
        if (volume_count(&volume) < 1000000) {
            check(&volume, &facts);
        }
        if (facts.iso < cases[i].low || facts.iso > cases[i].high) {
            fail_msg("%s: isovalue %g", cases[i].name, facts.iso);
        }
        volume_destroy(&volume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(floats_that_are_none),
        cmocka_unit_test(the_isovalue_parts_what_a_person_would),
        cmocka_unit_test(the_isovalue_has_a_rule_for_padding_and_density),
        cmocka_unit_test(a_density_map_may_be_negated),
        cmocka_unit_test(floats_get_a_short_isovalue),
        cmocka_unit_test(well_known_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
