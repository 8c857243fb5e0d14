// The rays of a view: those that `compute/casting` casts.
#pragma once

#include "app/picture/view.h"
#include "compute/casting/rays.h"

// The rays of a picture of width x height pixels, with the pixels of the triangles' picture.
void view_rays(
    const struct view *view, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out);
