// Which sides of a scene's surface are drawn, so that back faces that nobody can see cost nothing.
#pragma once

#include "app/picture/backs.h"
#include "app/picture/picture.h"
#include "app/picture/renderer.h"

struct sides {
    VkCullModeFlags culled; // of the whole
    VkCullModeFlags again;  // if not 0: drawn once more, with this culled, within a rectangle
    VkRect2D within, whole; // scissors
};

// `twice`: the surface may be drawn twice. A processor gains by it, because pixels cost more there
// than vertices.
struct sides sides_of(
    const struct scene *scene, const struct backs_view *view, const struct picture *picture,
    bool twice);
