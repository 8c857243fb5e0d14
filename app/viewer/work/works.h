// A work is what takes longer than an event: reading a volume, a surface, its mesh, rays. This is
// what the works of the window share: what they work on, what they draw into, and whom they tell.
// They read the settings and never change them: what cannot be done is left in `refusal`.
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
    bool coarse;         // the picture is coarse
    bool coarsened;      // coarse by picture_memory_coarsen
    bool no_light;       // there was no memory for it
    uint64_t coarse_for; // since it is coarse: the most device memory of a surface
    uint64_t refused_at; // device memory in use when there was no memory for a (finer) picture
};

// Settings that cannot be as the person has set them: the window changes them.
struct refusal {
    bool rays;          // triangles are drawn instead,
    struct problem why; // and a message says this
    bool shadow;        // there is no memory for it
};

struct works {
    const struct viewer_params *params;
    const struct settings *settings;
    struct gpu *gpu;
    struct schedule *schedule;
    struct message *message;
    struct auto_times *auto_times;
    struct document *document;  // the open volume; NULL: none
    struct document *uploading; // the one that is being uploaded to the device; NULL: none
    VkExtent2D extent;          // of the window
    VkRect2D area;              // the part of it with the scene
    struct display display;
    struct stopwatch timer; // of the frame in flight; of a cast between frames
    struct meters meters;
    struct casts *casts;
    struct surface_work *surface;
    struct extract *extract;      // makes a surface or its mesh between frames; NULL: none
    const struct cast_pass *pass; // casts rays between frames; NULL: none
    struct mesh mesh;             // of the shown surface, for a file:
    bool has_mesh;                // it is complete, and the caller takes it
    struct refusal refusal;
};

void works_redraw(struct works *works); // the scene has changed

// NULL if the method can run here, on the open volume if there is one; otherwise the reason.
const char *works_refuses(const struct works *works, const struct method *method);

bool works_wants_surface(const struct works *works); // another than the one that was begun last
