// Which sides of a scene's surface are drawn, so that back faces that nobody can see cost nothing.
#pragma once

#include "app/picture/backs.h"
#include "app/picture/light.h"
#include "app/picture/picture.h"

struct sides {
    VkCullModeFlags culled; // of the whole
    VkCullModeFlags again;  // if not 0: drawn once more, with this culled, within a rectangle
    VkRect2D within, whole; // scissors
};

// Of the surface at source->iso. `mirrored`: by the affine. `area`: what the camera sees. `twice`: the
// surface may be drawn twice. A processor gains by it, because pixels cost more there than vertices.
struct sides sides_of(
    const struct light_source *source, const struct backs_view *view, bool mirrored,
    const struct picture *picture, VkRect2D area, bool twice);
