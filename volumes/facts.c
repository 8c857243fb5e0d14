// Range, histogram, and a first isovalue.
//
// In most volumes the isovalue comes from Otsu's method (1979: the threshold with the largest
// variance between the classes that it makes), applied twice: once for two classes, and once for
// three, of whose two thresholds the lower is used. The first alone is too high where a scan holds
// three materials (air, tissue, bone). The second is too low where it holds two. Their geometric
// mean above the lowest sample came closest to what people choose for well-known volumes
// (bonsai 41.5, engine 69.5, aneurism 73.5, the skin of a head). Otsu on the logarithm of the
// counts always ends near the middle of the range.
//
// Two kinds of volumes have rules of their own:
// - Scanners fill what they did not see with one value far below all others. In this padding there
// is nothing to see, so the isovalue is that of the other samples.
// - In density maps most samples lie about zero, and solid matter is positive. The isovalue
// separates two classes of the samples above zero. The lower of three classes would be noise.
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
        range->max = value;
    }
    range->finite += times;
}

// Adds the range of the samples that follow. 0 and -0 are equal, and the first of them stays, as in
// facts_note_range.
static void facts_add_range(struct facts_range *range, const struct facts_range *after)
{
    const uint64_t finite = range->finite + after->finite;
    const uint64_t not_finite = range->not_finite + after->not_finite;
    if (range->finite == 0) {
        *range = *after;
    } else if (after->finite > 0) {
        facts_note_range(range, after->min, after->lowest);
        if (after->next < INFINITY) {
            facts_note_range(range, after->next, 0);
        }
        facts_note_range(range, after->max, 0);
    }
    range->finite = finite;
    range->not_finite = not_finite;
}

static int facts_bin_of(double value, double min, double scale)
{
    const double at = (value - min) * scale;
    return at < VOLUME_BINS - 1 ? (int)at : VOLUME_BINS - 1;
}

static double facts_scale_of(double min, double max)
{
    return max > min ? VOLUME_BINS / (max - min) : 0;
}

static const double PADDING_LEAST = 0.01, PADDING_MOST = 0.5; // share of the samples

// The range is known: the histograms can be filled. That of the rest only where it may be needed.
static void facts_set_scales(struct facts_counts *counts)
{
    const struct facts_range *range = &counts->range;
    const double share = range->finite > 0 ? (double)range->lowest / (double)range->finite : 0;
    counts->scale = facts_scale_of(range->min, range->max);
    if (share >= PADDING_LEAST && share < PADDING_MOST) {
        counts->rest_scale = facts_scale_of(range->next, range->max);
    }
}

static void facts_put_in_bins(struct facts_counts *counts, double value, uint64_t times)
{
    const struct facts_range *range = &counts->range;
    counts->bins[0][facts_bin_of(value, range->min, counts->scale)] += times;
    if (counts->rest_scale > 0 && value > range->min) {
        counts->bins[1][facts_bin_of(value, range->next, counts->rest_scale)] += times;
    }
}

// 8 and 16 bits: one pass counts how often each value occurs. All facts follow from these counts.
// Flipping the top bit turns signed order into unsigned order.
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

static bool facts_is_narrow(enum volume_type type)
{
    return volume_type_size(type) <= 2;
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

static void facts_by_value(struct facts_counts *counts)
{
    const int values = volume_type_size(counts->type) == 1 ? 256 : 65536;
    const bool is_signed = counts->type == VOLUME_INT8 || counts->type == VOLUME_INT16;
    const int low = is_signed ? -values / 2 : 0;
    for (int v = 0; v < values; v++) {
        if (counts->seen[v] > 0) {
            facts_note_range(&counts->range, v + low, counts->seen[v]);
        }
    }
    facts_set_scales(counts);
    for (int v = 0; v < values; v++) {
        if (counts->seen[v] > 0) {
            facts_put_in_bins(counts, v + low, counts->seen[v]);
        }
    }
}

// The range in the first pass, the histogram in the second. Most values are neither the lowest nor
// the highest of those before, and do not change the range.
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

#define ALWAYS(value) true
PUT_OF(put_uint32, uint32_t, ALWAYS)
PUT_OF(put_int32, int32_t, ALWAYS)
PUT_OF(put_float32, float, isfinite)

// Sums over the bins below b: of counts, and of counts times bin.
struct facts_sums {
    double count[VOLUME_BINS + 1];
    double moment[VOLUME_BINS + 1];
};

// The part of the variance between classes that the class of bins [a, b) contributes, up to a
// constant.
static double facts_class_term(const struct facts_sums *sums, int a, int b)
{
    const double count = sums->count[b] - sums->count[a];
    const double moment = sums->moment[b] - sums->moment[a];
    return count > 0 ? moment * moment / count : 0;
}

static void facts_sum(const uint64_t histogram[VOLUME_BINS], struct facts_sums *out)
{
    *out = (struct facts_sums){ 0 };
    for (int b = 0; b < VOLUME_BINS; b++) {
        const double count = (double)histogram[b];
        out->count[b + 1] = out->count[b] + count;
        out->moment[b + 1] = out->moment[b] + count * b;
    }
}

// A threshold at `bin` separates the bins below it from the rest. Where empty bins follow, all of
// them separate the same samples; then the middle one is used.
static double facts_middle(const uint64_t histogram[VOLUME_BINS], int bin)
{
    int last = bin;
    while (last < VOLUME_BINS - 1 && histogram[last] == 0) {
        last++;
    }
    return (bin + last) / 2.0;
}

// The threshold of two classes of the bins [from, end). *most: their terms.
static int facts_otsu_two(const struct facts_sums *sums, int from, int end, double *most)
{
    int two = from + 1;
    *most = -1;
    for (int a = from + 1; a < end; a++) {
        const double sum = facts_class_term(sums, from, a) + facts_class_term(sums, a, end);
        if (sum > *most) {
            *most = sum;
            two = a;
        }
    }
    return two;
}

// In bins above the first.
static double facts_otsu(const uint64_t histogram[VOLUME_BINS])
{
    struct facts_sums sums;
    double best;
    facts_sum(histogram, &sums);
    const int two = facts_otsu_two(&sums, 0, VOLUME_BINS, &best);
    best = -1;
    int three = 1;
    for (int a = 1; a < VOLUME_BINS - 1; a++) {
        for (int b = a + 1; b < VOLUME_BINS; b++) {
            const double sum = facts_class_term(&sums, 0, a) + facts_class_term(&sums, a, b) +
                               facts_class_term(&sums, b, VOLUME_BINS);
            if (sum > best) {
                best = sum;
                three = a;
            }
        }
    }
    return sqrt(facts_middle(histogram, two) * facts_middle(histogram, three));
}

// The bin below which (and in which) the share of the samples lies.
static int facts_quantile(const struct facts_sums *sums, double share)
{
    int b = 0;
    while (b < VOLUME_BINS - 1 && sums->count[b + 1] < share * sums->count[VOLUME_BINS]) {
        b++;
    }
    return b;
}

static const double PADDING_GAP = 0.25;     // empty stretch, in standard deviations of the rest
static const double PADDING_CLASSES = 0.83; // share of the rest's variance that is between two
                                            // classes: 0.85 to 0.96 in scans with air, 0.75 where
                                            // all values are equally frequent
static const double PADDING_CLIP = 0.99;    // share of the rest that these two are found in
static const int PADDING_VALUES = VOLUME_BINS / 16; // bins of the rest that hold samples

// Whether the lowest value is padding. The background of a mask or of labels is not, although
// nothing may lie next to it, either: most samples have its value, or the rest has few values, or
// the rest is of one kind. Of the rest of a scanner's file a part is air. What lies farther off
// than the rest is wide is always padding.
static bool facts_is_padded(const struct facts_counts *counts)
{
    if (counts->rest_scale == 0) {
        return false;
    }
    int values = 0;
    for (int b = 0; b < VOLUME_BINS; b++) {
        values += counts->bins[1][b] > 0;
    }
    struct facts_sums sums;
    facts_sum(counts->bins[1], &sums);
    const int end = facts_quantile(&sums, PADDING_CLIP) + 1;
    const double count = sums.count[end], mean = sums.moment[end] / count;
    double variance = 0, between;
    for (int b = 0; b < end; b++) {
        variance += (double)counts->bins[1][b] * (b - mean) * (b - mean);
    }
    facts_otsu_two(&sums, 0, end, &between);
    between -= facts_class_term(&sums, 0, end);
    const double gap = (counts->range.next - counts->range.min) * counts->rest_scale;
    return values >= PADDING_VALUES && gap >= PADDING_GAP * sqrt(variance / count) &&
           (gap >= VOLUME_BINS || between >= PADDING_CLASSES * variance);
}

// Whether the bulk of the samples is at zero, with both signs about it: the middle 80 % take at
// most half of the range, their middle is zero, and they reach no farther down than up. All of this
// but for a bin. In a scan in Hounsfield units water is at zero, too, but much is air, far below.
static bool facts_is_about_zero(const struct volume_facts *facts, const struct facts_sums *sums)
{
    const double bin = (facts->max - facts->min) / VOLUME_BINS;
    const double low = facts->min + bin * (facts_quantile(sums, 0.1) + 0.5);
    const double middle = facts->min + bin * (facts_quantile(sums, 0.5) + 0.5);
    const double high = facts->min + bin * (facts_quantile(sums, 0.9) + 0.5);
    return -facts->min >= facts->max / 20 && facts->max >= -facts->min / 20 &&
           high - low <= (facts->max - facts->min) / 2 && fabs(middle) <= (high - low) / 8 + bin &&
           -low <= 1.5 * fmax(high, 0) + bin;
}

// Three digits of the range are precise enough for a first value, and easier to read.
static double facts_rounded(double value, double range)
{
    double up = 1; // units of the last kept digit, per 1
    while (range * up < 100 && up < 1e300) {
        up *= 10;
    }
    double down = 1;
    while (range / down >= 1000 && down < 1e300) {
        down *= 10;
    }
    return down > 1 ? rint(value / down) * down : rint(value * up) / up;
}

// The threshold, and the lower end of the range that it is in.
static double
facts_find_iso(const struct facts_counts *counts, struct volume_facts *facts, double *low)
{
    struct facts_sums sums;
    double unused;
    *low = facts->min;
    if (facts_is_padded(counts)) {
        facts->iso_rule = "otsu without padding";
        *low = counts->range.next;
        return *low + facts_otsu(counts->bins[1]) / counts->rest_scale;
    }
    facts_sum(facts->histogram, &sums);
    if (facts_is_about_zero(facts, &sums)) {
        facts->iso_rule = "otsu above zero";
        *low = 0;
        const int zero = facts_bin_of(0, facts->min, counts->scale);
        const int two = facts_otsu_two(&sums, zero, VOLUME_BINS, &unused);
        return facts->min + facts_middle(facts->histogram, two) / counts->scale;
    }
    facts->iso_rule = "otsu";
    return facts->min + facts_otsu(facts->histogram) / counts->scale;
}

static void facts_select_iso(const struct facts_counts *counts, struct volume_facts *facts)
{
    double low;
    if (facts->max <= facts->min) {
        facts->iso = facts->min;
        facts->iso_rule = "constant";
        return;
    }
    const double found = facts_find_iso(counts, facts, &low);
    if (counts->type != VOLUME_FLOAT32) {
        // Moves the value between two integers, so that no sample lies on the surface. `found` is
        // in [min, max), because the first and the last bin are never empty.
        facts->iso = floor(found) + 0.5;
        return;
    }
    // The device uses the isovalue as a float. The float must separate the samples, too.
    const double tries[] = { facts_rounded(found, facts->max - low), found, facts->max };
    for (int i = 0; i < 3; i++) {
        const double narrow = (double)(float)tries[i];
        facts->iso = tries[i];
        if (low < fmin(narrow, tries[i]) && fmax(narrow, tries[i]) <= facts->max) {
            return;
        }
    }
}

void facts_begin(struct facts_counts *counts, enum volume_type type)
{
    memset(counts, 0, sizeof *counts);
    counts->type = type;
}

void facts_put(struct facts_counts *counts, const void *samples, uint64_t count)
{
    if (facts_is_narrow(counts->type)) {
        facts_put_by_value(counts, samples, count);
    } else if (counts->type == VOLUME_UINT32) {
        put_uint32(counts, samples, count);
    } else if (counts->type == VOLUME_INT32) {
        put_int32(counts, samples, count);
    } else {
        assert(counts->type == VOLUME_FLOAT32);
        put_float32(counts, samples, count);
    }
}

// Signed and unsigned integers may share memory.
size_t facts_tables(struct facts_counts *counts, int64_t **values)
{
    const bool narrow = facts_is_narrow(counts->type);
    *values = narrow ? (int64_t *)counts->seen : (int64_t *)counts->bins;
    return narrow           ? (volume_type_size(counts->type) == 1 ? 256 : 65536)
           : counts->second ? 2 * VOLUME_BINS
                            : 0;
}

void facts_join(struct facts_counts *counts, const struct facts_range *ranges, size_t count)
{
    if (counts->second) {
        return; // the range was joined after the first pass
    }
    counts->range = (struct facts_range){ 0 };
    for (size_t i = 0; i < count; i++) {
        facts_add_range(&counts->range, &ranges[i]);
    }
}

bool facts_again(struct facts_counts *counts)
{
    if (facts_is_narrow(counts->type) || counts->second) {
        return false;
    }
    counts->second = true;
    facts_set_scales(counts);
    return true;
}

void facts_end(struct facts_counts *counts, struct volume_facts *out)
{
    if (facts_is_narrow(counts->type)) {
        facts_by_value(counts);
    }
    *out = (struct volume_facts){
        .min = counts->range.min,
        .max = counts->range.max,
        .not_finite = counts->range.not_finite,
    };
    memcpy(out->histogram, counts->bins[0], sizeof out->histogram);
    facts_select_iso(counts, out);
}

void volume_facts(const struct volume *volume, struct volume_facts *out)
{
    struct facts_counts counts;
    facts_begin(&counts, volume->type);
    do {
        facts_put(&counts, volume->samples, volume_count(volume));
    } while (facts_again(&counts));
    facts_end(&counts, out);
}
