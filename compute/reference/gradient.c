#include "compute/reference/gradient.h"

#include <math.h>

static double gradient_sample(const struct volume *volume, const uint32_t at[3])
{
    return volume_sample(volume, at[0], at[1], at[2]);
}

void gradient_at(const struct volume *volume, const uint32_t at[3], double out[3])
{
    const double here = gradient_sample(volume, at);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t below[3] = { at[0], at[1], at[2] }, above[3] = { at[0], at[1], at[2] };
        below[axis]--;
        above[axis]++;
        const double low = at[axis] > 0 ? gradient_sample(volume, below) : NAN;
        const double high = above[axis] < volume->dim[axis] ? gradient_sample(volume, above) : NAN;
        if (isfinite(low) && isfinite(high)) {
            out[axis] = (high - low) / 2;
        } else if (isfinite(high)) {
            out[axis] = high - here;
        } else if (isfinite(low)) {
            out[axis] = here - low;
        } else {
            out[axis] = 0;
        }
    }
}

double gradient_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
