// Makes the surface of the view. A frame makes it if the device has memory for the whole volume and
// the surface. Otherwise it is made part by part, between frames: the loop asks for one part after
// the other. The surface of each part is copied into buffers of the exact size on the device. The
// old surface is shown until the new one is complete. A mesh for export is made in the same way.
//
// Everything stays within the budget. If the surface needs memory, parts on the device are dropped
// first. At last the old surface is dropped, and only its picture stays.
#pragma once

#include "app/viewer/work/works.h"

bool surface_work_create(struct works *works, struct problem *problem); // PROBLEM_HOST_MEMORY
void surface_work_destroy(struct works *works); // works->surface may be NULL

bool surface_work_joins(const struct works *works); // a mesh is being made between frames

// For a frame: prepares the view's surface if it is due. If there is no memory for it, the old
// surface stays. False: the problem must end the viewer.
bool surface_work_prepare(struct works *works, bool due, struct problem *problem);
// Whether the last surface_work_prepare has prepared a surface, which its frame makes.
bool surface_work_in_frame(const struct works *works);
// The settings of the surface that the frame shows.
const struct surface_settings *surface_work_made(const struct works *works);
// Sets the scene's surfaces and lists. The caller keeps `lists` until the scene is recorded.
void surface_work_scene(
    const struct works *works, struct scene *scene, struct extraction_lists *lists);
// Records the surface that was prepared.
void surface_work_record(struct works *works, struct run *run);
// Collects a recorded surface after its frame's fence. `rays`: the frame drew rays.
void surface_work_collect(struct works *works, bool rays, struct extraction_result *result);

// Begins the surface of the view between frames. False: the problem must end the viewer.
bool surface_work_begin(struct works *works, struct problem *problem);

// Begins the mesh of the shown surface for the exporter, or fetches it at once if the device has
// it.
void surface_work_begin_mesh(struct works *works);

// If the wanted surface is made part by part, a message says that `path` is written after it is
// complete.
void surface_work_say_awaited(struct works *works, const char *path);

// Continues the surface or mesh for some milliseconds. False: the problem must end the viewer.
bool surface_work_go_on(struct works *works, struct problem *problem);

// Cancels the surface or mesh that is being made between frames, if any.
void surface_work_end(struct works *works);

// Opens the parts of a document: one part if there is memory for it, else several. If necessary,
// gives up the shown surface for them. *upload: the extraction that uploads the volume. NULL: parts
// of the volume will be read as needed, so document_arrive may be called at once.
bool surface_work_open_parts(
    struct works *works, struct document *document, struct extract **upload,
    struct problem *problem);
