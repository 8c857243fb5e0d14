// Positions in the range of a volume's samples, as shares from 0 (minimum) to 1 (maximum).
#pragma once

#include "volumes/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

// 0.5 if the range is empty; below 0 or above 1 outside of it.
double range_share(const struct volume_facts *facts, double value);

// The value at a share, rounded to a thousandth of the range or finer: a decimal number without
// digits that are finer than a pixel.
double range_value(const struct volume_facts *facts, double share);

// Moves `value` by a share of the range, but not out of the range. Rounds a hundred times finer, so
// that steps forth and back do not collect rounding errors.
double range_step(const struct volume_facts *facts, double value, double share);

#ifdef __cplusplus
}
#endif
