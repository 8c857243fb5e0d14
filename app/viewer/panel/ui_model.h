// What the panel shows, and what the person did with it.
#pragma once

#include "app/settings/table.h"
#include "app/viewer/base/meters.h"
#include "app/viewer/forms/form.h"
#include "app/viewer/methods/auto_times.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/work/cast_times.h"
#include "app/viewer/work/document.h"

// Work in the background, which the person can cancel.
struct ui_box {
    char title[512], state[64]; // empty title: no work is shown
    double share;
};

// Everything that is shown. The panel changes only the form.
struct ui_model {
    const struct gpu *gpu;
    const struct settings *settings;
    const struct document *document; // NULL: no volume is open
    const struct auto_times *auto_times;
    const struct measurement *measurement;
    const struct meters *meters;
    double cpu_ms; // host time of the frame before
    VkRect2D area; // of the picture in the window

    bool casts;                    // frames draw rays
    const struct method *prepared; // the method that compacts the rays; NULL: the default
    const struct cast_times *cast; // the last picture of rays; NULL: there was none

    uint32_t outlines; // of planes that the picture shows: bits as of plane_tool_shows
    uint32_t plane;    // the selected one, of view.clips and then view.sections

    double making_share; // progress of the next surface; below 0: none is being made
    struct ui_box box;
    const char *message; // NULL: none
    bool message_is_error;
    struct form *form; // the texts change as the person types; NULL: none
};

// What the person did with the mouse and in text fields since the frame before.
struct ui_answer {
    bool has_iso;
    double iso;
    double iso_step;  // a share of the range by which the isovalue moves; 0: none
    bool has_contour; // selects this contour before all else
    uint32_t contour;
    bool adds;                    // a contour at `iso`
    bool has_colour, has_opacity; // of the selected contour
    struct colour colour;
    float opacity;
    bool has_text; // the isovalue was typed: a number, 40%, p99 or "auto"
    char text[64];
    enum action action; // of a button, as if its key was pressed
    int argument;       // for ACTION_METHOD_PICK: the method's index
    bool sort;          // change the order of the methods
    bool has_view;      // `view` replaces the settings' view: its planes have changed
    struct view view;
    bool has_pick;      // read another volume of the file
    struct pick pick;   // its `array` lives as long as the document
    bool turns_spacing; // with has_pick: take the spacing 1, 1, 1, or that of the file again
    bool dismiss;       // remove the message
    struct form_answer form;
};
