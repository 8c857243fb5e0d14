#include "app/viewer/range.h"

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

double range_value(const struct volume_facts *facts, double share)
{
    return range_rounded(facts, facts->min * (1 - share) + facts->max * share, 3);
}

double range_step(const struct volume_facts *facts, double value, double share)
{
    return range_rounded(facts, value + (facts->max * share - facts->min * share), 5);
}
