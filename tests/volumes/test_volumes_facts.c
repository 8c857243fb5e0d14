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
        assert_true(*facts->iso_rule && strcmp(facts->iso_rule, "constant") != 0);
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
        { { -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0 }, 0, 0, 0 },
        { { -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 1 }, 0, 0, 1 },
        { { -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -1 }, 0, -1, 0 },
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
        // A range is never printed with -0.
        const double printed[] = { facts.min, facts.max, facts.iso, facts.values.next };
        for (size_t k = 0; k < sizeof printed / sizeof *printed; k++) {
            assert_false(printed[k] == 0 && signbit(printed[k]));
        }
        volume_destroy(&volume);
    }
}

static void the_isovalue_parts_what_a_person_would(void **state)
{
    (void)state;
    // Two peaks: the isovalue is in the middle. A mask: in the middle of its two values.
    struct volume volume = make(32, 32, 32, VOLUME_UINT8);
    static struct volume_facts facts;
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

// Whether a sample of a volume of 40^3 lies in a ball in its middle.
static bool ball(uint64_t i)
{
    const double x = (double)(i % 40) - 20, y = (double)(i / 40 % 40) - 20;
    const double z = (double)(i / 1600) - 20;
    return x * x + y * y + z * z < 144;
}

// Air, tissue and a little bone, as computed tomography sees them.
static double scan(uint64_t i)
{
    const double u = noise(i * 7 + 1);
    return u < 0.4 ? -980 + 15 * bell(i) : u < 0.95 ? 20 + 60 * bell(i) : 300 + 900 * noise(i);
}

// A sample of the volume with this number, x fastest, 40 samples a row.
enum { EDGE = 40, CELLS = EDGE * EDGE * EDGE };

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
static double padded_rim(uint64_t i) // resampling has mixed padding and air
{
    return i % 50 == 1 ? -2900 + 1800 * noise(i) : padded(i, -3024);
}
static double padded_tissue(uint64_t i)
{
    return i % 5 == 0 ? -1000 : 100 + 10 * bell(i);
}
static double padded_positive(uint64_t i) // zero and more is background
{
    return i % 5 == 0 ? 0 : 3000 + 100 * noise(i);
}
static double bright(uint64_t i) // cut to 255
{
    return i % 20 == 0 ? 255 : 9 * noise(i);
}
static double scan_of_air(uint64_t i) // skin and no bone
{
    return noise(i * 7 + 1) < 0.6 ? -980 + 15 * bell(i) : -60 + 30 * bell(i);
}
static double filled(uint64_t i) // case 05: what is missing has the greatest value
{
    return i < CELLS / 5 ? 1e20 : ball(i) ? 8 + bell(i) : -20 + bell(i);
}
static double filled_twice(uint64_t i)
{
    return i % 40 == 3 ? -9999 : filled(i);
}
static double filled_alike(uint64_t i) // the low value makes the range up to the high one look usual
{
    return i % 10 == 1 ? -9999 : i % 10 == 2 ? 9999 : ball(i) ? 25 + bell(i) : 10 + bell(i);
}
static double mask(uint64_t i)
{
    return i % 3 ? 0 : 1000;
}
static double mask_of_floats(uint64_t i)
{
    return i % 3 ? 0.25 : 0.75;
}
static double labels(uint64_t i) // case 06: regions whose numbers say nothing
{
    static const double numbers[] = { 0, 3, 10, 0, 17, 41, 1035, 0 };
    return numbers[i / 5 % 8];
}
static double labels_8(uint64_t i)
{
    return fmin(labels(i), 100);
}
static double labels_negative(uint64_t i)
{
    return labels_8(i) - 50;
}
static double counts(uint64_t i) // whole numbers whose neighbours are equal by chance
{
    return floor(4 * noise(i)) * floor(1.3 + noise(i + CELLS));
}
static double outliers(uint64_t i) // case 08
{
    return i == 700    ? -1655
           : i == 1900 ? -900
           : i == 9000 ? -720
           : ball(i)   ? 45 + 6 * bell(i)
                       : 3 * bell(i);
}
static double stripped(uint64_t i) // a head without all that is not brain
{
    return i % 5 < 2 ? 0 : i % 2 ? 600 + 60 * bell(i) : 800 + 60 * bell(i);
}
static double stray(uint64_t i) // one sample in a thousand
{
    return i % 1000 == 7 ? -30000 : 500 * noise(i * 7 + 1);
}
static double vessels(uint64_t i) // 0.3 % of the samples
{
    return i % 333 == 5 ? 900 + 50 * bell(i) : 40 * noise(i);
}
static double signed_map(uint64_t i) // case 09
{
    return -0.25 + bell(i);
}
static double signed_map_masked(uint64_t i)
{
    return i % 2 ? 0 : signed_map(i);
}
static double signed_map_8(uint64_t i)
{
    return rint(20 * signed_map(i));
}
static double orbital(uint64_t i) // two lobes of equal height, of opposite signs
{
    return pow(2 * noise(i) - 1, 9);
}
static double negated(uint64_t i)
{
    return -orbital(i);
}
static double density(uint64_t i) // matter, apart from noise
{
    return i % 20 == 0 ? 8 + bell(i) : bell(i);
}
static double hum(uint64_t i) // noise about a value that is not zero
{
    return 1000 + 30 * bell(i);
}
static double wave(uint64_t i) // two humps
{
    return sin((double)i);
}
static double ringing(uint64_t i) // hardly below zero
{
    return i % 3 == 0 ? 900 + 50 * bell(i) : 5 * bell(i);
}
static double high_above(uint64_t i) // floats whose first 16 bits are all the same
{
    return 8388608 + (ball(i) ? 45 : 5) + floor(3 * bell(i));
}

static const struct rule_case rule_cases[] = {
    { "a scan", VOLUME_INT16, scan, "CT: bone at 250 HU", 250, 251 },
    { "a scan in floats", VOLUME_FLOAT32, scan, "CT: bone at 250 HU", 250, 250 },
    { "no bone", VOLUME_INT16, scan_of_air, "CT: skin at -300 HU", -300, -299 },
    { "padded with -1500", VOLUME_INT16, padded_1500,
      "padding at -1500 left out; CT: bone at 250 HU", 250, 251 },
    { "padded with -3024", VOLUME_INT16, padded_3024,
      "padding at -3024 left out; CT: bone at 250 HU", 250, 251 },
    { "padded with a rim", VOLUME_INT16, padded_rim,
      "padding at -3024 left out; CT: bone at 250 HU", 250, 251 },
    { "padded with -32768", VOLUME_INT16, padded_32768,
      "padding at -32768 left out; CT: bone at 250 HU", 250, 251 },
    { "padded, 32 bits", VOLUME_INT32, padded_32768,
      "padding at -32768 left out; CT: bone at 250 HU", 250, 251 },
    { "padded, floats", VOLUME_FLOAT32, padded_float,
      "padding at -1e+30 left out; CT: bone at 250 HU", 250, 250 },
    { "padded, one tissue", VOLUME_INT16, padded_tissue,
      "padding at -1000 left out; noise: 2 % inside", 110, 130 },
    { "filled", VOLUME_FLOAT32, filled, "fill value 1e+20 left out; otsu", -15, 5 },
    { "filled at both ends", VOLUME_FLOAT32, filled_twice,
      "fill value 1e+20 left out; padding at -9999 left out; otsu", -17, 5 },
    { "filled alike", VOLUME_FLOAT32, filled_alike,
      "fill value 9999 left out; padding at -9999 left out; otsu", 11, 24 },
    { "the lowest is zero", VOLUME_UINT16, padded_positive, "otsu", 1, 3050 },
    { "bright", VOLUME_UINT8, bright, "otsu", 10, 254 },
    { "a mask", VOLUME_UINT16, mask, "labels: between 0 and 1000", 500, 501 },
    { "a mask of floats", VOLUME_FLOAT32, mask_of_floats, "labels: between 0.25 and 0.75", 0.5,
      0.5 },
    { "labels, uint8", VOLUME_UINT8, labels_8, "labels: between 0 and 3", 1, 2 },
    { "labels, int8", VOLUME_INT8, labels_negative, "labels: between -50 and -47", -49, -48 },
    { "labels, uint16", VOLUME_UINT16, labels, "labels: between 0 and 3", 1, 2 },
    { "labels, int16", VOLUME_INT16, labels, "labels: between 0 and 3", 1, 2 },
    { "labels, uint32", VOLUME_UINT32, labels, "labels: between 0 and 3", 1, 2 },
    { "labels, int32", VOLUME_INT32, labels, "labels: between 0 and 3", 1, 2 },
    { "labels, float32", VOLUME_FLOAT32, labels, "labels: between 0 and 3", 1.5, 1.5 },
    { "counts", VOLUME_UINT8, counts, "otsu", 0, 6 },
    { "outliers", VOLUME_FLOAT32, outliers, "otsu", 8, 35 },
    { "a stripped brain", VOLUME_INT16, stripped, "otsu", 0, 500 },
    { "a stray sample", VOLUME_INT16, stray, "otsu", 50, 400 },
    { "vessels", VOLUME_UINT16, vessels, "otsu", 45, 800 },
    { "a map", VOLUME_FLOAT32, signed_map, "map of both signs: 2 % inside", 1.6, 2 },
    { "a masked map", VOLUME_FLOAT32, signed_map_masked, "map of both signs: 2 % inside", 1.3,
      1.7 },
    { "a map of 8 bits", VOLUME_INT8, signed_map_8, "map of both signs: 2 % inside", 30, 42 },
    { "an orbital", VOLUME_FLOAT32, orbital, "map of both signs: 2 % inside", 0.2, 0.9 },
    { "an orbital, negated", VOLUME_FLOAT32, negated, "map of both signs: 2 % inside", 0.2, 0.9 },
    { "density", VOLUME_FLOAT32, density, "otsu", 2.5, 6 },
    { "noise", VOLUME_UINT16, hum, "noise: 2 % inside", 1055, 1066 },
    { "noise, 32 bits", VOLUME_UINT32, hum, "noise: 2 % inside", 1055, 1066 },
    { "a wave", VOLUME_FLOAT32, wave, "otsu", -0.6, 0.3 },
    { "ringing", VOLUME_INT16, ringing, "otsu", 200, 800 },
    { "high above zero", VOLUME_FLOAT32, high_above, "otsu", 8388620, 8388645 },
};

static void found(const struct rule_case *row, struct volume_facts *facts)
{
    struct volume volume = make(EDGE, EDGE, EDGE, row->type);
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        const double value = row->sample(i);
        put(&volume, i, is_integer(&volume) ? rint(value) : value);
    }
    volume_facts(&volume, facts);
    check(&volume, facts);
    volume_destroy(&volume);
}

static void each_rule_has_its_volumes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rule_cases / sizeof *rule_cases; k++) {
        const struct rule_case *row = &rule_cases[k];
        static struct volume_facts facts;
        found(row, &facts);
        if (strcmp(facts.iso_rule, row->rule) != 0 || facts.iso < row->low ||
            facts.iso > row->high) {
            fail_msg("%s: isovalue %.9g by %s", row->name, facts.iso, facts.iso_rule);
        }
    }
}

// Each constant of the rules: a sample on both sides of its edge. `share` is the number varied.
static double share;

static double edge_labels(uint64_t i) // neighbours are equal with probability `share`, or by chance
{
    uint64_t from = i;
    while (from % EDGE > 0 && noise(3 * from) < share) {
        from--;
    }
    return floor(4 * noise(from * 3 + 1)) + (from % 50 == 0 ? 0 : 1);
}
static double edge_fill(uint64_t i)
{
    return noise(i) < share ? -5000 : 100 + 10 * bell(i);
}
static double edge_gap(uint64_t i) // the others lie between 5 and 100, but for their lowest 5 %
{
    return i % 20 == 0 ? -share : 100 * noise(i);
}
static double edge_far(uint64_t i)
{
    return i % 20 == 0 ? share : 100 * noise(i);
}
static double edge_rim(uint64_t i) // beside -3000 lies a rim
{
    return i % 5 == 0 ? -3000 : noise(i) < share ? -2900 + 400 * noise(7 * i) : 100 + 10 * bell(i);
}
static double edge_air(uint64_t i)
{
    const double u = noise(i * 7 + 1);
    return u < share ? -980 + 15 * bell(i) : u < 0.9 ? 20 + 60 * bell(i) : 300 + 100 * bell(i);
}
static double edge_tissue(uint64_t i)
{
    const double u = noise(i * 7 + 1);
    return u < share ? 20 + 30 * bell(i) : u < 0.5 ? 500 + 20 * bell(i) : -980 + 15 * bell(i);
}
static double edge_below(uint64_t i)
{
    const double u = noise(i * 7 + 1);
    return u < 0.5 ? -980 + 15 * bell(i) : u < 0.5 + share ? -1500 - 300 * noise(i) : 20 + bell(i);
}
static double edge_bone(uint64_t i)
{
    return noise(i * 7 + 3) < share ? 400 : scan_of_air(i);
}
static double edge_signs(uint64_t i) // a hump with a foot below zero
{
    return share + bell(i);
}
static double edge_hump(uint64_t i) // from a bell to equally frequent values
{
    return noise(i * 5 + 2) < share ? 100 + 5 * bell(i) : 100 + 15 * (2 * noise(i * 5 + 3) - 1);
}
static double edge_skew(uint64_t i) // a bell, one side of which is stretched
{
    const double x = bell(i);
    return 5000 + 100 * (x > 0 ? share * x : x);
}
static double edge_high(uint64_t i) // the quantile 0.999
{
    return noise(i * 5 + 2) < share ? 900 : 40 * noise(i);
}
static double edge_low(uint64_t i) // the quantile 0.005
{
    return noise(i * 5 + 2) < share ? 10 : 900 + 40 * noise(i);
}
static double edge_cut(uint64_t i) // matter and one or two humps beside it
{
    return noise(i * 5 + 2) < 0.1 ? 400 + 20 * bell(i)
           : i % 2                ? 100 - share + 20 * bell(i)
                                  : 100 + share + 20 * bell(i);
}

static void each_constant_has_its_edge(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum volume_type type;
        double (*sample)(uint64_t i);
        double inside, outside; // values of `share`
        const char *rule;       // only of the first
    } edges[] = {
        { "equal neighbours", VOLUME_UINT8, edge_labels, 0.85, 0.6, "labels" },
        { "share of a fill value", VOLUME_INT16, edge_fill, 0.012, 0.008, "padding" },
        { "gap below", VOLUME_INT16, edge_gap, 46, 38, "padding" },
        { "gap below, floats", VOLUME_FLOAT32, edge_gap, 46, 38, "padding" },
        { "gap above", VOLUME_FLOAT32, edge_far, 1200, 900, "fill value" },
        { "rim", VOLUME_INT16, edge_rim, 0.035, 0.07, "padding" },
        { "air", VOLUME_INT16, edge_air, 0.06, 0.04, "CT: bone" },
        { "tissue", VOLUME_INT16, edge_tissue, 0.035, 0.025, "CT: bone" },
        { "below air", VOLUME_INT16, edge_below, 0.04, 0.06, "CT: skin" },
        { "bone", VOLUME_INT16, edge_bone, 0.003, 0.001, "CT: bone" },
        { "both signs", VOLUME_FLOAT32, edge_signs, 2.9, 3.3, "map of both signs" },
        { "hump", VOLUME_FLOAT32, edge_hump, 0.9, 0.05, "noise" },
        { "symmetry", VOLUME_UINT16, edge_skew, 1.4, 2, "noise" },
    };
    static struct volume_facts facts;
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        for (int side = 0; side < 2; side++) {
            const struct rule_case row = { .type = edges[k].type, .sample = edges[k].sample };
            share = side == 0 ? edges[k].inside : edges[k].outside;
            found(&row, &facts);
            const bool same = strncmp(facts.iso_rule, edges[k].rule, strlen(edges[k].rule)) == 0;
            if (same != (side == 0)) {
                fail_msg("%s at %g: %g by %s", edges[k].name, share, facts.iso, facts.iso_rule);
            }
        }
    }
    // Where the rule stays, the isovalue tells.
    static const struct {
        const char *name;
        double (*sample)(uint64_t i);
        double inside, low, high, outside, other_low, other_high;
    } values[] = {
        { "what is rare above", edge_high, 0.003, 45, 900, 0.0003, 5, 39 },
        { "what is rare below", edge_low, 0.02, 11, 899, 0.002, 901, 939 },
        { "one hump, and two", edge_cut, 0, 180, 320, 60, 80, 175 },
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        for (int side = 0; side < 2; side++) {
            const struct rule_case row = { .type = VOLUME_INT16, .sample = values[k].sample };
            share = side == 0 ? values[k].inside : values[k].outside;
            found(&row, &facts);
            if (facts.iso < (side == 0 ? values[k].low : values[k].other_low) ||
                facts.iso > (side == 0 ? values[k].high : values[k].other_high)) {
                fail_msg("%s at %g: %g by %s", values[k].name, share, facts.iso, facts.iso_rule);
            }
        }
    }
}

static void a_file_may_say_that_it_has_labels(void **state)
{
    (void)state;
    struct volume volume = make(EDGE, EDGE, EDGE, VOLUME_UINT8);
    static struct volume_facts facts;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        put(&volume, i, counts(i));
    }
    volume.labels = true;
    volume_facts(&volume, &facts);
    assert_string_equal(facts.iso_rule, "labels: between 0 and 1");
    assert_true(facts.iso == 0.5);
    volume_destroy(&volume);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// 8 and 16 bits: exact. Otherwise within the bins of values.h.
static void percentiles(void **state)
{
    (void)state;
    static const double percents[] = { 0, 1e-9, 0.5, 10, 33.3, 50, 90, 99, 99.5, 99.9999, 100 };
    static const double steps[] = { 0.02, 1, 300 };
    static double sorted[9 * 8 * 7];
    static struct volume_facts facts;
    for (int type = 0; type < VOLUME_FLOAT64; type++) {
        for (size_t s = 0; s < 3; s++) {
            struct volume volume = make(9, 8, 7, type);
            const size_t count = (size_t)volume_count(&volume);
            const double mean = type == VOLUME_INT8 || type == VOLUME_INT16 ? 0 : 90;
            for (uint64_t i = 0; i < count; i++) {
                put(&volume, i, mean + fmin(steps[s], type < 2 ? 9 : 300) * bell(i));
                sorted[i] =
                    volume_sample(&volume, (uint32_t)i % 9, (uint32_t)i / 9 % 8, (uint32_t)i / 72);
            }
            qsort(sorted, count, sizeof *sorted, compare);
            volume_facts(&volume, &facts);
            for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
                const double rank = ceil(percents[p] * (double)count / 100);
                const double expected = sorted[rank > 1 ? (size_t)rank - 1 : 0];
                const double value = values_percentile(&facts.values, percents[p]);
                const bool ends = percents[p] == 0 || percents[p] == 100;
                const double off = ends || volume_type_size(type) <= 2
                                       ? 0
                                       : fabs(expected) / 128 + (type == VOLUME_FLOAT32 ? 0 : 0.5);
                if (!(fabs(value - expected) <= off)) {
                    fail_msg(
                        "%s: p%g is %g, not %g", volume_type_name((enum volume_type)type),
                        percents[p], value, expected);
                }
            }
            volume_destroy(&volume);
        }
    }
    // 7 / 100 * 100 is more than 7 in double.
    struct volume volume = make(5, 5, 4, VOLUME_UINT8);
    for (uint64_t i = 0; i < 100; i++) {
        put(&volume, i, (double)i);
    }
    volume_facts(&volume, &facts);
    assert_true(values_percentile(&facts.values, 7) == 6);
    assert_true(values_percentile(&facts.values, 14) == 13);
    volume_destroy(&volume);
    // A value that most samples have is found as it is; so is one among floats that are alike.
    volume = make(10, 10, 10, VOLUME_FLOAT32);
    for (uint64_t i = 0; i < 1000; i++) {
        put(&volume, i, i < 300 ? -1.5 - noise(i) : i < 800 ? -0.0 : 3 + noise(i));
    }
    volume_facts(&volume, &facts);
    assert_true(values_percentile(&facts.values, 50) == 0);
    for (uint64_t i = 0; i < 1000; i++) {
        put(&volume, i, 8388608 + (double)i);
    }
    volume_facts(&volume, &facts);
    assert_true(fabs(values_percentile(&facts.values, 50) - 8388608 - 499) <= 1);
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
        cmocka_unit_test(each_rule_has_its_volumes),
        cmocka_unit_test(each_constant_has_its_edge),
        cmocka_unit_test(a_file_may_say_that_it_has_labels),
        cmocka_unit_test(percentiles),
        cmocka_unit_test(floats_get_a_short_isovalue),
        cmocka_unit_test(well_known_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
