// Shared by the kernels of Redzone and the C side.
//
// A list A of n elements loses k elements. Their positions are in a removal list R. The last k
// elements of A are the red zone. Those of them that stay fill the holes before the red zone.
#ifndef SHADERS_SHARED_REDZONE_H
#define SHADERS_SHARED_REDZONE_H

#include "shaders/shared/glue.h"

// Marks an element of the red zone as removed. No element has this value: brick numbers are less
// than 2^21, cell numbers less than 2^30, and the top bit of a kept word is clear.
#define TOMBSTONE 0xffffffffu

// Words of `work`.
#define REDZONE_EDGE    0 // z = n - k: where the red zone begins
#define REDZONE_REMOVED 1 // k: number of removed elements
#define REDZONE_SOURCES 2 // elements of the red zone that stay and have no hole yet
#define REDZONE_TARGETS 3 // holes that have no element yet
#define REDZONE_WORK    4

// Elements of A that a lane tests to make R.
#define REMOVAL_LANES 16

// redzone-2:in-place splits the removals into as many batches as this or fewer, one per workgroup.
// Every batch has a multiple of GROUP removals, except the last one.
#define REDZONE_BATCHES (2 * GROUP)

// Removals per iteration of redzone_one.comp. It has three loops; the last one has at most half as
// many items.
#define REDZONE_TURN (4 * GROUP)

struct redzone_push {
    uint room;     // words of `orphans`: sources from its start, targets backwards from its end
    uint capacity; // capacity of the list
};

#endif
