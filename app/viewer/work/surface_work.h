// Makes the surface of the view. A frame does if the volume fits the device. Otherwise it is made
// part by part, between frames: for a volume that does not fit the device as
// a whole, or whose surface does not fit beside it. The loop pulls parts. The surface of each part
// is copied into buffers of the exact size on the device. The old surface is shown until the new
// one is complete. A mesh for export is made in the same way.
//
// Everything stays within the budget. If the surface needs memory, parts on the device are dropped
// first. At last the old surface is dropped, and only its picture stays.
#pragma once

#include "app/viewer/work/works.h"

bool surface_work_create(struct works *works, struct problem *problem); // PROBLEM_HOST_MEMORY
void surface_work_destroy(struct works *works);                         // also what was not created

bool surface_work_joins(const struct works *works); // what is made between frames is the mesh

// For a frame: prepares the view's surface if it is due. Without memory for it the old surface
// stays. False: the problem must end the viewer.
bool surface_work_prepare(struct works *works, bool due, struct problem *problem);
// Whether the frame, or the last one, makes a surface.
bool surface_work_in_frame(const struct works *works);
// The settings of the surface that the frame shows.
const struct surface_settings *surface_work_made(const struct works *works);
// Sets the frame's surfaces and its lists, which the caller keeps until the scene is recorded.
void surface_work_scene(
    const struct works *works, struct scene *scene, struct extraction_lists *lists);
// Records what was prepared.
void surface_work_record(struct works *works, struct run *run);
// After the fence of a frame that recorded it. `rays`: the frame drew rays.
void surface_work_collect(struct works *works, bool rays, struct extraction_result *result);

// Begins the surface of the view between frames. False: the problem must end the viewer.
bool surface_work_begin(struct works *works, struct problem *problem);

// Begins the mesh of the shown surface for the exporter, or fetches it at once if the device has
// it.
void surface_work_begin_mesh(struct works *works);

// `path` is written as soon as the wanted surface is there. A message says so if that takes a
// while.
void surface_work_say_awaited(struct works *works, const char *path);

// Works for a moment on what was begun. False: the problem must end the viewer.
bool surface_work_go_on(struct works *works, struct problem *problem);

// Cancels what was begun, if anything.
void surface_work_end(struct works *works);

// Opens the parts of a document: one part if there is memory for it, else several. If necessary,
// gives up the shown surface for it. *upload: begins to upload the volume; NULL: parts of it will
// be read as needed, so document_arrive may be called at once.
bool surface_work_open_parts(
    struct works *works, struct document *document, struct extract **upload,
    struct problem *problem);
