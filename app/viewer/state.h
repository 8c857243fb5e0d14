// What the window's files share: one struct, each part of which one of them owns, and what all of
// them do with it.
#pragma once

#include "app/base/choices.h"
#include "app/picture/renderer.h"
#include "app/viewer/document.h"
#include "app/viewer/exporter.h"
#include "app/viewer/schedule.h"
#include "app/viewer/settings.h"
#include "app/viewer/swapchain.h"
#include "app/viewer/trace.h"
#include "app/viewer/ui_draw.h"
#include "app/viewer/viewer_params.h"
#include "app/viewer/window.h"
#include "compute/compaction/calibrate.h"
#include "compute/extraction/parts_mesh.h"

// What is to be seen, and what draws it. room.c says how fine the picture is.
struct screen {
    struct window *window;
    struct swapchain swapchain;
    struct renderer renderer;
    struct picture picture;
    struct ui *ui;
    struct ui_draw ui_draw;
    bool shown;          // the window is to be seen
    bool hidden;         // there is no window to draw in: it is minimised
    bool stuck;          // the last frame could not be started
    bool coarse;         // the picture is
    bool coarsened;      // on purpose: see room_coarsen
    uint64_t coarse_for; // device memory of the largest surface since
    uint64_t refused_at; // device memory held, when there was no room for a (finer) picture
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
    uint32_t target;
    struct surface_settings made; // what the surface in it is made from
    uint32_t attempts;            // in a row at one step that was never whole
    bool draws_panel;
    bool draws_full; // it draws the scene, and not as a draft
    uint32_t image;  // of the window
    double acquired; // clock_ms: when it was there to be drawn
    double cpu_ms;
    uint32_t width, height;
};

// A surface, or the mesh of the one that is shown, that is made part by part, between frames.
struct making {
    struct extract *extract; // NULL: none is
    struct query query;
    struct document_surfaces kept;   // of the surface, so far
    struct extraction_result result; // the same
    struct mesh_join join;           // of the mesh, so far
};

// Files on their way.
struct opening {
    struct loader *loader;     // NULL: nothing is being read
    struct document *document; // that is on its way to the device; NULL: none is
    struct extract *extract;   // that brings it there
    double read_ms;            // that reading it took
    bool cancelled;            // it shall not go on
    bool as_told;              // with the options of the command line
    bool resuming;             // what is being loaded was open before: what is chosen stays
    char *place;               // last path that was tried: where the next file is looked for from
    int stepping;              // Left or Right asked for what is loaded: -1 or +1; 0: neither
    uint32_t steps_left;       // files of the folder that it has not been offered yet
    uint32_t stepped_over;     // those on the way that could not be read
};

struct saving {
    struct exporter *exporter; // NULL: no mesh is being written
    bool has_mesh;             // one waits for the exporter:
    struct mesh mesh;
};

// The times that the method `auto` goes by.
struct calibrating {
    struct times times;
    bool asked, has_times;
    struct calibration *calibration; // NULL: nothing is being measured
    bool failed;
    double shown; // when its progress was, in window_time
    char choice[CHOICES_TEXT], why[2 * CHOICE_TEXT + 20];
};

// What mouse and sweep are in the middle of.
struct hand {
    int drag; // enum window_button + 1 while the mouse moves the camera; 0: none
    int drag_mods;
    float cursor[2];
    double sweep_phase, sweep_time;
};

// What a message is about that goes by itself.
enum about {
    ABOUT_OTHERS,
    ABOUT_SURFACE, // has no room: gone with the next that has
    ABOUT_PICTURE, // the same
};

struct message {
    char text[1000];
    bool is_error;
    enum about about;
    double until; // 0: until something else is said
};

struct meters {
    uint64_t frames; // finished ones that showed a volume
    float history[UI_HISTORY];
    uint32_t history_count;
    double gpu_ms, fps, frame_time;
};

struct viewer {
    const struct viewer_params *params;
    struct trace *trace;
    struct gpu gpu;
    struct settings settings;  // what the person chose
    struct document *document; // what is open; NULL: no volume is
    struct schedule schedule;  // what has been tried and what is still to be done
    struct screen screen;
    struct frame frame;
    struct making making;
    struct opening opening;
    struct saving saving;
    struct calibrating calibrating;
    struct hand hand;
    struct message message;
    struct meters meters;
    struct problem nothing_opened; // why no volume has been open yet; its kind is 0 once one has
};

void viewer_say(struct viewer *viewer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void viewer_complain(struct viewer *viewer, const struct problem *problem);
void viewer_unsay(struct viewer *viewer);

void viewer_set_iso(struct viewer *viewer, double iso);
const char *viewer_refuses(const struct viewer *viewer, const struct method *method);
bool viewer_next_method(struct viewer *viewer, int step); // that is not refused; false: all are

void viewer_show(struct viewer *viewer);                    // the window, once
VkRect2D viewer_area(const struct viewer *viewer);          // of the window that shows the scene
void viewer_redraw(struct viewer *viewer);                  // the scene has changed
void viewer_scale_text(struct viewer *viewer, float scale); // times what the display asks for

// How things stand, for the schedule.
struct situation viewer_situation(const struct viewer *viewer);
bool viewer_wants_surface(const struct viewer *viewer); // another than the one tried last

// The surface of the view is begun.
void viewer_try_surface(struct viewer *viewer);
// A new surface is whole and shown. `repeat`: where it was the method's first, it may be made once
// more for its time.
void viewer_remember_surface(struct viewer *viewer, bool repeat);
