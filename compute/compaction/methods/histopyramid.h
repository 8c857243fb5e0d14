// The sizes of a HistoPyramid, for tests.
#pragma once

#include "compute/compaction/compaction.h"

// The stored levels over a base of so many texels (leaves): their number, and the number of fours
// (groups of four siblings) in all of them. Level n, from 1 on, has ceil(leaves / 4^(n + 1)) fours,
// and is stored after level n - 1.
struct histopyramid_levels {
    uint32_t count;
    uint64_t fours;
};
struct histopyramid_levels histopyramid_levels(uint32_t leaves);

// Texels of the base for so many lanes of a stream.
uint32_t histopyramid_leaves(uint32_t lanes, enum stream stream);
