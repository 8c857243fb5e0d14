// Device memory for the window's picture. The picture is made again whenever the window changes its
// size. If there is less memory than before, the picture has coarse edges, or there is no picture,
// until the window is smaller or memory is freed. None of this ends the viewer.
#pragma once

#include "app/viewer/work/works.h"

// Fits the picture to the window's size. If the device has too little memory, the picture is coarse
// or there is none, and a message says so. False: the problem must end the viewer.
bool picture_memory_fit_picture(struct works *works, struct problem *problem);

// What the person can do when memory is short: "use a smaller window", for the end of a sentence.
const char *picture_memory_advice(const struct works *works);
// Why there is no surface, for people: if memory is short, with what they can do.
void picture_memory_explain(
    const struct works *works, const struct problem *why, struct problem *out);
// Makes room for the light of a picture in full, and frees what a picture without light does not
// need. Without memory for it there is none, and a message says so. No frame may be in flight.
void picture_memory_fit_light(struct works *works);

// Shows why there is no surface. It is not begun again by itself.
void picture_memory_refuse(struct works *works, const struct problem *why);

// Makes the picture coarse to free memory for a volume or a surface, until the window changes its
// size or picture_memory_refine is called. The content stays. No frame may be in flight. False: it
// is coarse already.
bool picture_memory_coarsen(struct works *works);
void picture_memory_offer(struct works *works);                 // lets the budget do so
uint64_t picture_memory_coarse_gain(const struct works *works); // device memory that this frees

// Allows a fine picture again, which is made when no surface is being made.
void picture_memory_refine(struct works *works);
// The same, if the complete surface takes less than half of the memory for which the picture became
// coarse.
void picture_memory_refine_for_less(struct works *works);

// Frees what is on the device only to save time. No frame may be in flight. False: nothing was
// freed.
bool picture_memory_make(struct works *works);

// Device memory that a volume leaves to the picture: for that of a larger window, up to a share of
// the budget. Not `generous`: only for this window's coarse picture and the panel. 0 without a
// budget.
uint64_t picture_memory_reserve(const struct works *works, bool generous);

// Enforces the reserve of the volume that is being opened, or else of the open one. Call it when
// one of these changes.
void picture_memory_keep_reserve(struct works *works);
