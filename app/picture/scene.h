// What a picture shows.
#pragma once

#include "app/picture/cast_show.h"
#include "app/picture/light.h"
#include "app/settings/view.h"
#include "compute/extraction/lists.h"

struct scene {
    const struct view *view;
    const struct placement *placement; // NULL: only the background
    const struct surface *surface;     // its draw[0]; may be NULL
    uint32_t further;                  // number of further surfaces in the array after `surface`
    const struct surface *fallback;    // its draw[1]; may be NULL
    // Of the step that made the surface; shaders can read them. NULL: the view's surface is shown
    // whatever else it shows.
    const struct extraction_lists *lists;
    // Rays in place of the surface, set by scene_set_cast: renderer_cast casts them first. NULL:
    // the surface.
    struct casting *casting;
    struct cast cast;
    struct cast_place cast_place;
    // For whoever draws by scene_draw: the `scale` of scene_set_cast (0: 1); and if the casting is
    // in parts, these. No extraction of them may be in progress.
    uint32_t rays_side;
    struct parts *parts;
    const struct progress *progress; // of their casts; NULL: none
    bool by_rays; // set by scene_set_cast: drawn with one sample per pixel, see rays.frag
    // What the camera sees: its place in the picture, whose rest the background fills. Or it is
    // larger than the picture, which then shows a part of it.
    VkRect2D area;
    bool for_file; // a transparent background is left out: colours premultiplied by coverage
    bool draft;    // one sample per pixel and no occlusion: several times faster without a GPU
    // The occlusion. There is none without room for it, see renderer.light.
    struct light_source light;
    // A scene may be drawn in several parts, each with its own surfaces, of the same style and
    // size, into a picture that nothing else draws into meanwhile:
    bool continued;  // drawn over the part before, which was `unfinished`
    bool unfinished; // keeps samples and depth for the part that follows
    // Of a picture that is sampled and has been drawn whole before: draws only these pixels again.
    // The rest stays. Without extent: all.
    VkRect2D within;
};

// Whether the scene's picture has an alpha channel: where nothing is drawn, it is 0.
bool scene_is_transparent(const struct scene *scene);

// Sets the cast of a scene with rays: of these pixels of the picture. `scale`: the side of the
// squares of pixels that share a ray, a power of two below 8. If it is 1, the scene is no draft,
// and the casting has edges, the cast has them and a border (cast_bordered). The view's shadow, if
// the casting has it, needs the border, too; but drafts have it without.
void scene_set_cast(struct scene *scene, VkRect2D pixels, uint32_t scale);
