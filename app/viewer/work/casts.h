// Rays in the window. A frame records at most one cast. While something moves and full pictures are
// slow (schedule.h), it casts a draft, which has fewer rays than pixels. A slow full picture is
// cast in bands, one per frame; drafts.h computes their size. The draft stays until all bands are
// cast. If their hits cannot all be kept until then, each band is drawn over the draft at once. A
// movement cancels the bands that are left.
//
// The hits of a full picture are kept (kept_hits.h). Until the rays change, the picture is drawn
// from the kept hits: another light or colour needs no cast.
//
// A large surface of triangles is slow to draw without a GPU. While something moves, rays cast its
// drafts. At rest it is drawn as triangles.
//
// A volume in parts is cast between frames, part by part. A frame then draws the hits. While
// something moves, they are the hits of a draft.
#pragma once

#include "app/viewer/work/cast_times.h"
#include "app/viewer/work/works.h"

// Lets the budget give up casts; while rays are drawn, only the kept hits. PROBLEM_HOST_MEMORY.
bool casts_create(struct works *works, struct problem *problem);
void casts_destroy(struct works *works); // also before casts_create; no frame may be in flight

// Whether a frame can cast the view's rays: the view draws rays, and casts_fit has made what they
// need.
bool casts_ready(const struct works *works);
// Sets all members of `out` that are about rays, except `rays`.
void casts_situation(const struct works *works, struct situation *out);

// Call it before a frame is recorded, while none is in flight. Makes what the rays of the window's
// picture need, and finds out whether their hits are known already. If rays cannot be drawn,
// works->refusal says why. False: the problem must end the viewer.
bool casts_fit(struct works *works, struct problem *problem);

// Whether rays cast the drafts of triangles instead of drawing them, because that is faster. They
// show one opaque contour.
bool casts_drafts(const struct works *works);
// Prepares the rays of these drafts, when the schedule says so. Without the memory for them, drafts
// stay triangles until less memory is in use. Errors: as casts_fit.
bool casts_prepare_drafts(struct works *works, struct problem *problem);
// `view` is a copy of the view. Changes it for such a draft: sets the isovalue of the shown
// surface.
void casts_view_draft(const struct works *works, struct view *view);

// Records the cast of a scene whose view, placement and area are set, and sets which rows of the
// picture the frame draws. `picture` is not PICTURE_STAYS. Returns `picture` if it is complete with
// this frame; PICTURE_DRAFT while bands follow; PICTURE_STAYS if nothing must be drawn yet.
enum due_picture
casts_record(struct works *works, struct run *run, struct scene *scene, enum due_picture picture);

// Call it after the frame's fence. `ms`: times of the timer's stages. True: the frame cast rays.
bool casts_collect(struct works *works, const double ms[STOPWATCH_STAGES]);

// Begins a cast of the view's rays between frames, for a draft or a full picture. No other cast and
// no extraction may be running. Errors: as casts_fit.
bool casts_begin(struct works *works, enum due_picture picture, struct problem *problem);
// Continues the running cast for some milliseconds. Errors: as casts_fit.
bool casts_next(struct works *works, struct problem *problem);
// Ends the running cast, if there is one. Drops its hits and those of the cast before it.
void casts_end(struct works *works);

// Call it when the view may have changed. Finds out whether the view has other rays than the cast
// between frames that is running, or the last one.
void casts_look(struct works *works);

// Prepares rays for a file's picture of this size and view. Uses the window's casting if it has the
// capacity for a band; otherwise creates `own`, which is zero at first. Sets the scene's casting,
// and the view's caster and method. It may be called again after a failure.
bool casts_for_file(
    struct works *works, VkExtent2D size, struct casting *own, struct scene *scene,
    struct view *view, struct problem *problem);
// Ends casts_for_file, also after a failure. Loses the window's hits if its casting was used.
void casts_end_for_file(struct works *works, struct casting *own, const struct scene *scene);

// Begins to measure casts of the view's full picture, which the window casts, too. measures:
// whether the window still shows this view by rays. end: frees what casts_measure has made.
void casts_begin_measuring(struct works *works);
bool casts_measures(const struct works *works);
void casts_end_measuring(struct works *works);
// Casts the whole picture, and waits. No frame may be in flight. Sets the times of `time`, where
// the stages have the names that measurement_stages tells, and the numbers of rays and hits. *whole
// false: it must be made again. `method` compacts the rays of a caster in rounds.
bool casts_measure(
    struct works *works, const struct caster *caster, const struct method *method,
    struct step_time *time, uint64_t counts[2], bool *whole, struct problem *problem);

// Call it when the picture no longer shows rays.
void casts_leave_picture(struct works *works);

const struct cast_times *casts_so_far(const struct works *works); // of this picture; NULL: none
const struct cast_times *casts_last(const struct works *works); // of the last complete one, or NULL
// The method that compacts rays; NULL: the default one.
const struct method *casts_prepared(const struct works *works);

// Frees what casts need. No frame may be in flight.
void casts_drop(struct works *works);
