// What the kernels of the HistoPyramids and the C side agree on.
#ifndef SHADERS_SHARED_HISTOPYRAMID_H
#define SHADERS_SHARED_HISTOPYRAMID_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

// Outputs per lane of the traversal. Active bricks are too few for more; of cells, a subgroup looks
// only the first of all its outputs up.
#ifdef STREAM_BRICKS
#define LOOKUPS 2
#elif defined(STREAM_CELLS)
#define LOOKUPS 16
#else
#define LOOKUPS 8
#endif

#define CONSTANT_APEX CONSTANT_METHOD // lanes of the workgroup that reduces the small levels

struct histopyramid_own {
    ADDRESS(Uints) masks;              // the base: one per texel
    ADDRESS(Uints) levels;             // all of them
    ADDRESS(Uints) traverse_arguments; // for the traversal
    ADDRESS(Uints) classify_arguments; // brick stream: for who classifies them
    uint leaves;                       // texels of the base that there is room for
    uint level;                        // that the pass reads; in traversal, the last one
    uint top;                          // where that level stands in `levels`, in fours
    uint last;                         // the last level
};

#endif
