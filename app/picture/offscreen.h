// The viewer's picture without a window, drawn in bands. It looks as in the window.
//
// The volume's parts go over several bands at a time, as many as there is memory for. Then they are
// made again for the next bands:
//
//     offscreen_open
//     do: offscreen_add for each part, offscreen_finish while there are further bands
//     canvas_write, offscreen_close
//
// Several ranks (app/ranks) draw one picture together: each adds its own parts, in bands that it
// chooses for itself. The picture is rank 0's; the others do not save it. It is that of one process
// if each part is drawn in the same way there; only lines (wireframe, edges) are not.
#pragma once

#include "app/picture/canvas.h"
#include "app/picture/composite.h"
#include "app/picture/renderer.h"

struct offscreen_params {
    uint32_t width, height;        // pixels
    VkSampleCountFlagBits samples; // of the view; one for rays
    // What is drawn; both outlive the picture. The cubes may be filled after offscreen_bytes.
    const struct volume *volume;
    const struct cubes *cubes;
    bool occlusion;   // of the light
    uint32_t at_once; // bands that are drawn at the same time, see offscreen_fit
};

#define OFFSCREEN_AT_ONCE 256

// Zero-initialised means closed. Do not move the struct while it is open.
struct offscreen {
    struct gpu *gpu;
    struct renderer renderer;
    struct placement placement;
    struct view view;
    struct bands bands;
    uint32_t first, at_once;                    // the bands that are being drawn
    struct picture pictures[OFFSCREEN_AT_ONCE]; // of them
    struct buffer pixels;
    struct composite composite; // open if there are several ranks
    struct canvas canvas;
    struct scene scene;
};

// Sets params->at_once: the bands that a quarter of the free device memory holds, at least one.
void offscreen_fit(const struct gpu *gpu, struct offscreen_params *params);

// The device memory that it needs.
uint64_t offscreen_bytes(const struct gpu *gpu, const struct offscreen_params *params);

// `view` is copied; its camera is set by its start. Collective; all ranks get the camera of rank 0.
bool offscreen_open(
    struct gpu *gpu, const struct view *view, const struct offscreen_params *params,
    struct offscreen *out, struct problem *problem);

// Draws a part of the surface, or of what the view shows of its lists (see struct scene), and waits
// for it. Parts hide each other like one surface. False: the part was not drawn; unless the device
// is lost, the caller may draw it again.
bool offscreen_add(
    struct offscreen *offscreen, const struct surface *surface,
    const struct extraction_lists *lists, struct problem *problem);

// Rays, in place of parts and offscreen_finish: casts and draws one band, of which there is one at
// a time. The casting has room for its pixels, and the view's method is prepared. `parts` and
// `progress`: of a casting in parts. *hits: rays that met the surface. *more: as in
// offscreen_finish.
bool offscreen_cast(
    struct offscreen *offscreen, struct casting *casting, struct parts *parts,
    const struct progress *progress, uint32_t *hits, bool *more, struct problem *problem);

// All parts were added: finishes these bands. Collective: see ranks.h. *more: there are further
// bands, for which all parts must be added again. After the last ones another picture may be drawn
// with another camera of offscreen->view.
bool offscreen_finish(struct offscreen *offscreen, bool *more, struct problem *problem);

void offscreen_close(struct offscreen *offscreen);
