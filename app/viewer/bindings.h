// Every key and mouse gesture of the viewer: the one table that dispatches keys, fills the help
// overlay and the man page.
#pragma once

#include "app/viewer/keys.h"

#include <stdbool.h>

enum action {
    ACTION_NONE,     // a mouse gesture: listed, not dispatched
    ACTION_ISO_STEP, // value: share of the range
    ACTION_ISO_AUTO,
    ACTION_SWEEP,
    ACTION_METHOD_STEP, // value: +1 or -1
    ACTION_METHOD_PICK, // argument: index among the methods
    ACTION_SKIPPING,
    ACTION_VIEW,  // value: enum camera_view
    ACTION_ORBIT, // value: enum camera_step
    ACTION_ORTHO,
    ACTION_TRACKBALL,
    ACTION_UP, // value: +1 or -1
    ACTION_RESET,
    ACTION_FIT,
    ACTION_WIREFRAME,
    ACTION_EDGES,
    ACTION_BOX,
    ACTION_AXES,
    ACTION_TIMINGS,
    ACTION_PANEL,
    ACTION_UI_SCALE, // value: +1 larger, -1 smaller, 0 as the display asks
    ACTION_FULLSCREEN,
    ACTION_SCREENSHOT, // value: 1 for a transparent background
    ACTION_EXPORT,
    ACTION_FILE_STEP, // value: +1 or -1
    ACTION_RELOAD,
    ACTION_HELP,
    ACTION_ESCAPE,
    ACTION_QUIT,
    ACTIONS,
};

struct binding {
    const char *group; // heading in the help
    const char *keys;  // as people write them; NULL: another way to what the row above says
    const char *text;  // what it does
    int key;           // enum key, 0 for a gesture of the mouse
    int mods;          // exactly these, of enum key_mods
    int span;          // so many keys from `key` on share the row; 0: one
    bool repeats;      // while the key is held
    enum action action;
    double value;
};

extern const struct binding bindings[]; // ended by a row with a NULL text

// The row for a pressed key, NULL when it is not bound; *argument is the key's place in its span.
const struct binding *binding_find(int key, int mods, int *argument);
