// Positions in the range of a volume's samples, as shares from 0 (minimum) to 1 (maximum).
#pragma once

#include "volumes/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

// 0.5 if the range is empty; below 0 or above 1 outside of it.
double range_share(const struct volume_facts *facts, double value);

// The value at a share, where `shown` of the range is shown (1: all). It is rounded to a thousandth
// of what is shown or finer: a decimal number without digits that are finer than a pixel.
double range_value(const struct volume_facts *facts, double share, double shown);

// Moves `value` by a share of the range, but not out of the range. Rounds to a hundredth of a
// thousandth of the range, or of the step where that is finer, so that steps forth and back do not
// collect rounding errors.
double range_step(const struct volume_facts *facts, double value, double share);

// The least of 1, 2, 5, 10, 20, ... and of 0.5, 0.2, 0.1, ... that is at least `least` (> 0).
double range_tick(double least);

#ifdef __cplusplus
}
#endif
