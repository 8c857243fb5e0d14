// Room on the device for the window's picture. It is made anew whenever the window changes its
// size, and there may be less for it than there was: then it has coarse edges, and at last there is
// none, until the window or what else is on the device is smaller. Nothing of that ends the viewer.
#pragma once

#include "app/viewer/state.h"

// Brings the picture to the window's size. Where the device has no memory for it there is a coarse
// one, or none, and that is told: false is for what must end the viewer.
bool room_fit_picture(struct viewer *viewer, struct problem *problem);

// Makes it coarse, so that a volume or a surface has the room, until the window has another size or
// room_refine; what it shows stays. No frame may be in flight. False: it is coarse already.
bool room_coarsen(struct viewer *viewer);
void room_offer(struct viewer *viewer);                 // to do so where memory is short
uint64_t room_coarse_gain(const struct viewer *viewer); // device memory that this gives back

// Lets it be as fine as there is room for, once nothing is being made.
void room_refine(struct viewer *viewer);
// The same where a surface is whole that takes less than half of what the picture was coarse for.
void room_refine_for_less(struct viewer *viewer);

// Gives up what is on the device only to save time. No frame may be in flight. False: nothing was.
bool room_make(struct viewer *viewer);

// From now on volumes leave free what the picture of a larger window takes, as far as that is not
// too much of the budget; not `generous`: just the panel.
void room_reserve(struct viewer *viewer, bool generous);
