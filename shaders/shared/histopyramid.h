// Shared by the kernels of the HistoPyramids and the C side.
#ifndef SHADERS_SHARED_HISTOPYRAMID_H
#define SHADERS_SHARED_HISTOPYRAMID_H

#include "shaders/shared/extraction.h"
#include "shaders/shared/glue.h"

#define CONSTANT_APEX CONSTANT_METHOD // lanes of the workgroup that reduces the small levels

struct histopyramid_own {
    uint leaves; // texels of the base that memory was allocated for
    uint level;  // the level that the pass reads; for the traversal, the last level
    uint top;    // offset of that level, in fours
    uint last;   // the last level of the pyramid
};

// The form over the slices as tiles: level n has ceil(w / 2^n) x ceil(h / 2^n) texels, row by row,
// and is stored after level n - 1. All are words of one buffer.
struct atlas_levels_own {
    uint wide, high; // texels of the base
    uint cols;       // tiles side by side
    uint level;      // the level that the pass makes; for the traversal, the last level
    uint offset;     // of that level, in texels
};

#endif
