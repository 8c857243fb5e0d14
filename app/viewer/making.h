// A surface that is made part by part, between frames: of a volume that the device has no room for
// at once, or not for its surface beside it. The loop pulls parts; each one's share of the surface
// is kept on the device, cut to size, and the surface before is shown until the new one is whole.
// The mesh of such a surface is made in the same way.
//
// All is held to the budget: parts that stay on the device give way to the surface, and so does at
// last the surface before, of which then only the picture stays.
#pragma once

#include "app/viewer/state.h"

// The view's surface is begun. False: the problem must end the viewer.
bool making_begin(struct viewer *viewer, struct problem *problem);

// The mesh of what is shown is begun; it goes to the exporter.
void making_begin_mesh(struct viewer *viewer);

// Works on what was begun for a moment. False: the problem must end the viewer.
bool making_go_on(struct viewer *viewer, struct problem *problem);

// Gives up what was begun, if anything was.
void making_end(struct viewer *viewer);

// Opens the parts of a document: as one where there is room for that, else as several. What is
// shown makes way for it where need be.
bool making_open_parts(struct viewer *viewer, struct document *document, struct problem *problem);

// The volume that is shown is worked on part by part from now on, as there is too little room
// beside it. False: it stays as it is. None may be begun, and no frame in flight.
bool making_cut(struct viewer *viewer);
