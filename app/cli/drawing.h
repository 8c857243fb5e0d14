// What a drawing command has open: the session, and a picture without a window.
#pragma once

#include "app/cli/session.h"
#include "app/picture/legend.h"
#include "app/picture/offscreen.h"

// Zero-initialised means that nothing is open.
struct drawing {
    struct session session;
    struct view view; // with the isovalues and the method
    struct offscreen_params picture;
    VkSampleCountFlagBits samples; // per pixel; with rays only at edges
    struct offscreen offscreen;    // the picture; offscreen.view has the camera
    struct casting casting;        // used only with --draw rays
    uint64_t hits;                 // of all rays of the last picture
    uint32_t contour;              // that is being drawn
    struct legend legend;          // of the lists in the last picture; empty if it shows none
};

// Opens everything for pictures of the options' size and view. Whether it returns true or false,
// drawing_close must follow.
bool drawing_open(
    struct drawing *drawing, const char *path, const struct options *options,
    struct problem *problem);

// Draws the contours of drawing->view into the canvas of drawing->offscreen.
bool drawing_draw(struct drawing *drawing, struct extract_totals *totals, struct problem *problem);

// Closes everything. Returns the result of session_close.
bool drawing_close(struct drawing *drawing, bool fine, struct problem *problem);
