// What the parts of the viewer share: one struct, and one file of functions per concern.
#pragma once

#include "app/base/choices.h"
#include "app/picture/renderer.h"
#include "app/viewer/bindings.h"
#include "app/viewer/swapchain.h"
#include "app/viewer/ui_draw.h"
#include "app/viewer/viewer.h"
#include "app/viewer/viewer_export.h"
#include "app/viewer/viewer_load.h"
#include "app/viewer/viewer_trace.h"
#include "app/viewer/window.h"
#include "compute/compaction/calibrate.h"
#include "compute/extraction/slabs.h"

// A surface in parts.
struct parts {
    struct surface *list;
    uint32_t count;
};

// A volume that is worked on slab by slab, because the device has no room for all of it at once, or
// for its surface beside it.
struct opened_slabs {
    struct slabs *slabs; // NULL: it is not
    struct volume_file file;
    struct slice_range *ranges;
    struct atlas_source source;
    bool several;               // slabs, even where one has room for the samples
    struct parts shown;         // the last whole surface; nothing while `blind`
    bool blind;                 // there was no room for it and the next one: its picture stays
    struct slabs_result result; // what it came to
};

// A volume on the device and all that was made from it. Stays where it was allocated: the
// extraction knows the atlas by address.
struct opened {
    char *path;           // NULL: the generated volume
    const char *name;     // the path's last part, for people
    struct volume volume; // with samples only where slabs may need them and no file has them
    struct volume_facts facts;
    struct placement placement;
    struct atlas atlas;
    struct extraction *extraction;
    struct opened_slabs in;
    struct surface surfaces[2];
    uint32_t shown;   // which of them is to be seen
    uint64_t reserve; // that the device kept for the picture when there was room for the volume
    bool knows_times; // the extraction goes by the viewer's times where the method is `auto`
    bool has_result;  // the shown one is whole, and this is what it came to
    struct extraction_result result;
    struct {
        double ms; // that compaction last took with this method; 0: not known yet
        double iso;
        bool tried; // once: the first step of a method may be slow, and does not count,
        bool again; // and once more: by a step that does
    } took[UI_METHODS];
};

// The one frame in flight.
struct frame {
    VkCommandBuffer cmd;
    VkFence fence;
    struct stopwatch timer;
    bool in_flight;
    bool extracting; // it makes surfaces[target]: the one that is not shown,
    bool moving;     // or the shown one, of which only the vertices move
    bool anew;       // without what the step before has left
    bool every_brick;
    uint32_t target;
    double iso; // that it was asked for
    const struct method *method;
    bool draws_panel;
    bool draws_full; // it draws the scene, and not as a draft
    double cpu_ms;
    uint32_t width, height;
};

// What the person has set: kept when a lost device makes everything be opened anew.
struct chosen {
    double iso;
    bool iso_is_auto;
    const struct method *method;
    bool every_brick; // visited, also those that the isovalue misses
    struct camera camera;
    enum up up; // the volume's own until `up_is_chosen`
    bool up_is_chosen;
    bool wireframe, edges, box, axes, timings, panel;
    float text_scale; // times what the display asks for
};

// What a message is about that goes by itself.
enum about {
    ABOUT_OTHERS,
    ABOUT_SURFACE, // has no room: gone with the next that has
    ABOUT_PICTURE, // the same
};

struct viewer {
    const struct viewer_params *params;
    struct window *window;
    struct gpu gpu;
    struct swapchain swapchain;
    struct renderer renderer;
    struct picture picture;
    struct ui *ui;
    struct ui_draw ui_draw;
    struct opened *opened;     // NULL: no volume is open
    struct loader *loader;     // NULL: nothing is being read
    struct upload *upload;     // NULL: nothing is on its way to the device
    struct exporter *exporter; // NULL: no mesh is being written
    double walk_share;         // of the slabs that the next surface is made from; below 0: no walk
    bool loading_as_told;      // with the options of the command line
    bool resuming;             // what is being loaded was open before: what is chosen stays
    bool shown;                // the window is to be seen
    char *place;               // last path that was tried: where the next file is looked for from
    int stepping;              // Left or Right asked for what is loaded: -1 or +1; 0: neither
    uint32_t steps_left;       // files of the folder that it has not been offered yet
    uint32_t stepped_over;     // those on the way that could not be read
    struct frame frame;
    struct trace *trace;

    struct chosen chosen;

    // What of it was last tried: a step is due when they differ.
    double tried_iso;
    const struct method *tried_method;
    bool tried_every_brick;
    bool tried;
    uint32_t attempts; // in a row at one step that was never whole

    bool help;
    bool sweeping;
    bool hidden;          // there is no window to draw in: it is minimised
    bool surface_refused; // what was last tried had no room
    double sweep_phase, sweep_time;

    int drag; // enum window_button + 1 while the mouse moves the camera; 0: none
    int drag_mods;
    float cursor[2];

    uint32_t redraw;     // frames that are still to be drawn although nothing is new: the panel
                         // takes two to settle
    uint64_t refused_at; // device memory held, when there was no room for a (finer) picture
    bool picture_is_coarse;
    bool coarsened;        // on purpose: see viewer_coarsen
    uint64_t coarse_for;   // device memory of the largest surface since
    bool picture_is_old;   // the scene must be drawn again
    bool picture_is_draft; // and in full as soon as nothing moves
    double moved;          // when it last had to be drawn anew
    double full_ms;        // what the last picture in full took on the device
    bool quit;
    uint64_t frames; // finished ones that showed a volume
    float history[UI_HISTORY];
    uint32_t history_count;
    double gpu_ms, fps, frame_time;

    char message[1000];
    bool message_is_error;
    enum about message_about;
    double message_until; // 0: until something else is said

    struct times times; // that `auto` goes by
    bool asked_for_times, has_times;
    struct calibration *calibration; // NULL: nothing is being measured
    bool calibration_failed;
    double calibration_shown, last_input; // in window_time
    char choice[CHOICES_TEXT], choice_why[2 * CHOICE_TEXT + 20];

    struct problem nothing_opened; // why no volume has been open yet; its code is 0 once one has

    bool export_awaits; // a step that was due when the export was asked for
    bool export_due;    // as soon as the surface asked for is there and no frame is in flight
};

// viewer.c
void viewer_say(struct viewer *viewer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void viewer_complain(struct viewer *viewer, const struct problem *problem);
void viewer_set_iso(struct viewer *viewer, double iso);
void viewer_unsay(struct viewer *viewer);
void viewer_show(struct viewer *viewer); // the window, once
const char *viewer_refuses(const struct viewer *viewer, const struct method *method);
VkRect2D viewer_area(const struct viewer *viewer);    // of the window that shows the scene
void viewer_redraw(struct viewer *viewer);            // the scene has changed
double viewer_refine_at(const struct viewer *viewer); // when a draft is to be drawn in full

// viewer_input.c: what the person does with keys and mouse, and through the panel.
void viewer_input(struct viewer *viewer);
void viewer_answer(struct viewer *viewer, const struct ui_answer *answer);
void viewer_model_switches(const struct viewer *viewer, struct ui_model *model);
bool viewer_next_method(struct viewer *viewer, int step);
void viewer_scale_text(struct viewer *viewer, float scale); // times what the display asks for
void viewer_sweep(struct viewer *viewer);                   // moves the isovalue on while sweeping

// viewer_open.c: volumes coming and going.
bool viewer_open(struct viewer *viewer, const char *path, struct problem *problem);
bool viewer_adopt(struct viewer *viewer, struct problem *problem); // what the loader has brought
void viewer_cancel_loading(struct viewer *viewer);
void viewer_model_loading(const struct viewer *viewer, struct ui_model *model);
void viewer_open_neighbour(struct viewer *viewer, int step);
void opened_destroy(struct gpu *gpu, struct opened *opened); // takes NULL

// viewer_frame.c: one picture on the screen.
bool frame_create(struct viewer *viewer, struct problem *problem);
void frame_destroy(struct viewer *viewer);
bool frame_finish(struct viewer *viewer, struct problem *problem);
bool frame_start(struct viewer *viewer, bool *started, struct problem *problem);
bool frame_due(const struct viewer *viewer); // a step of the extraction is due
void viewer_try(struct viewer *viewer);      // what is chosen: times of methods on other lists go
// What compaction took of the surface that is shown; `repeat`: where this is the method's first, it
// may be made once more for its time.
void viewer_remember_method(struct viewer *viewer, bool repeat);
void viewer_remember(struct viewer *viewer, const struct extraction_result *result); // its time

// viewer_room.c: room for the picture.
// Brings it to the window's size. Where the device has no memory for it there is a coarse one, or
// none, and that is told: false is for what must end the viewer.
bool viewer_fit_picture(struct viewer *viewer, struct problem *problem);
// Makes it coarse, so that a volume or a surface has the room, until the window has another size or
// viewer_refine; what it shows stays. No frame may be in flight. False: it is coarse already.
bool viewer_coarsen(struct viewer *viewer);
uint64_t viewer_coarse_gain(const struct viewer *viewer); // device memory that this gives back
// Lets it be as fine as there is room for, once nothing is being made.
void viewer_refine(struct viewer *viewer);
// The same where a surface is whole that takes less than half of what the picture was coarse for.
void viewer_refine_for_less(struct viewer *viewer);
// Gives up what is on the device only to save time. No frame may be in flight. False: nothing was.
bool viewer_make_room(struct viewer *viewer);
// From now on volumes leave free what the picture of a larger window takes, as far as that is not
// too much of the budget; not `generous`: just the panel.
void viewer_reserve(struct viewer *viewer, bool generous);

// viewer_slabs.c: a surface that is made slab by slab, while the window lives on.
// Whether the device has no room for the volume at once; false: nor slab by slab.
bool viewer_is_larger(
    struct viewer *viewer, struct opened *opened, bool *larger, struct problem *problem);
bool viewer_cut(struct viewer *viewer, struct opened *opened, struct problem *problem);
// The same for a volume that is on the device as a whole, where that leaves too little room. False:
// it stays there, as without a budget or from a file that has changed the samples are nowhere else,
// or is shown no more.
bool viewer_recut(struct viewer *viewer);
bool viewer_walk(struct viewer *viewer, struct problem *problem); // where a step is due
void viewer_uncut(struct gpu *gpu, struct opened *opened);
bool viewer_join(
    struct viewer *viewer, struct mesh *out, struct problem *problem); // the mesh that is shown
void viewer_model_slabs(const struct viewer *viewer, struct ui_model *model);

// viewer_auto.c: what the method `auto` goes by.
void viewer_know_times(struct viewer *viewer);                         // before a step
bool viewer_calibrates(const struct viewer *viewer);                   // there is a slice to do
bool viewer_calibrate(struct viewer *viewer, struct problem *problem); // does it; none in flight
void viewer_drop_calibration(struct viewer *viewer);
void viewer_model_auto(struct viewer *viewer, struct ui_model *model);

// viewer_save.c: pictures and meshes to files in the working directory.
void viewer_screenshot(struct viewer *viewer, bool transparent);
void viewer_export_soon(struct viewer *viewer);
bool viewer_export(struct viewer *viewer, struct problem *problem); // starts it where it is due,
                                                                    // and says what came of it
void viewer_model_export(const struct viewer *viewer, struct ui_model *model);
