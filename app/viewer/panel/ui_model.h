// What the panel shows, and what the person did with it. Plain C.
#pragma once

#include "app/picture/legend.h"
#include "app/settings/settings.h"
#include "app/viewer/forms/form.h"
#include "app/viewer/methods/comparison.h"
#include "app/viewer/work/cast_times.h"
#include "volumes/facts.h"

#define UI_HISTORY 120

struct ui_method {
    const char *name, *summary, *paper, *promises;
    const char *reason; // why it cannot run here; NULL: it can
    bool selects;       // it is `auto`
    bool is_here;       // its times are of the view's isovalue; else of the one it ran at last
    struct step_summary times;
    float predicted_ms[2]; // by `auto`, for bricks and cells; 0: nothing
};

// All that is shown. Strings and arrays must live only as long as the call. Names of files are
// passed unescaped and are escaped here.
struct ui_model {
    const char *file; // NULL: no volume is open
    const struct volume *volume;
    const struct volume_facts *facts;
    const struct settings *settings;

    const struct ui_method *methods;
    uint32_t method_count, method;

    // Of the method; of `auto`, what it selected and why. With rays the last one says which method
    // compacts them.
    const char *details[3];
    bool predicts; // `auto` has predicted times:
    const char *why;

    const struct comparison *table; // of all methods, shown over the picture; NULL: none
    const char *comparing;          // how far measuring for it is; NULL: it is not being made
    double measurement_share;

    bool rays;                     // the surface is drawn by rays,
    const char *caster;            // or would be, by this one
    const struct cast_times *cast; // the last picture of rays; NULL: there was none

    bool has_result; // the mesh of the isovalue is there; with rays it may come later
    uint64_t active_cells, vertices, triangles;
    bool every_brick;       // no brick is skipped, because the person turned skipping off
    double bricks_skipped;  // share of the bricks that the isovalue misses
    double bytes_per_voxel; // bytes that a whole step moves
    bool removes;           // the method removes from a kept list and adds to it:
    uint64_t cells_removed, cells_entered;
    const float *history; // milliseconds of the last extractions, oldest first
    uint32_t history_count;

    const char *device;
    double cpu_ms, gpu_ms, fps; // of the frame before
    const char *message;        // NULL: none
    bool message_is_error;

    const char *loading; // name of what is being loaded; NULL: nothing
    double loading_share;
    const char *exporting; // the mesh file that is being written; NULL: none
    double exporting_share;
    bool has_parts;                                         // the volume is extracted part by part:
    uint32_t parts, parts_held, parts_loaded, parts_missed; // of the shown surface
    uint64_t bytes_read;
    double making_share; // progress of the next surface; below 0: none is being made
    bool uploading;      // the file has been read and is being uploaded

    const struct legend *legend;  // of what the picture shows
    float base_at[2], apex_at[2]; // where its texts for base and apex begin, in the window's pixels

    struct form *form; // the texts change as the person types; NULL: none

    float axes[3][3];   // the world's axes in view space: right, up, towards the eye
    double unit_pixels; // pixels that a unit of the file has at the centre of the picture
};

// What the person did with the mouse and in text fields since the frame before.
struct ui_answer {
    bool has_iso;
    double iso;
    double iso_step; // a share of the range by which the isovalue moves; 0: none
    bool has_text;   // the isovalue was typed: a number, 40%, p99 or "auto"
    char text[64];
    bool auto_iso, sweep;
    int method;           // -1: none was selected
    bool rays, triangles; // were selected
    bool caster;          // the next one
    bool sort;            // the methods in the other order
    bool close_help, cancel_loading, cancel_export, cancel_comparing, dismiss;
    struct form_answer form;
};
