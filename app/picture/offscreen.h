// The viewer's picture without a window, drawn in bands. It looks as in the window.
//
// Each part of the volume is drawn into several bands at a time, as many as memory allows. Then the
// parts are made again for the next bands:
//
//     offscreen_open
//     do: offscreen_add for each part, offscreen_finish while there are further bands
//     canvas_write, offscreen_close
//
// Several ranks (app/ranks) draw one picture together: each adds its own parts, to as many bands at
// a time as it chooses. Rank 0 has the picture; the others save nothing. It equals the picture of
// one process that draws each part in the same way; only lines (wireframe, edges) differ.
#pragma once

#include "app/picture/canvas.h"
#include "app/picture/composite.h"
#include "app/picture/renderer.h"

struct offscreen_params {
    uint32_t width, height;        // pixels
    VkSampleCountFlagBits samples; // as the view says; one for rays
    // What is drawn. Both must outlive the picture. The cubes may be filled after offscreen_bytes.
    const struct volume *volume;
    const struct cubes *cubes;
    bool occlusion;   // the light has occlusion
    bool planes;      // the view has caps or sections, see scene.atlas
    uint32_t at_once; // bands that are drawn at the same time, see offscreen_fit
};

#define OFFSCREEN_AT_ONCE 256

// Zero-initialised means closed. Do not move the struct while it is open.
struct offscreen {
    struct gpu *gpu;
    struct renderer renderer;
    struct placement placement;
    struct view view;
    const struct cubes *cubes;
    struct bands bands;
    uint32_t first, at_once;                    // first band being drawn, and their number
    struct picture pictures[OFFSCREEN_AT_ONCE]; // one for each of these bands
    struct buffer pixels;
    struct composite composite; // open if there are several ranks
    struct canvas canvas;
    struct scene scene;
};

// Sets params->at_once: the bands that a quarter of the free device memory holds, at least one.
void offscreen_fit(const struct gpu *gpu, struct offscreen_params *params);

// The device memory that an offscreen picture needs.
uint64_t offscreen_bytes(const struct gpu *gpu, const struct offscreen_params *params);

// Copies `view`; view->start sets the copy's camera. Collective; all ranks get the camera of rank
// 0.
bool offscreen_open(
    struct gpu *gpu, const struct view *view, const struct offscreen_params *params,
    struct offscreen *out, struct problem *problem);

// Draws a part of a contour's surface, or its lists if the view shows them (see struct scene).
// Waits for the device. Parts hide each other like one surface. False: the part was not drawn;
// unless the device is lost, the caller may draw it again.
bool offscreen_add(
    struct offscreen *offscreen, uint32_t contour, const struct surface *surface,
    const struct extraction_lists *lists, struct problem *problem);

// For rays, in place of offscreen_add and offscreen_finish: casts and draws the next band. The
// casting must be prepared for the view's method, with capacity for the band's pixels. `parts` and
// `progress`: for a casting in parts. *hits: rays that met the surface. *more: as in
// offscreen_finish.
bool offscreen_cast(
    struct offscreen *offscreen, struct casting *casting, struct parts *parts,
    const struct progress *progress, uint32_t *hits, bool *more, struct problem *problem);

// Finishes the bands, after all parts were added. Collective: see ranks.h. *more: there are further
// bands, for which all parts must be added again. After the last bands another picture may be
// drawn, with another camera in offscreen->view.
bool offscreen_finish(struct offscreen *offscreen, bool *more, struct problem *problem);

void offscreen_close(struct offscreen *offscreen);
