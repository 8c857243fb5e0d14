// Rays in the window: a cast of the picture, which frames record. While something moves on a device
// that draws by the CPU, a draft is cast, with fewer rays than pixels. A picture in full that is
// slow is cast in bands, a frame each; drafts.h says how large. The draft stays until all are cast.
// Where not all can be kept until then, each is drawn over the draft at once. What moves cancels
// the bands that are left. A frame has one cast at most.
//
// What the rays of a picture in full have hit is kept (kept_hits.h). Until the rays change it is
// drawn from that: another light or colour casts nothing.
//
// A volume in parts is cast between frames, part by part, as a surface is made. A frame then draws
// the hits; while something moves they are those of a draft.
#pragma once

#include "app/viewer/work/cast_times.h"
#include "app/viewer/work/works.h"

// Offers the budget to give up casts while triangles are drawn. PROBLEM_HOST_MEMORY.
bool casts_create(struct works *works, struct problem *problem);
void casts_destroy(struct works *works); // also what was not created. No frame may be in flight

// Whether a frame can cast the rays of the view: they are wanted, and casts_fit has made what they
// need.
bool casts_ready(const struct works *works);
// Sets the members that are about rays, but `rays`.
void casts_situation(const struct works *works, struct situation *out);

// Before a frame is recorded, and while none is in flight: makes what the view's rays need, with
// room for the window's picture, and finds what of the last picture can stay. Where rays cannot be
// drawn, the refusal says why. False: the problem must end the viewer.
bool casts_fit(struct works *works, struct problem *problem);

// Records the cast for this frame's scene, whose view, placement and area are set, and sets what of
// the picture is drawn. `picture` is not PICTURE_STAYS. While further bands follow, returns
// PICTURE_DRAFT, or PICTURE_STAYS where nothing is to be drawn yet.
enum due_picture
casts_record(struct works *works, struct run *run, struct scene *scene, enum due_picture picture);

// After the frame's fence. `ms`: of the stages of its timer. Whether the frame has cast rays.
bool casts_collect(struct works *works, const double ms[STOPWATCH_STAGES]);

// Begins a cast of the view's rays between frames, as a draft or in full; no other one is running,
// and no extraction. Where rays cannot be drawn, it does as casts_fit.
bool casts_begin(struct works *works, enum due_picture picture, struct problem *problem);
// Continues the running cast for some milliseconds. Errors: as casts_begin.
bool casts_next(struct works *works, struct problem *problem);
// Ends the running cast, if there is one. Drops its hits and those of the cast before it.
void casts_end(struct works *works);

// After the view may have changed: finds whether the cast between frames that is running, or the
// last one, is outdated.
void casts_look(struct works *works);

// Rays for a file's picture of this size, of this view: the window's, if there is room for a band,
// else its `own`, which is zero at first. Sets the scene's casting, and the caster and the method
// of the view. It may be called again after a failure.
bool casts_for_file(
    struct works *works, VkExtent2D size, struct casting *own, struct scene *scene,
    struct view *view, struct problem *problem);
// The file's picture is made, or not. What the window's rays had hit is gone if they were used.
void casts_end_for_file(struct works *works, struct casting *own, const struct scene *scene);

// The picture shows something else than rays.
void casts_leave_picture(struct works *works);

const struct cast_times *casts_so_far(const struct works *works); // of the picture that is drawn
const struct cast_times *casts_last(const struct works *works);   // of the last one; NULL: none
// What compacts rays; NULL: the default method.
const struct method *casts_prepared(const struct works *works);

// Frees what casts need. No frame may be in flight.
void casts_drop(struct works *works);
