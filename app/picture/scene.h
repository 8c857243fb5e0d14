// What a picture shows.
#pragma once

#include "app/picture/cast_show.h"
#include "app/picture/light.h"
#include "app/settings/view.h"
#include "compute/extraction/lists.h"

// What is drawn of a contour.
struct scene_contour {
    const struct surface *surface;  // drawn by its draw[0]; may be NULL
    uint32_t further;               // number of further surfaces in the array after `surface`
    const struct surface *fallback; // drawn by its draw[1]; may be NULL
    double iso;                     // of the surface
};

struct scene {
    const struct view *view;
    const struct placement *placement; // NULL: only the background
    struct scene_contour contours[CONTOURS_MOST];
    // Lists of the step that made the surface; shaders can read them. NULL: the surface is shown,
    // even if the view asks for lists.
    const struct extraction_lists *lists;
    // Rays in place of the surface; renderer_cast casts them before the scene is drawn.
    // scene_set_cast sets the cast and its place. NULL: the surface is drawn.
    struct casting *casting;
    struct cast cast;
    struct cast_place cast_place;
    // Only for scene_draw: the `scale` of scene_set_cast (0 means 1), and the parts of a casting in
    // parts. No extraction of these parts may be in progress.
    uint32_t rays_side;
    struct parts *parts;
    const struct progress *progress; // of casts in parts; NULL: none
    // The samples that caps and sections show: the volume's, or those of a part. NULL: the scene
    // has no caps and no sections. grey: the values that are drawn black and white (view_grey).
    const struct atlas *atlas;
    double grey[2];
    bool by_rays; // set by scene_set_cast: drawn with one sample per pixel, see rays.frag
    // The rectangle of the picture that the camera's view fills; the background fills the rest. If
    // it is larger than the picture, the picture shows a part of it.
    VkRect2D area;
    bool for_file; // a transparent background is not drawn; colours are premultiplied by coverage
    bool draft;    // one sample per pixel and no occlusion: several times faster without a GPU
    // The occlusion. It is only drawn if renderer.light has its buffers.
    struct light_source light;
    // A scene may be drawn in several parts, each with its own surfaces, of the same style and
    // size, into a picture that nothing else draws into meanwhile:
    bool continued;  // drawn over the part before, which was `unfinished`
    bool unfinished; // a part follows: the picture keeps its pixels' samples and depth
    // Draws only these pixels again, and keeps the rest. The picture must be sampled, and have been
    // drawn whole before. Extent 0: draws all pixels.
    VkRect2D within;
};

// Sets the scene's light: what the opaque contours that the view shows enclose takes light, but not
// what the view's planes remove of it. The placement must be set.
void scene_set_light(struct scene *scene, const struct cubes *cubes);

// Whether the scene's picture has an alpha channel, which is 0 where nothing is drawn.
bool scene_is_transparent(const struct scene *scene);

// The view's planes that cut, in grid units. One that removes nothing has no cap where it touches
// the volume's box: it is moved away.
void scene_cuts(const struct scene *scene, struct cuts *out);

// What the view shows in grey: caps and sections.
struct greys scene_greys(const struct scene *scene);

// Sets the cast of a scene with rays, for these pixels of the picture. `scale`: the side of the
// squares of pixels that share a ray, a power of two below 8. A full picture (`scale` 1, no draft)
// has the casting's edges, and for edges or shadow a border around the pixels (cast_bordered). It
// has the view's shadow if the casting can make one. Drafts have a shadow without a border.
void scene_set_cast(struct scene *scene, VkRect2D pixels, uint32_t scale);
