#include "app/base/range.h"

#include <math.h>

double range_share(const struct volume_facts *facts, double value)
{
    // Halves avoid an overflow in the difference of extreme floats.
    const double range = facts->max / 2 - facts->min / 2;
    return range > 0 ? (value / 2 - facts->min / 2) / range : 0.5;
}

// Rounds to a decimal grid that is `fineness` digits finer than the range, and clamps to the range.
static double range_rounded(const struct volume_facts *facts, double value, double fineness)
{
    const double range = facts->max / 2 - facts->min / 2;
    double round = value;
    if (range > 0) {
        const double places = fineness - floor(log10(range)), scale = pow(10, fabs(places));
        round = places >= 0 ? nearbyint(value * scale) / scale : nearbyint(value / scale) * scale;
    }
    return fmin(fmax(isfinite(round) ? round : value, facts->min), facts->max);
}

double range_value(const struct volume_facts *facts, double share, double shown)
{
    const double value = facts->min * (1 - share) + facts->max * share;
    return range_rounded(facts, value, 3 - floor(log10(shown)));
}

double range_step(const struct volume_facts *facts, double value, double share)
{
    const double fineness = fmax(5, 2 - floor(log10(fabs(share))));
    return range_rounded(facts, value + (facts->max * share - facts->min * share), fineness);
}

double range_tick(double least)
{
    const double ten = pow(10, floor(log10(least)));
    for (int i = 0; i < 3; i++) {
        const double tick = ten * (double[]){ 1, 2, 5 }[i];
        if (tick >= least) {
            return tick;
        }
    }
    return 10 * ten;
}
