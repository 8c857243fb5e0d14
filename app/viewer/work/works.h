// A work takes longer than an event: reading a volume, making a surface or its mesh, casting rays.
// This header declares what the works of the window share. Works read the settings and never change
// them. A setting that a work cannot honour is noted in `refusal`.
#pragma once

#include "app/picture/renderer.h"
#include "app/settings/settings.h"
#include "app/viewer/base/message.h"
#include "app/viewer/base/meters.h"
#include "app/viewer/base/viewer_params.h"
#include "app/viewer/methods/auto_times.h"
#include "app/viewer/window/window.h"
#include "app/viewer/work/document.h"
#include "compute/mesh/mesh.h"

struct casts;        // casts.c
struct surface_work; // surface_work.c

// What is drawn into. picture_memory.c decides how fine it is.
struct display {
    struct renderer renderer;
    struct picture picture;
    bool blank;          // nothing has been drawn into the picture yet
    bool coarse;         // the picture has coarse edges
    bool coarsened;      // its edges are coarse because memory is short (picture_memory_coarsen)
    bool no_light;       // there was no memory for the light
    uint32_t no_planes;  // the last picture lacks caps (1), or sections (2); 0: neither
    uint64_t coarse_for; // the most device memory that a surface held since `coarsened` was set
    uint64_t refused_at; // device memory in use when there was no memory for a (finer) picture
};

// Settings that a work could not honour. input_refused changes them.
struct refusal {
    bool rays;          // rays cannot be drawn; triangles are drawn instead
    struct problem why; // why rays cannot be drawn, for a message
    bool shadow;        // there is no memory for the shadow
};

struct scene;

struct works {
    const struct viewer_params *params;
    const struct settings *settings;
    struct gpu *gpu;
    struct schedule *schedule;
    struct message *message;
    struct auto_times *auto_times;
    struct document *document;  // the open volume; NULL: none
    struct document *uploading; // the volume that is being uploaded to the device; NULL: none
    VkExtent2D extent;          // size of the window in pixels
    VkRect2D area;              // the part of the window with the scene
    struct display display;
    struct stopwatch timer; // of the frame in flight, or of a cast between frames
    struct meters meters;
    struct casts *casts;
    struct surface_work *surface;
    struct extract *extract;      // makes a surface or its mesh between frames; NULL: none
    const struct cast_pass *pass; // casts rays between frames; NULL: none
    struct mesh mesh;             // mesh of the shown surface, for a file
    bool has_mesh;                // `mesh` is complete and waits for the exporter
    struct refusal refusal;
};

void works_redraw(struct works *works); // the scene has changed

// NULL if the method can run here, on the open volume if there is one; otherwise the reason.
const char *works_refuses(const struct works *works, const struct method *method);

bool works_wants_surface(const struct works *works); // a surface begun last is not the view's

// Call it when the view may have changed: surfaces follow contours that are added or removed. No
// frame may be in flight.
void works_arrange(struct works *works);

// The surfaces that were refused or dropped for lack of memory are due again.
void works_retry(struct works *works);

// The picture is lost, and with it what is left of dropped surfaces. Those that are not being made
// are due again.
void works_lose_picture(struct works *works);

// Sets the surfaces of the contours that the view shows, and the samples that its planes show if
// the device holds the whole volume.
void works_scene(const struct works *works, struct scene *scene);
