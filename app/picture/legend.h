// What a picture of the lists shows, in words: the window writes it beside the picture, and
// `render` reports it for a caption.
#pragma once

#include "app/settings/view.h"

#include <stdio.h>

struct extraction_result;

struct legend {
    char title[160];          // empty: there is nothing to say
    char note[240];           // may be empty
    const char *first, *last; // what the ends of the ramp of colours mean; NULL: no colours
    uint32_t levels;          // levels of the HistoPyramid, with base and apex; 0: not shown
    char base[48], apex[48];  // labels of the base and the apex
};

// `method` made the lists; NULL: they are not on the device. `in_parts`: they are not there because
// the surface was made part by part. `result` is of the shown surface.
void legend_of(
    enum show show, const struct extraction_result *result, const struct method *method,
    bool in_parts, const uint32_t dim[3], struct legend *out);

// Writes the legend as one line, with the ends of the ramp of colours.
void legend_put(const struct legend *legend, FILE *file);
