// The `cubist render` command that makes the picture of a view, for people to keep.
#pragma once

#include "app/settings/setting.h"

struct render_line {
    const char *path;                   // of the volume; NULL: the generated one
    const struct volume_params *volume; // how the file was read
    const struct view *view;
    const struct placement *placement;
    const char *method;     // that made the lists; NULL: no lists are on the device
    const char *device;     // NULL: whichever the program selects
    uint32_t width, height; // pixels
    const char *output;     // the file to write
};

// Gets an option of the line; `value` NULL: the option takes no value.
typedef void render_line_option(void *user, const char *name, const char *value);

// Calls `put` for each option that states how a file is read.
void render_line_volume(const struct volume_params *volume, render_line_option *put, void *user);

// The isovalues of a view's contours as a list; `autos`: those that are automatic as "auto".
const char *render_line_isos(const struct view *view, bool autos, char text[SETTING_TEXT]);

// Calls `put` for the camera, and for each option of the view with another value than the default.
// Leaves out the isovalue.
void render_line_view(
    const struct view *view, const struct placement *placement, render_line_option *put,
    void *user);

// The line, with its words quoted for the shell. It works in any folder, and draws the picture that
// a window with this view writes. The caller frees it. NULL: out of memory.
char *render_line_text(const struct render_line *line);
