// What the kernels of Redzone and the C side agree on.
//
// A list A of n elements loses the k of them whose positions stand in a removal list R. Its last k
// elements are the red zone: what stays of them fills the holes in front of it.
#ifndef SHADERS_SHARED_REDZONE_H
#define SHADERS_SHARED_REDZONE_H

#include "shaders/shared/glue.h"

// Marks an element of the red zone as removed: a value that no element has. Bricks are less than
// 2^21, cells than 2^30, and a kept word has its top bit clear.
#define TOMBSTONE 0xffffffffu

// Words of `work`.
#define REDZONE_EDGE    0 // z = n - k: where the red zone begins
#define REDZONE_REMOVED 1 // k
#define REDZONE_SOURCES 2 // elements of the red zone that stay and have no hole yet
#define REDZONE_TARGETS 3 // holes that have no element yet
#define REDZONE_WORK    4

// Elements of A that a lane looks at where R is made.
#define REMOVAL_LANES 16

// In one workgroup: removals of a turn, and at most; three loops, the last over half of them.
#define REDZONE_TURN    (4 * GROUP)
#define REDZONE_LARGEST 0x1000000

// Of the kernel that lets what is new join a kept list.
struct removal_enter_own {
    ADDRESS(Uints) now;        // per lane that there could be: what the stream keeps; 0 at first
    ADDRESS(ReadUints) before; // the same of the run before
};

struct redzone_push {
    ADDRESS(ListCounter) counter; // A
    ADDRESS(Uints) list;
    ADDRESS(ListCounter) removals_counter; // R
    ADDRESS(Uints) removals;
    ADDRESS(Uints) kept;      // one word: elements of A that were there before this run's joined
    ADDRESS(Uints) work;      // REDZONE_WORK words
    ADDRESS(Uints) orphans;   // sources from its start on, targets from its end backwards
    ADDRESS(ReadUints) masks; // live: what the lanes of the stream keep now
    ADDRESS(WriteUints) arguments;
    ADDRESS(Uints) events;
    uint room; // words of `orphans`
};

#endif
