// The surfaces of a document, and how they are made. Only this room includes it.
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
    uint32_t shown;         // which of them is shown
    bool in_parts;          // the list is shown instead; it was made part by part
    struct surface_list list;
    struct extract_totals totals; // what making it came to
    bool only_picture; // the surface was given up for lack of memory; only its picture is left
};
