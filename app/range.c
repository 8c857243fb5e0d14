#include "app/range.h"

#include <math.h>

double range_share(const struct volume_facts *facts, double value)
{
    // Halves, so that the difference of extreme floats does not overflow.
    const double range = facts->max / 2 - facts->min / 2;
    return range > 0 ? (value / 2 - facts->min / 2) / range : 0.5;
}

double range_value(const struct volume_facts *facts, double share)
{
    const double value = facts->min * (1 - share) + facts->max * share;
    const double range = facts->max / 2 - facts->min / 2;
    if (!(range > 0)) {
        return value;
    }
    const double places = 3 - floor(log10(range)), scale = pow(10, fabs(places));
    const double round =
        places >= 0 ? nearbyint(value * scale) / scale : nearbyint(value / scale) * scale;
    return isfinite(round) ? fmin(fmax(round, facts->min), facts->max) : value;
}
