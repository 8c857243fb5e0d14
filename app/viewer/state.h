// The window's state. The headers of each folder define that folder's part of it.
#pragma once

#include "app/viewer/base/plane_tool.h"
#include "app/viewer/files/files.h"
#include "app/viewer/forms/forms.h"
#include "app/viewer/panel/ui_draw.h"
#include "app/viewer/trace.h"
#include "app/viewer/window/shown.h"
#include "app/viewer/window/swapchain.h"

// What the picture and the panel are shown on.
struct screen {
    struct window *window;
    struct swapchain swapchain;
    struct shown shows;
    VkFormat format; // of the images that shows and ui_draw were made for
    struct ui *ui;
    struct ui_draw ui_draw;
    float text_scale; // the settings' text_scale that the panel's text has now
    double interval;  // see struct situation
    bool shown;       // the window is visible
    bool hidden;      // there is no window to draw in: it is minimised
    bool stuck;       // the last frame could not be started
};

// The one frame in flight.
struct frame {
    VkCommandBuffer cmd;
    VkFence fence;
    bool in_flight;
    bool rays;   // rays are drawn, not the surface
    bool drafts; // the picture is a draft of the surface, drawn by rays; then `rays` is set, too
    bool draws_panel;
    bool draws_full; // draws the scene in full, not as a draft
    uint32_t image;  // index of the window's image
    double acquired; // clock_ms when the image was acquired
    double cpu_ms;
    uint32_t width, height;
};

// The state of mouse gestures and of the sweep.
struct hand {
    int drag; // enum window_button + 1 while the mouse moves the camera; 0: none
    int drag_mods;
    bool sizing; // the mouse drags the edge of the panel
    float cursor[2];
    double sweep_phase, sweep_time;
    struct plane_tool planes;
    // When the view changed last: whether a shown contour was transparent, and which one was
    // selected of how many.
    bool transparent;
    uint32_t contour, further;
};

struct viewer {
    const struct viewer_params *params;
    struct trace *trace;
    struct gpu gpu;
    struct settings settings; // set by the person
    struct undo undo;         // of the view
    struct schedule schedule; // what has been begun and what is still to be done
    struct message message;
    struct screen screen;
    struct frame frame;
    struct works works;
    struct files files;
    struct forms forms;
    struct auto_times calibrating;
    struct measurement comparing;
    struct hand hand;
};

// Finds the part of the window with the scene. Call it when the window, the panel or its width may
// have changed.
void viewer_fit_area(struct viewer *viewer);

// The state of the window, for the schedule.
struct situation viewer_situation(const struct viewer *viewer);
struct due viewer_due(struct viewer *viewer);
