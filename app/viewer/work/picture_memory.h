// Device memory for the window's picture. The picture is made again whenever the window changes its
// size. If there is less memory than before, the picture has coarse edges, or there is no picture,
// until the window is smaller or memory is freed. None of this ends the viewer.
#pragma once

#include "app/viewer/work/works.h"

// Fits the picture to the window's size. If the device has too little memory, the picture is coarse
// or there is none, and a message says so. False: the problem must end the viewer.
bool picture_memory_fit_picture(struct works *works, struct problem *problem);

// Advice when memory is short, for the end of a sentence: "use a smaller window".
const char *picture_memory_advice(const struct works *works);
// Writes a problem for people that says why there is no surface and what they can do.
void picture_memory_explain(
    const struct works *works, const struct problem *why, struct problem *out);
// Allocates what the light of a full picture needs, or frees it if the picture has no light. If
// memory is short there is no light, and a message says so. No frame may be in flight.
void picture_memory_fit_light(struct works *works);

// Shows why there is no surface. The surface is not begun again by itself.
void picture_memory_refuse(struct works *works, const struct problem *why);

// Makes the picture coarse to free memory for a volume or a surface, until the window changes its
// size or picture_memory_refine is called. The content stays. No frame may be in flight. False: it
// is coarse already.
bool picture_memory_coarsen(struct works *works);
// Lets the budget call picture_memory_coarsen.
void picture_memory_offer(struct works *works);
uint64_t picture_memory_coarse_gain(const struct works *works); // bytes that coarsening would free

// Allows a fine picture again. It is made when no surface is being made.
void picture_memory_refine(struct works *works);
// Calls picture_memory_refine if the complete surface takes less than half of the most memory that
// a surface has held since the picture became coarse.
void picture_memory_refine_for_less(struct works *works);

// Frees what is on the device only to save time. No frame may be in flight. False: nothing was
// freed.
bool picture_memory_make(struct works *works);

// Bytes of device memory that a volume leaves to the picture. `generous`: for the picture of a
// larger window, up to a share of the budget. Otherwise only for this window's coarse picture and
// the panel. 0 if there is no budget.
uint64_t picture_memory_reserve(const struct works *works, bool generous);

// Sets the budget's reserve to that of the volume being uploaded, or else of the open volume. Call
// it when either of them changes.
void picture_memory_keep_reserve(struct works *works);

// Makes what the planes of a scene need. Where caps and sections cannot be drawn, sets scene->atlas
// to NULL, and a message says why. No frame may be in flight.
void picture_memory_fit_planes(struct works *works, struct scene *scene);
