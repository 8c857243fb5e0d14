// Rays of a volume in parts: they are cast over the parts between frames, as a surface is made. A
// frame then draws the hits. While something moves it is a draft, with fewer rays than pixels.
#pragma once

#include "app/viewer/state.h"

// Begins a cast of the view's rays, as a draft or in full; no other one is running, and no
// extraction. What they need is there. On false casts_parts_end may follow.
bool casts_parts_begin(struct viewer *viewer, enum due_picture picture, struct problem *problem);

// Goes on with it for about so many milliseconds. The same.
bool casts_parts_go_on(struct viewer *viewer, double ms, struct problem *problem);

// Ends it, if one is running. Its hits, and those before it, are gone.
void casts_parts_end(struct viewer *viewer);

// Whether the hits that there are are those of the view's picture in full.
bool casts_parts_steady(const struct viewer *viewer);

// After the view may have changed: finds whether the cast that is running, or the last one, is
// outdated.
void casts_parts_look(struct viewer *viewer);

// Records the colours of the hits for this frame's scene, and sets what is drawn of it. If the view
// has moved since their cast, it is drawn as it was then.
void casts_parts_record(struct viewer *viewer, struct run *run, struct scene *scene);
