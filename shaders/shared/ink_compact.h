// Shared by the kernels of ink-compact and the C side.
#ifndef SHADERS_SHARED_INK_COMPACT_H
#define SHADERS_SHARED_INK_COMPACT_H

#include "shaders/shared/glue.h"

#define SECTION 32 // blocks (workgroups) per section

// Words of `blocks`: the ticket; per output and section STATE, DONE, TOTAL, PREFIX; then a count per output
// and block.
#define INK_TICKET        0
#define INK_SECTIONS      1
#define INK_SECTION_WORDS 4
#define INK_READY         1 // all blocks of the section have counted and staged
#define INK_REACHED       2 // the section's prefix is known
#define INK_COPIED        4 // the section's controller copies its elements in the same kernel

#define INK_OUTPUT_SECTIONS(which, sections) (INK_SECTIONS + (which) * (sections) * INK_SECTION_WORDS)
#define INK_OUTPUT_COUNTS(which, outputs, sections, blocks)                                        \
    (INK_OUTPUT_SECTIONS(outputs, sections) + (which) * (blocks))

#endif
