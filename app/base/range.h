// Positions in the range of a volume's samples, as shares from 0 (minimum) to 1 (maximum).
#pragma once

#include "volumes/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

// The share of a value: 0.5 if the range is empty, below 0 or above 1 for values outside the range.
double range_share(const struct volume_facts *facts, double value);

// The value at a share. `shown` is the visible share of the range (1: all). Rounds to a thousandth
// of the visible part or finer, so that the number has no digits that are finer than a pixel.
double range_value(const struct volume_facts *facts, double share, double shown);

// Moves `value` by a share of the range, but not out of the range. Rounds to 1e-5 of the range, or
// to 1e-2 of the step if that is finer, so that steps forth and back do not collect rounding
// errors.
double range_step(const struct volume_facts *facts, double value, double share);

// The smallest of the numbers ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, ... that is >= `least` (> 0).
double range_tick(double least);

#ifdef __cplusplus
}
#endif
