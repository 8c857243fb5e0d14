// The first isovalue. The first of these rules that applies ends the search; only after rule 2 the
// search goes on. The constants were tuned on volumes for which a person had said which isovalues
// show the thing that the volume was made to show.
//
// 1. Labels: the file says so, or there are two values, or all samples are whole numbers and
//    neighbours are equal far oftener than by chance. Halfway between the lowest two values.
// 2. A value at an end of the range that many samples have, far from all others, stands for what
//    was not measured. Leave it out, and also a rim of values between it and the others, which
//    resampling has mixed.
// 3. A map of a density, as the file says: the greatest 1 % of the samples are inside.
//    Otherwise Hounsfield units: enough samples are air and tissue. Bone where there is some,
//    otherwise skin.
// 4. A map of both signs whose values form one hump: the greatest 2 % of the samples are inside.
// 5. Noise, one symmetric hump: the greatest 2 % of the samples are inside.
// 6. Otsu's method (1979: the threshold with the largest variance between the classes that it
//    makes) between two quantiles, so that outliers do not stretch the range. It is applied twice:
//    for two classes, and for three classes, whose lower threshold is used. The threshold of two is
//    too high where a scan holds three materials (air, tissue, bone). That of three is too low
//    where it holds two. Their geometric mean above the lower quantile comes close to what people
//    choose. If the lower threshold of three cuts through a hump of noise, only two are used.
#include "volumes/suggestion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINS = 256 };

static const double LABELS = 2 / 3.0; // how much oftener neighbours are equal than by chance: label
                                      // maps 0.7 to 1, images in whole numbers up to 0.65
static const double FILL = 0.01;      // the least share of the samples that a fill value has
static const double GAP = 0.5;        // least distance of a negative fill value below the others
static const double FAR = 10;   // least distance of a greatest one above them; both in their widths
static const double RIM = 0.05; // the share of the others that may be a rim
static const double LOW = 0.005, HIGH = 0.999; // quantiles; vessels may be 0.3 % of the samples
static const double FILL_HU = -1100;           // HU; samples below this were not measured
static const double AIR = 0.05, TISSUE = 0.03; // least shares of samples at -1000 +- 100, 0 +- 200,
static const double BELOW = 0.1;               // and greatest share below, relative to the air's
static const double BONES = 0.002;             // the least share of samples above SUGGESTION_BONE
static const double HUMP =
    0.69; // share of the variance between Otsu's two classes: a hump of noise
          // has 2 / pi = 0.637, equally frequent values 0.75, scans 0.71 up
static const double SIGNS = 0.1; // both signs: least RMS of the negative samples over that of the
                                 // positive ones. Undershoot of resampling has below 0.07
static const double SKEW = 0.5;  // greatest skewness of a symmetric hump
static const double INSIDE = 0.02, INSIDE_DENSITY = 0.01;
// A threshold cuts a hump if the mean count around it is more than CUT times the mean count below
// it. The ratio is 1 if all values are equally frequent, and 2 in the middle of a hump.
static const double CUT = 1.5;

// The entries of `values` that count.
struct suggestion_kept {
    const struct values *values;
    int first, last; // both hold samples
    double rim;
    bool no_zeros;
};

static double suggestion_value(const struct suggestion_kept *kept, int entry)
{
    return fmax(values_short(kept->values, entry), kept->rim);
}

static double suggestion_count(const struct suggestion_kept *kept, int entry)
{
    const uint64_t count = kept->values->seen[entry];
    return count > 0 && kept->no_zeros && suggestion_value(kept, entry) == 0 ? 0 : (double)count;
}

// How many samples are at least `from` and below `to`.
static double suggestion_between(const struct suggestion_kept *kept, double from, double to)
{
    double count = 0;
    for (int i = kept->first; i <= kept->last; i++) {
        if (kept->values->seen[i] > 0) {
            const double value = suggestion_value(kept, i);
            count += value >= from && value < to ? suggestion_count(kept, i) : 0;
        }
    }
    return count;
}

static double suggestion_total(const struct suggestion_kept *kept)
{
    return suggestion_between(kept, -INFINITY, INFINITY);
}

// The entry with this share of the samples in it and below it.
static int suggestion_quantile(const struct suggestion_kept *kept, double share)
{
    const double rank = share * suggestion_total(kept);
    double below = 0;
    int entry = kept->first, last = kept->first;
    for (; entry <= kept->last && below < rank; entry++) {
        const double count = suggestion_count(kept, entry);
        last = count > 0 ? entry : last;
        below += count;
    }
    return last;
}

// The ends of nearly all samples: quantiles `low` and HIGH, or if these are equal, the range.
static void suggestion_width(const struct suggestion_kept *kept, double low, double ends[2])
{
    const struct values *values = kept->values;
    ends[0] = fmax(values_bottom(values, suggestion_quantile(kept, low)), kept->rim);
    ends[1] = values_top(values, suggestion_quantile(kept, HIGH));
    if (!(ends[1] > ends[0])) {
        ends[0] = fmax(values_bottom(values, kept->first), kept->rim);
        ends[1] = values_top(values, kept->last);
    }
}

static bool suggestion_is_hounsfield(const struct suggestion_kept *kept)
{
    const double all = suggestion_total(kept);
    const double air = suggestion_between(kept, -1100, -900);
    return air >= AIR * all && suggestion_between(kept, -200, 200) >= TISSUE * all &&
           suggestion_between(kept, -INFINITY, -1100) < BELOW * air;
}

// Moves an end to the next entry that holds samples.
static void suggestion_shrink(const struct values *values, int *end, int step)
{
    do {
        *end += step;
    } while (values->seen[*end] == 0);
}

static struct suggestion_kept suggestion_all(const struct values *values)
{
    struct suggestion_kept all = { values, -1, values_entries(values), -INFINITY, false };
    suggestion_shrink(values, &all.first, 1);
    suggestion_shrink(values, &all.last, -1);
    return all;
}

static bool suggestion_is_often(const struct suggestion_kept *kept, int entry)
{
    return (double)kept->values->seen[entry] >= FILL * suggestion_total(kept);
}

// Whether there are at least three different values.
static bool suggestion_has_middle(const struct suggestion_kept *kept)
{
    int next = kept->first;
    suggestion_shrink(kept->values, &next, 1);
    return next < kept->last;
}

// Leaves out a greatest value that is far from all others. Not 255 of 8 bits: it holds all clamped
// samples.
static bool suggestion_drop_highest(struct suggestion_kept *kept)
{
    struct suggestion_kept rest = *kept;
    double ends[2];
    if (volume_type_size(kept->values->type) == 1 || !suggestion_has_middle(kept) ||
        !suggestion_is_often(kept, kept->last)) {
        return false;
    }
    suggestion_shrink(kept->values, &rest.last, -1);
    suggestion_width(&rest, LOW, ends);
    if (!(kept->values->max - ends[1] > FAR * (ends[1] - ends[0]))) {
        return false;
    }
    *kept = rest;
    return true;
}

// Leaves out a negative lowest value that is far from all others. Zero is kept: it is background.
static bool suggestion_drop_lowest(struct suggestion_kept *kept)
{
    struct suggestion_kept rest = *kept;
    const double lowest = kept->values->min;
    double ends[2];
    if (lowest >= 0 || !suggestion_has_middle(kept) || !suggestion_is_often(kept, kept->first)) {
        return false;
    }
    suggestion_shrink(kept->values, &rest.first, 1);
    suggestion_width(&rest, RIM, ends);
    if (!(ends[0] - lowest > GAP * (ends[1] - ends[0])) &&
        !(lowest < FILL_HU && suggestion_is_hounsfield(&rest))) {
        return false;
    }
    *kept = rest;
    kept->rim = ends[0];
    return true;
}

static struct suggestion_kept
suggestion_keep(const struct values *values, const struct suggestion_limits *limits)
{
    struct suggestion_kept kept = suggestion_all(values);
    if (limits->no_highest) {
        suggestion_shrink(values, &kept.last, -1);
    }
    if (limits->no_lowest) {
        suggestion_shrink(values, &kept.first, 1);
    }
    kept.rim = limits->rim;
    return kept;
}

void suggestion_find_limits(const struct values *values, struct suggestion_limits *out)
{
    struct suggestion_kept kept = suggestion_all(values);
    double ends[2];
    out->no_highest = suggestion_drop_highest(&kept);
    out->no_lowest = suggestion_drop_lowest(&kept);
    if (out->no_lowest && !out->no_highest) { // the lowest value made the others look wide
        out->no_highest = suggestion_drop_highest(&kept);
    }
    out->rim = kept.rim;
    suggestion_width(&kept, LOW, ends);
    if (!(ends[1] > ends[0])) {
        *out = (struct suggestion_limits){ .rim = -INFINITY };
        ends[0] = values->min;
        ends[1] = values->max;
    }
    out->low = ends[0];
    out->high = ends[1];
}

// Entry b holds sums over the bins below b: of the counts, and of count times bin.
struct suggestion_sums {
    double count[BINS + 1];
    double moment[BINS + 1];
    double square; // sum over all bins of count times bin times bin
};

// The part of the variance between classes that the class of bins [a, b) contributes, up to a
// constant.
static double suggestion_class(const struct suggestion_sums *sums, int a, int b)
{
    const double count = sums->count[b] - sums->count[a];
    const double moment = sums->moment[b] - sums->moment[a];
    return count > 0 ? moment * moment / count : 0;
}

static void suggestion_sum(const double bins[BINS], struct suggestion_sums *out)
{
    *out = (struct suggestion_sums){ 0 };
    for (int b = 0; b < BINS; b++) {
        out->count[b + 1] = out->count[b] + bins[b];
        out->moment[b + 1] = out->moment[b] + bins[b] * b;
        out->square += bins[b] * b * b;
    }
}

// A threshold at `bin` separates the bins below it from the rest. Empty bins that follow separate
// the samples in the same way; then the middle one is used.
static double suggestion_middle(const double bins[BINS], int bin)
{
    int last = bin;
    while (last < BINS - 1 && bins[last] == 0) {
        last++;
    }
    return (bin + last) / 2.0;
}

// The threshold of two classes, in bins. *share: how much of the variance is between the classes.
static int suggestion_otsu_two(const struct suggestion_sums *sums, double *share)
{
    const double all = suggestion_class(sums, 0, BINS);
    double most = -1;
    int two = 1;
    for (int a = 1; a < BINS; a++) {
        const double sum = suggestion_class(sums, 0, a) + suggestion_class(sums, a, BINS);
        if (sum > most) {
            most = sum;
            two = a;
        }
    }
    *share = sums->square > all ? (most - all) / (sums->square - all) : 1;
    return two;
}

// The lower threshold of three classes, in bins.
static int suggestion_otsu_three(const struct suggestion_sums *sums)
{
    double most = -1;
    int three = 1;
    for (int a = 1; a < BINS - 1; a++) {
        for (int b = a + 1; b < BINS; b++) {
            const double sum = suggestion_class(sums, 0, a) + suggestion_class(sums, a, b) +
                               suggestion_class(sums, b, BINS);
            if (sum > most) {
                most = sum;
                three = a;
            }
        }
    }
    return three;
}

// Whether a threshold lies in the hump of the class below it.
static bool suggestion_cuts(const struct suggestion_sums *sums, double threshold)
{
    enum { AROUND = 4 };
    const int bin = (int)threshold, from = bin > AROUND ? bin - AROUND : 0;
    const int to = bin + AROUND < BINS ? bin + AROUND + 1 : BINS;
    return (sums->count[to] - sums->count[from]) / (to - from) > CUT * sums->count[bin] / bin;
}

static double suggestion_otsu(const double bins[BINS])
{
    struct suggestion_sums sums;
    double unused;
    suggestion_sum(bins, &sums);
    const double two = suggestion_middle(bins, suggestion_otsu_two(&sums, &unused));
    const double three = suggestion_middle(bins, suggestion_otsu_three(&sums));
    return suggestion_cuts(&sums, three) ? two : sqrt(two * three);
}

static double suggestion_share_of_two(const double bins[BINS])
{
    struct suggestion_sums sums;
    double share;
    suggestion_sum(bins, &sums);
    suggestion_otsu_two(&sums, &share);
    return share;
}

static void suggestion_fold(const struct values *values, double bins[BINS])
{
    for (int b = 0; b < BINS; b++) {
        bins[b] = 0;
        for (int i = 0; i < VALUES_FINE / BINS; i++) {
            bins[b] += (double)values->fine[b * (VALUES_FINE / BINS) + i];
        }
    }
}

// Does what suggestion_fold does, without the samples that are 0: maps are masked with zeros.
static void suggestion_fold_without_zeros(const struct suggestion_kept *kept, double bins[BINS])
{
    struct suggestion_kept rest = *kept;
    double ends[2];
    rest.no_zeros = true;
    suggestion_width(&rest, LOW, ends);
    memset(bins, 0, BINS * sizeof *bins);
    for (int i = rest.first; i <= rest.last; i++) {
        if (rest.values->seen[i] > 0) {
            const double at = (suggestion_value(&rest, i) - ends[0]) * (BINS / (ends[1] - ends[0]));
            bins[at >= BINS - 1 ? BINS - 1 : at > 0 ? (int)at : 0] += suggestion_count(&rest, i);
        }
    }
}

// The root mean square of the samples with this sign.
static double suggestion_size(const struct suggestion_kept *kept, bool negative)
{
    double count = 0, square = 0;
    for (int i = kept->first; i <= kept->last; i++) {
        if (kept->values->seen[i] > 0) {
            const double value = suggestion_value(kept, i);
            if (negative ? value < 0 : value > 0) {
                count += suggestion_count(kept, i);
                square += suggestion_count(kept, i) * value * value;
            }
        }
    }
    return count > 0 ? sqrt(square / count) : 0;
}

static double suggestion_skewness(const struct values *values)
{
    double count = 0, mean = 0, square = 0, cube = 0;
    for (int b = 0; b < VALUES_FINE; b++) {
        count += (double)values->fine[b];
        mean += (double)values->fine[b] * b;
    }
    mean /= count;
    for (int b = 0; b < VALUES_FINE; b++) {
        const double from = b - mean;
        square += (double)values->fine[b] * from * from;
        cube += (double)values->fine[b] * from * from * from;
    }
    const double deviation = sqrt(square / count);
    return deviation > 0 ? cube / count / (deviation * deviation * deviation) : 0;
}

// The value halfway between two fine bins with samples: this share of all samples is in the upper
// one and above it.
static double suggestion_inside(const struct values *values, double share)
{
    double all = 0, above = 0;
    for (int b = 0; b < VALUES_FINE; b++) {
        all += (double)values->fine[b];
    }
    int upper = VALUES_FINE;
    while (upper > 1 && above < share * all) {
        above += (double)values->fine[--upper];
    }
    int lower = upper - 1;
    while (lower > 0 && values->fine[lower] == 0) {
        lower--;
    }
    return values->low + ((lower + upper) / 2.0 + 0.5) * (values->high - values->low) / VALUES_FINE;
}

// How much oftener than by chance neighbours above the lowest value are equal: 0 as often, 1
// always.
static double
suggestion_agreement(const struct values *values, const struct suggestion_pairs *pairs)
{
    const double all = (double)(pairs->all - pairs->lowest_all);
    const double equal = (double)(pairs->equal - pairs->lowest_equal);
    const double above = (double)(values->count - values->of_min);
    double chance = 0;
    for (int i = suggestion_all(values).first + 1; i < values_entries(values); i++) {
        const double share = (double)values->seen[i] / above;
        chance += share * share;
    }
    return all > 0 ? (equal / all - chance) / fmax(1 - chance, 1e-9) : 0;
}

static void suggestion_say(struct suggestion *out, const char *text)
{
    const size_t at = strlen(out->rule);
    snprintf(out->rule + at, sizeof out->rule - at, "%s%s", at > 0 ? "; " : "", text);
}

// Rounds to three digits of the range: precise enough for a first value, and easier to read.
static double suggestion_rounded(double value, double range)
{
    double up = 1; // units of the last kept digit, per 1
    while (range * up < 50 && up < 1e300) {
        up *= 10;
    }
    double down = 1;
    while (range / down >= 1000 && down < 1e300) {
        down *= 10;
    }
    return down > 1 ? rint(value / down) * down : rint(value * up) / up;
}

// Sets the isovalue to `found`, or to `nice` if it separates the samples as well. The isovalue is
// above `low`, the lowest sample that counts.
static void
suggestion_set(const struct values *values, double found, double nice, double low, double *iso)
{
    if (values->type != VOLUME_FLOAT32) {
        // Between two integers, so that no sample lies on the surface.
        *iso = fmin(floor(found), values->max - 1) + 0.5;
        return;
    }
    // The isovalue as a float must separate the samples, too.
    const double tries[] = { nice, found, values->max };
    for (int i = 0; i < 3; i++) {
        const double narrow = (double)(float)tries[i];
        *iso = tries[i];
        if (low < fmin(narrow, tries[i]) && fmax(narrow, tries[i]) <= values->max) {
            return;
        }
    }
}

static bool suggestion_are_labels(
    const struct values *values, const struct suggestion_pairs *pairs, bool whole, bool labels)
{
    return labels || values->of_min + values->of_max == values->count ||
           (whole && suggestion_agreement(values, pairs) >= LABELS);
}

// Applies rules 3 to 6, in this order. Returns whether the value should be rounded.
static bool suggestion_by_counts(
    const struct suggestion_kept *kept, const struct suggestion_limits *limits, double *found,
    struct suggestion *out)
{
    double bins[BINS];
    if (suggestion_is_hounsfield(kept)) {
        out->hounsfield = true;
        const bool bone =
            suggestion_between(kept, SUGGESTION_BONE, INFINITY) >= BONES * suggestion_total(kept);
        suggestion_say(out, bone ? "CT: bone at 250 HU" : "CT: skin at -300 HU");
        *found = bone ? SUGGESTION_BONE : SUGGESTION_SKIN;
        return false;
    }
    const double negative = suggestion_size(kept, true), positive = suggestion_size(kept, false);
    const bool both = positive > 0 && negative >= SIGNS * positive;
    if (both) {
        suggestion_fold_without_zeros(kept, bins);
    } else {
        suggestion_fold(kept->values, bins);
    }
    if (suggestion_share_of_two(bins) < HUMP &&
        (both || fabs(suggestion_skewness(kept->values)) < SKEW)) {
        suggestion_say(out, both ? "map of both signs: 2 % inside" : "noise: 2 % inside");
        *found = suggestion_inside(kept->values, INSIDE);
        return true;
    }
    suggestion_fold(kept->values, bins);
    suggestion_say(out, "otsu");
    *found = limits->low + suggestion_otsu(bins) * (limits->high - limits->low) / BINS;
    return true;
}

void suggestion_find(
    const struct values *values, const struct suggestion_limits *limits,
    const struct suggestion_pairs *pairs, bool whole, bool labels, bool density,
    struct suggestion *out)
{
    *out = (struct suggestion){ .iso = values->min };
    char text[80];
    if (!(values->max > values->min)) {
        suggestion_say(out, "constant");
        return;
    }
    if (suggestion_are_labels(values, pairs, whole, labels)) {
        const double half = values->min / 2 + values->next / 2;
        snprintf(text, sizeof text, "labels: between %.6g and %.6g", values->min, values->next);
        suggestion_say(out, text);
        suggestion_set(values, half, half, values->min, &out->iso);
        return;
    }
    if (limits->no_highest) {
        snprintf(text, sizeof text, "fill value %.4g left out", values->max);
        suggestion_say(out, text);
    }
    if (limits->no_lowest) {
        snprintf(text, sizeof text, "padding at %.6g left out", values->min);
        suggestion_say(out, text);
    }
    const struct suggestion_kept kept = suggestion_keep(values, limits);
    double found;
    bool rounds = true;
    if (density) {
        suggestion_say(out, "density map: 1 % inside");
        found = suggestion_inside(values, INSIDE_DENSITY);
    } else {
        rounds = suggestion_by_counts(&kept, limits, &found, out);
    }
    const double nice = rounds ? suggestion_rounded(found, limits->high - limits->low) : found;
    suggestion_set(
        values, found, nice, fmax(values_bottom(values, kept.first), kept.rim), &out->iso);
}
