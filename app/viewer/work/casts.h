// Rays in the window: a cast of the picture, which frames record. While something moves on a device
// that draws by the CPU, a draft is cast, with fewer rays than pixels. A picture in full that is
// slow is cast and drawn in bands, a frame each, over the draft; drafts.h says how large. What
// moves cancels the bands that are left. A frame has one cast at most.
//
// What the rays of a picture in full have hit is kept (kept_hits.h). Until the rays change it is
// drawn from that: another light or colour casts nothing.
//
// A volume in parts is cast between frames, part by part, as a surface is made. A frame then draws
// the hits; while something moves they are those of a draft.
#pragma once

#include "app/viewer/state.h"

// Before a frame is recorded, and while none is in flight: makes what the view's rays need, with
// room for the window's picture, and finds what of the last picture can stay. Where rays cannot be
// drawn, a message says why and the view goes back to triangles. False: the problem must end the
// viewer.
bool casts_fit(struct viewer *viewer, struct problem *problem);

// Records the cast for this frame's scene, whose view, placement and area are set, and sets what of
// the picture is drawn. `picture` is not PICTURE_STAYS. Returns PICTURE_DRAFT while further bands
// follow.
enum due_picture
casts_record(struct viewer *viewer, struct run *run, struct scene *scene, enum due_picture picture);

// After the frame's fence. `ms`: of the stages of its timer.
void casts_collect(struct viewer *viewer, const double ms[STOPWATCH_STAGES]);

// Begins a cast of the view's rays between frames, as a draft or in full; no other one is running,
// and no extraction. Where rays cannot be drawn, it does as casts_fit.
bool casts_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem);
// Continues the running cast for some milliseconds. Errors: as casts_begin.
bool casts_next(struct viewer *viewer, struct problem *problem);
// Ends the running cast, if there is one. Drops its hits and those of the cast before it.
void casts_end(struct viewer *viewer);

// After the view may have changed: finds whether the cast between frames that is running, or the
// last one, is outdated.
void casts_look(struct viewer *viewer);

// Makes a casting of the open volume for so many rays, as the device holds it now: the caller's
// own.
bool casts_create(
    struct viewer *viewer, const struct caster *caster, uint32_t rays, struct casting *out,
    struct problem *problem);

// The casting was used for another picture: what its rays had hit is gone.
void casts_forget(struct viewer *viewer);

// Frees what casts need. No frame may be in flight.
void casts_drop(struct viewer *viewer);

// Lets the budget do so while triangles are drawn.
void casts_offer(struct viewer *viewer);
