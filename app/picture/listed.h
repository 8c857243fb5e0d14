// Pictures of how a method works: active bricks as boxes, active cells as points, in the colour of
// their place in the list if asked for, and the levels of the HistoPyramid. They are drawn from the
// lists on the device, which the host never sees (compute/extraction/lists.h).
#pragma once

#include "app/settings/view.h"
#include "compute/extraction/lists.h"

// What a view shows where it has these lists (NULL: none): the surface in place of what is not
// there.
enum show listed_shows(const struct view *view, const struct extraction_lists *lists);

// Fills what shaders see of the scene's lists, after what they see of its surface. `samples` per
// pixel; `scale`: of the projection, along x and y.
struct scene;
struct picture_block;
void listed_fill(
    const struct scene *scene, float samples, float scale[2], struct picture_block *out);

// The squares of the HistoPyramid's levels in a picture of so many pixels, from the base on, which
// is lowest: left, top, and side. Squares beyond the apex are not drawn.
#define LISTED_LEVELS 16
void listed_squares(float width, float height, float squares[LISTED_LEVELS][3]);
