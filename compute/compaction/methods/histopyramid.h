// What tests look at of a HistoPyramid.
#pragma once

#include "compute/compaction/compaction.h"

// The stored levels over a base with room for so many texels (leaves): how many, and the fours of
// siblings in all of them. Level n, from 1 on, has ceil(leaves / 4^(n + 1)) fours, and follows
// level n - 1.
struct histopyramid_levels {
    uint32_t count;
    uint64_t fours;
};
struct histopyramid_levels histopyramid_levels(uint32_t leaves);

// Texels of the base for so many lanes of a stream.
uint32_t histopyramid_leaves(uint32_t lanes, enum stream stream);
