// What the window writes beside a picture of the lists: what they are, and what the colours mean.
#pragma once

#include "app/picture/view.h"

struct extraction_lists;
struct extraction_result;

struct legend {
    char title[160];          // empty: there is nothing to say
    char note[240];           // may be empty
    const char *first, *last; // what the ends of the ramp of colours mean; NULL: no colours
    uint32_t levels;          // of the HistoPyramid, with base and apex; 0: none is shown
    char base[48], apex[48];  // what stands beside them
};

// `lists`: NULL where they are not on the device; `in_parts`: because the surface was made part by
// part. `result` is of the shown surface.
void legend_of(
    enum show show, const struct extraction_result *result, const struct extraction_lists *lists,
    bool in_parts, const uint32_t dim[3], struct legend *out);
