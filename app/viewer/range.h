// Places in the range of a volume's samples, as shares from 0 (least) to 1 (greatest).
#pragma once

#include "volumes/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

// 0.5 where the range is empty; below 0 or above 1 outside of it.
double range_share(const struct volume_facts *facts, double value);

// The value at a share, rounded to a thousandth of the range or finer: a round number in decimal,
// without digits that no pixel could mean.
double range_value(const struct volume_facts *facts, double share);

// `value` moved on by a share of the range, but not out of it; rounded a hundred times finer, so
// that steps there and back gather no binary dust.
double range_step(const struct volume_facts *facts, double value, double share);

#ifdef __cplusplus
}
#endif
