// The surfaces of a document, and how they are made. Only this folder includes this header.
//
// If the volume fits the device as one part, frames record the extraction's steps, and two surfaces
// take turns. Otherwise the surface is made part by part between frames, and is a list of surfaces.
#pragma once

#include "compute/extraction/parts.h"

// Surfaces on the device that together are one surface.
struct surface_list {
    struct surface *list;
    uint32_t count;
};

struct surfaces {
    struct surface pair[2]; // made by frames
    uint32_t shown;         // index of the shown one in `pair`
    bool in_parts;          // `list` is shown instead of the pair; it is made part by part
    struct surface_list list;
    struct extract_totals totals; // of the extraction of `list`
    bool only_picture; // the surface was given up for lack of memory; only its picture is left
};
