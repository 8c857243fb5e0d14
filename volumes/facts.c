// Range, histogram, and the counts from which a first isovalue and percentiles follow. All of them
// are sums, or follow from the lowest and greatest samples, so processes can share the work.
//
// 8 and 16 bits: one pass counts how often each value occurs. Other types: the first pass finds the
// range and counts by the first bits of a float; the second fills histograms between known ends.
#include "volumes/facts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void facts_note_range(struct facts_range *range, double value, uint64_t times)
{
    if (range->lowest == 0 || value < range->min) {
        range->next = range->lowest == 0 ? INFINITY : range->min;
        range->lowest = 0;
        range->min = value;
    }
    if (value == range->min) {
        range->lowest += times;
    } else if (value < range->next) {
        range->next = value;
    }
    if (range->finite == 0 || value > range->max) {
        range->highest = 0;
        range->max = value;
    }
    if (value == range->max) {
        range->highest += times;
    }
    range->finite += times;
}

// Adds the counts of pairs of other samples.
static void facts_add_pairs(struct suggestion_pairs *pairs, const struct suggestion_pairs *more)
{
    pairs->all += more->all;
    pairs->equal += more->equal;
    if (more->lowest < pairs->lowest) {
        pairs->lowest = more->lowest;
        pairs->lowest_all = pairs->lowest_equal = 0;
    }
    if (more->lowest == pairs->lowest) {
        pairs->lowest_all += more->lowest_all;
        pairs->lowest_equal += more->lowest_equal;
    }
}

// Adds the range `after` of later samples. 0 and -0 are equal; the earlier one stays, as in
// facts_note_range.
static void facts_add_range(struct facts_range *range, const struct facts_range *after)
{
    const uint64_t finite = range->finite + after->finite;
    if (after->finite > 0) {
        facts_note_range(range, after->min, after->lowest);
        if (after->max > after->min) {
            facts_note_range(range, after->next, 0);
            facts_note_range(range, after->max, after->highest);
        }
    }
    range->finite = finite;
    range->not_finite += after->not_finite;
    range->fractions |= after->fractions;
    facts_add_pairs(&range->pairs, &after->pairs);
}

static double facts_scale_of(double bins, double min, double max)
{
    return max > min ? bins / (max - min) : 0;
}

static void facts_put_in_bins(struct facts_counts *counts, double value, uint64_t times)
{
    const struct facts_range *range = &counts->range;
    const struct suggestion_limits *limits = &counts->limits;
    const double at = (value - range->min) * counts->scale;
    counts->bins[at < VOLUME_BINS - 1 ? (int)at : VOLUME_BINS - 1] += times;
    if (!(limits->no_lowest && value == range->min) &&
        !(limits->no_highest && value == range->max)) {
        const int fine = values_fine_bin(value, limits->low, counts->fine_scale);
        counts->bins[VOLUME_BINS + fine] += times;
    }
}

// Count samples of 8 and 16 bits. `flip` flips the top bit: signed order becomes unsigned order.
static void facts_count_8(const uint8_t *at, uint64_t count, uint8_t flip, uint64_t *seen)
{
    // Uses four tables in turn, so that equal neighbours do not wait for each other's increment.
    uint64_t tables[4][256] = { 0 };
    for (uint64_t i = 0; i < count; i++) {
        tables[i & 3][at[i]]++;
    }
    for (int v = 0; v < 256; v++) {
        seen[v ^ flip] += tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
    }
}

static void facts_count_16(const uint16_t *at, uint64_t count, uint16_t flip, uint64_t *seen)
{
    for (uint64_t i = 0; i < count; i++) {
        seen[at[i] ^ flip]++;
    }
}

static void facts_put_by_value(struct facts_counts *counts, const void *samples, uint64_t count)
{
    const bool is_signed = counts->type == VOLUME_INT8 || counts->type == VOLUME_INT16;
    if (volume_type_size(counts->type) == 1) {
        facts_count_8(samples, count, is_signed ? 0x80 : 0, counts->seen);
    } else {
        facts_count_16(samples, count, is_signed ? 0x8000 : 0, counts->seen);
    }
}

#define ALWAYS(value) true

// Finds the range in the first pass and fills the histograms in the second. Most values lie inside
// the range so far and do not change it.
#define PUT_OF(name, sample, finite_of)                                                            \
    static void name(struct facts_counts *counts, const void *samples, uint64_t count)             \
    {                                                                                              \
        struct facts_range *all = &counts->range;                                                  \
        const sample *at = samples;                                                                \
        const uint64_t range = counts->second ? 0 : count;                                         \
        const uint64_t bins = counts->second ? count : 0;                                          \
        uint64_t not_finite = 0, within = 0;                                                       \
        for (uint64_t i = 0; i < range; i++) {                                                     \
            const double value = (double)at[i];                                                    \
            counts->seen[values_bin((float)at[i])]++;                                              \
            if (all->finite > 0 && value > all->next && value < all->max) {                        \
                within++;                                                                          \
            } else if (finite_of(at[i])) {                                                         \
                facts_note_range(all, value, 1);                                                   \
            } else {                                                                               \
                not_finite++;                                                                      \
            }                                                                                      \
        }                                                                                          \
        all->finite += within;                                                                     \
        all->not_finite += not_finite;                                                             \
        for (uint64_t i = 0; i < bins; i++) {                                                      \
            if (finite_of(at[i])) {                                                                \
                facts_put_in_bins(counts, (double)at[i], 1);                                       \
            }                                                                                      \
        }                                                                                          \
    }

PUT_OF(put_uint32, uint32_t, ALWAYS)
PUT_OF(put_int32, int32_t, ALWAYS)
PUT_OF(put_float32, float, isfinite)

// Floats from 2^23 on are whole, and all that are not finite count as whole here.
static bool facts_has_fraction(const float *at, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (fabsf(at[i]) < 0x1p23f && (float)(int32_t)at[i] != at[i]) {
            return true;
        }
    }
    return false;
}

// Counts the pairs within a row. The counts of a FEW pairs fit 8 bits, so that the compiler can use
// vectors. When a new lowest value comes, no earlier pair has a sample of this value.
#define PAIRS_OF(name, sample, finite_of)                                                          \
    static void name(struct suggestion_pairs *pairs, const void *samples, uint64_t width)          \
    {                                                                                              \
        enum { FEW = 128 };                                                                        \
        const sample *row = samples;                                                               \
        sample least = row[0];                                                                     \
        bool any = finite_of(row[0]);                                                              \
        for (uint64_t i = 1; i < width; i++) {                                                     \
            const bool lower = finite_of(row[i]) && (!any || row[i] < least);                      \
            least = lower ? row[i] : least;                                                        \
            any |= lower;                                                                          \
        }                                                                                          \
        if (any && (double)least < pairs->lowest) {                                                \
            pairs->lowest = (double)least;                                                         \
            pairs->lowest_all = pairs->lowest_equal = 0;                                           \
        }                                                                                          \
        const bool has = any && (double)least == pairs->lowest;                                    \
        for (uint64_t first = 0; first + 1 < width; first += FEW) {                                \
            const sample *at = row + first;                                                        \
            const uint64_t left = width - 1 - first, count = left < FEW ? left : FEW;              \
            uint8_t all = 0, equal = 0, lowest = 0, lowest_equal = 0;                              \
            for (uint64_t i = 0; i < count; i++) {                                                 \
                const bool pair = finite_of(at[i]) & finite_of(at[i + 1]);                         \
                const bool same = pair & (at[i] == at[i + 1]);                                     \
                all = (uint8_t)(all + pair);                                                       \
                equal = (uint8_t)(equal + same);                                                   \
            }                                                                                      \
            for (uint64_t i = 0; has && i < count; i++) {                                          \
                const bool pair = finite_of(at[i]) & finite_of(at[i + 1]);                         \
                const bool low = pair & ((at[i] == least) | (at[i + 1] == least));                 \
                lowest = (uint8_t)(lowest + low);                                                  \
                lowest_equal = (uint8_t)(lowest_equal + (low & (at[i] == at[i + 1])));             \
            }                                                                                      \
            pairs->all += all;                                                                     \
            pairs->equal += equal;                                                                 \
            pairs->lowest_all += lowest;                                                           \
            pairs->lowest_equal += lowest_equal;                                                   \
        }                                                                                          \
    }

PAIRS_OF(pairs_uint8, uint8_t, ALWAYS)
PAIRS_OF(pairs_int8, int8_t, ALWAYS)
PAIRS_OF(pairs_uint16, uint16_t, ALWAYS)
PAIRS_OF(pairs_int16, int16_t, ALWAYS)
PAIRS_OF(pairs_uint32, uint32_t, ALWAYS)
PAIRS_OF(pairs_int32, int32_t, ALWAYS)
PAIRS_OF(pairs_float32, float, isfinite)

static void facts_put_pairs(struct facts_counts *counts, const void *samples, uint64_t count)
{
    static void (*const pairs_of[VOLUME_TYPES])(
        struct suggestion_pairs *, const void *, uint64_t) = {
        [VOLUME_UINT8] = pairs_uint8,     [VOLUME_INT8] = pairs_int8,
        [VOLUME_UINT16] = pairs_uint16,   [VOLUME_INT16] = pairs_int16,
        [VOLUME_UINT32] = pairs_uint32,   [VOLUME_INT32] = pairs_int32,
        [VOLUME_FLOAT32] = pairs_float32,
    };
    const size_t row = counts->width * volume_type_size(counts->type);
    for (uint64_t i = 0; i < count / counts->width; i++) {
        pairs_of[counts->type](
            &counts->range.pairs, (const char *)samples + i * row, counts->width);
    }
}

static void facts_clear_pairs(struct suggestion_pairs *pairs)
{
    *pairs = (struct suggestion_pairs){ .lowest = INFINITY };
}

void facts_begin(struct facts_counts *counts, const struct volume *volume)
{
    memset(counts, 0, sizeof *counts);
    counts->type = volume->type;
    counts->width = volume->dim[0];
    counts->labels = volume->labels;
    counts->density = volume->density;
    facts_clear_pairs(&counts->range.pairs);
}

void facts_put(struct facts_counts *counts, const void *samples, uint64_t count)
{
    struct facts_range *range = &counts->range;
    const bool narrow = values_are_exact(counts->type);
    if (narrow) {
        facts_put_by_value(counts, samples, count);
    } else if (counts->type == VOLUME_UINT32) {
        put_uint32(counts, samples, count);
    } else if (counts->type == VOLUME_INT32) {
        put_int32(counts, samples, count);
    } else {
        assert(counts->type == VOLUME_FLOAT32);
        range->fractions = range->fractions || facts_has_fraction(samples, count);
        put_float32(counts, samples, count);
    }
    if (!counts->labels && (narrow || (counts->second && !range->fractions))) {
        facts_put_pairs(counts, samples, count);
    }
}

// C allows reading unsigned integers through pointers to signed ones.
size_t facts_tables(struct facts_counts *counts, int64_t **values)
{
    *values = counts->second ? (int64_t *)counts->bins : (int64_t *)counts->seen;
    return counts->second                        ? VOLUME_BINS + VALUES_FINE
           : volume_type_size(counts->type) == 1 ? 256
                                                 : VALUES_BINS;
}

void facts_join(struct facts_counts *counts, const struct facts_range *ranges, size_t count)
{
    struct facts_range all = { 0 };
    facts_clear_pairs(&all.pairs);
    for (size_t i = 0; i < count; i++) {
        facts_add_range(&all, &ranges[i]);
    }
    if (counts->second) { // the rest was joined after the first pass
        counts->range.pairs = all.pairs;
    } else {
        counts->range = all;
    }
}

// Sets `out` from the counts. Also finds the limits of the histograms.
static void facts_set_values(struct facts_counts *counts, struct values *out)
{
    const struct facts_range *range = &counts->range;
    *out = (struct values){
        .type = counts->type,
        .count = range->finite,
        .min = range->min + 0.0, // not -0
        .next = range->next + 0.0,
        .max = range->max + 0.0,
        .of_min = range->lowest,
        .of_max = range->highest,
    };
    values_fill(out, counts->seen);
    counts->limits = (struct suggestion_limits){ .low = range->min, .high = range->max };
    if (range->max > range->min) {
        suggestion_find_limits(out, &counts->limits);
    }
    counts->scale = facts_scale_of(VOLUME_BINS, range->min, range->max);
    counts->fine_scale = facts_scale_of(VALUES_FINE, counts->limits.low, counts->limits.high);
}

bool facts_again(struct facts_counts *counts)
{
    if (values_are_exact(counts->type) || counts->second) {
        return false;
    }
    struct values values;
    counts->second = true;
    facts_set_values(counts, &values);
    return true;
}

// Range and histograms of 8 and 16 bits.
static void facts_by_value(struct facts_counts *counts, struct values *values)
{
    const int low = (int)volume_limits[counts->type].least;
    const int entries = volume_type_size(counts->type) == 1 ? 256 : 65536;
    for (int v = 0; v < entries; v++) {
        if (counts->seen[v] > 0) {
            facts_note_range(&counts->range, v + low, counts->seen[v]);
        }
    }
    facts_set_values(counts, values);
    for (int v = 0; v < entries; v++) {
        if (counts->seen[v] > 0) {
            facts_put_in_bins(counts, v + low, counts->seen[v]);
        }
    }
}

void facts_end(struct facts_counts *counts, struct volume_facts *out)
{
    struct values *values = &out->values;
    struct suggestion suggestion;
    memset(out, 0, sizeof *out);
    if (values_are_exact(counts->type)) {
        facts_by_value(counts, values);
    } else {
        facts_set_values(counts, values);
    }
    values->low = counts->limits.low;
    values->high = counts->limits.high;
    values->below = counts->limits.no_lowest ? values->of_min : 0;
    memcpy(values->fine, counts->bins + VOLUME_BINS, sizeof values->fine);
    memcpy(out->histogram, counts->bins, sizeof out->histogram);
    out->min = values->min;
    out->max = values->max;
    out->not_finite = counts->range.not_finite;
    suggestion_find(
        values, &counts->limits, &counts->range.pairs, !counts->range.fractions, counts->labels,
        counts->density, &suggestion);
    out->iso = suggestion.iso;
    memcpy(out->iso_rule, suggestion.rule, sizeof out->iso_rule);
    out->hounsfield = suggestion.hounsfield;
}

void volume_facts(const struct volume *volume, struct volume_facts *out)
{
    struct facts_counts counts;
    facts_begin(&counts, volume);
    do {
        facts_put(&counts, volume->samples, volume_count(volume));
    } while (facts_again(&counts));
    facts_end(&counts, out);
}
