// The parameters of the window.
#pragma once

#include "app/base/isovalue.h"
#include "app/base/session_file.h"
#include "app/settings/view.h"

// What a session says about its view and its volume.
struct stated {
    struct view view;                    // its method is NULL if the session states none
    struct isovalue isos[CONTOURS_MOST]; // the session's isovalues, one for each contour
    struct volume_params volume;         // how the file is read
};

struct viewer_params {
    const char *path;                   // the file to open; NULL: the generated default volume
    const struct volume_params *volume; // how to read `path`; never NULL
    const char *device;                 // see gpu_params
    bool validate, verbose;
    bool watch;                  // load a file again when it changes
    const struct isovalue *isos; // one for each contour of `view`
    const struct view *view;     // the initial view; if its method is NULL: the default method
    uint32_t width, height;      // of the window; 0: the session's, or 1280x800
    uint64_t memory_budget;      // bytes of device memory; 0: all that is free
    const char *warning;         // about the configuration, to show; "": none
    const struct session_file *session; // the session to continue; NULL: none
    const struct problem *missing; // the session's volume was not found: ask for it; NULL: found
    bool remembers;                // store the last view of each file, and show it again
    // Reads what a session states, and consumes it. `line` is the member below: the command line.
    // `with_line`: options of the command line override the session, and only the view is read.
    // Texts in `out` live as long as `line`.
    bool (*read_stated)(
        const void *line, const struct session_file *session, bool with_line, struct stated *out,
        struct problem *problem);
    const void *line;
    bool any_method;     // if the view's method cannot run, another one is used
    const char *trace;   // file for one JSON line per frame; NULL: none
    uint64_t exit_after; // end after so many frames; 0: end when the person quits
};
