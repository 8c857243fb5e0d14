// What a command that draws has open: the session, and the picture without a window.
#pragma once

#include "app/cli/session.h"
#include "app/picture/legend.h"
#include "app/picture/offscreen.h"

// Zero-initialised means that nothing is open.
struct drawing {
    struct session session;
    struct view view; // with the isovalue and the method
    struct offscreen_params picture;
    VkSampleCountFlagBits samples; // of a pixel, by triangles or at edges by rays
    struct offscreen offscreen; // its view's camera is drawn
    struct casting casting;     // with --draw rays
    uint64_t hits;              // of the picture's rays that was drawn last
    struct legend legend;       // of the lists that were drawn last; empty where none were
};

// Opens everything for pictures of the options' size and view. Whether it returns true or false,
// drawing_close must follow.
bool drawing_open(
    struct drawing *drawing, const char *path, const struct options *options,
    struct problem *problem);

// Draws the surface of drawing->view.iso into the canvas of drawing->offscreen.
bool drawing_draw(struct drawing *drawing, struct extract_totals *totals, struct problem *problem);

// Closes everything. Returns as session_close does.
bool drawing_close(struct drawing *drawing, bool fine, struct problem *problem);
