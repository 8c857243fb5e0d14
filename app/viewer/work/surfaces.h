// The surfaces of a document, and how they are made. Only this folder includes this header.
//
// If the volume fits the device as one part, frames record the extraction's steps. They are made
// into the spare one of the slots, which is shown then; the contour's slot before is the spare one.
// Otherwise a surface is made part by part between frames, and is a list of surfaces.
#pragma once

#include "compute/extraction/parts.h"

struct surfaces {
    struct surface slots[CONTOURS_MOST + 1]; // made by frames
    uint32_t spare;                          // index of the slot of the next step
    bool in_parts;                           // the lists are shown; they are made part by part
    struct shown_surface shown[CONTOURS_MOST];
};
