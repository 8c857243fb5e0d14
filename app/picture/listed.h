// Pictures of how a method works: active bricks as boxes; active cells as points, coloured by their
// position in the list if asked for; the levels of the HistoPyramid; the slices with the active
// cells in them beside the list of these cells, or beside the levels of the pyramid over them. They
// are drawn from lists on the device, which the host never reads (compute/extraction/lists.h).
#pragma once

#include "app/settings/view.h"
#include "compute/extraction/lists.h"

// What a view shows with these lists (NULL: none). The surface replaces a list that is missing.
enum show listed_shows(const struct view *view, const struct extraction_lists *lists);

// What is drawn for that: the levels of a pyramid over the slices are drawn as the slices are.
enum show listed_draws(const struct view *view, const struct extraction_lists *lists);

// Fills the members of *out for the scene's lists, after those for its surface are filled.
// `samples`: per pixel. `scale`: of the projection, along x and y.
struct scene;
struct picture_block;
void listed_fill(
    const struct scene *scene, float samples, float scale[2], struct picture_block *out);

// The levels of the HistoPyramid as squares in a picture of width x height pixels: left, top and
// side of each. The base is first, and lowest. Squares beyond the apex are not drawn.
#define LISTED_LEVELS 16
void listed_squares(float width, float height, float squares[LISTED_LEVELS][3]);
