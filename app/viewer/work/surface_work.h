// Makes a surface part by part, between frames. It is for a volume that does not fit the device as
// a whole, or whose surface does not fit beside it. The loop pulls parts. The surface of each part
// is copied into buffers of the exact size on the device. The old surface is shown until the new
// one is complete. A mesh for export is made in the same way.
//
// Everything stays within the budget. If the surface needs memory, parts on the device are dropped
// first. At last the old surface is dropped, and only its picture stays.
#pragma once

#include "app/viewer/state.h"

// Begins the surface of the view. False: the problem must end the viewer.
bool surface_work_begin(struct viewer *viewer, struct problem *problem);

// There is no room for the view's mesh, while rays are drawn, which need none. A message says so.
void surface_work_do_without(struct viewer *viewer, const struct problem *why);

// Begins the mesh of the shown surface for the exporter, or fetches it at once if the device has
// it.
void surface_work_begin_mesh(struct viewer *viewer);

// `path` is written as soon as the wanted surface is there. A message says so if that takes a
// while.
void surface_work_say_awaited(struct viewer *viewer, const char *path);

// Works for a moment on what was begun. False: the problem must end the viewer.
bool surface_work_go_on(struct viewer *viewer, struct problem *problem);

// Cancels what was begun, if anything.
void surface_work_end(struct viewer *viewer);

// Opens the parts of a document: one part if there is memory for it, else several. If necessary,
// gives up the shown surface for it. *upload: begins to upload the volume; NULL: parts of it will
// be read as needed, so document_arrive may be called at once.
bool surface_work_open_parts(
    struct viewer *viewer, struct document *document, struct extract **upload,
    struct problem *problem);

// Divides the shown volume into parts, for a surface that does not fit the device as a whole. False
// if that is not possible, for example because the samples are only on the device. Call it while no
// surface is being made and no frame is in flight.
bool surface_work_divide(struct viewer *viewer);
