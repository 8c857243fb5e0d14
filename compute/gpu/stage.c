#include "compute/gpu/stage.h"

struct stage stage_of(enum stage_kind kind)
{
    static const char *const names[STAGE_KINDS] = {
        [STAGE_PASS] = "pass",
        [STAGE_BRICK_REMOVALS] = "brick removals",
        [STAGE_BRICKS] = "bricks",
        [STAGE_CLASSIFY] = "classify",
        [STAGE_CELL_REMOVALS] = "cell removals",
        [STAGE_CELLS] = "cells",
        [STAGE_VERTICES] = "vertices",
        [STAGE_TRIANGLES] = "triangles",
        [STAGE_FINISH] = "finish",
        [STAGE_COUNTERS] = "heads",
        [STAGE_COPY] = "copy into place",
        [STAGE_ADDED] = "added words",
        [STAGE_MARK] = "mark",
        [STAGE_WORD_REMOVALS] = "removal list",
        [STAGE_COMPACTION] = "compaction",
        [STAGE_UPDATE] = "update",
        [STAGE_GENERATE] = "generate",
        [STAGE_MARCH] = "march",
        [STAGE_TRAVERSE] = "traverse",
        [STAGE_INTERSECT] = "intersect",
        [STAGE_TAIL] = "tail",
        [STAGE_POINTS] = "points",
        [STAGE_EXTRACTION] = "extraction",
        [STAGE_PICTURE] = "picture",
        [STAGE_PANEL] = "panel",
    };
    return (struct stage){ kind, names[kind] };
}
