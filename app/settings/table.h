// Two tables: the settings, and the keys with the mouse gestures.
#pragma once

#include "app/settings/keys.h"
#include "app/settings/setting.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// One row for each field of struct view, in the order of a session file. Then the settings of the
// window. The last row has size 0.
extern const struct setting settings_table[];

// The bits of picture_block.style for the switches that are on.
uint32_t settings_style(const struct view *view);

// The setting at this offset in struct settings; NULL: there is none.
const struct setting *setting_at(size_t place);

// Compares two views field by field. view_same_picture ignores the axes and the scale bar, which
// the panel draws over the picture.
bool view_same(const struct view *a, const struct view *b);
bool view_same_picture(const struct view *a, const struct view *b);

// Whether the setting has an effect in this view. A session states only such settings: render
// refuses the others.
bool view_uses(const struct view *view, const struct setting *row);

// If rays draw the view: sets what has no effect on them to its default, as in a session of it.
// Then the picture does not depend on what was set while triangles were drawn.
void view_drop_unused(struct view *view);

// Keys and gestures: their rows dispatch keys and fill the help overlay and the man page.
enum action {
    ACTION_NONE,         // a mouse gesture: listed, not dispatched
    ACTION_TOGGLE,       // switches the row's setting
    ACTION_TOGGLE_LINES, // like ACTION_TOGGLE, if the device can draw triangle edges
    ACTION_NEXT,         // next or previous name of the row's setting. value: +1 or -1
    ACTION_ISO_STEP,     // value: share of the range
    ACTION_ISO_AUTO,
    ACTION_SWEEP,
    ACTION_CONTOUR_STEP, // selects the next or previous contour. value: +1 or -1
    ACTION_CONTOUR_ADD,
    ACTION_CONTOUR_REMOVE,
    ACTION_CONTOUR_HIDE,
    ACTION_METHOD_STEP, // value: +1 or -1
    ACTION_METHOD_PICK, // argument: index among the methods
    ACTION_SKIPPING,
    ACTION_COMPARE,    // measures all methods
    ACTION_COPY_TABLE, // copies the table of measured times
    ACTION_VIEW,       // value: enum camera_view
    ACTION_ORBIT,      // value: enum camera_step
    ACTION_TRACKBALL,
    ACTION_UP, // value: +1 or -1
    ACTION_RESET,
    ACTION_FIT,
    ACTION_FIT_VOLUME,
    ACTION_RAYS, // changes from triangles to rays, and back
    ACTION_CASTER,
    ACTION_BACKGROUND,
    ACTION_CLIP, // these three act when their key is released: see app/viewer/base/plane_tool.h
    ACTION_CLIP_SIDE,
    ACTION_SECTION,
    ACTION_PLANE_TURN,
    ACTION_UNDO,     // value: -1 to undo, +1 to redo
    ACTION_UI_SCALE, // value: +1 larger, -1 smaller, 0 the display's default
    ACTION_FULLSCREEN,
    ACTION_SCREENSHOT, // value: 1 for a transparent background
    ACTION_ENLARGE,
    ACTION_COPY_LINE,
    ACTION_EXPORT,
    ACTION_SAVE_SESSION,
    ACTION_OPEN,
    ACTION_FILE_STEP, // value: +1 or -1
    ACTION_RELOAD,
    ACTION_HELP,
    ACTION_ESCAPE,
    ACTION_QUIT,
    ACTIONS,
};

struct key_row {
    const char *group; // heading in the help
    const char *keys;  // as people write them; NULL: the row adds a key to the one before
    const char *text;  // what it does
    const char *name;  // of the action in configuration files: do not change it; NULL: a gesture
    int key;           // enum key, 0 for a gesture of the mouse
    int mods;          // exactly these, of enum key_mods
    enum action action;
    double value;
    size_t setting; // offset in struct settings of what the action changes; 0: none
    bool inverse;   // the text describes the setting when it is off
    int span;       // number of keys from `key` on that share the row; 0: one
    bool repeats;   // while the key is held, the action repeats
    bool own;       // the person has set the key: see bindings.h
};

extern const struct key_row key_table[]; // ended by a row with a NULL text

// The row for a pressed key in `table`, which ends as key_table does; NULL: none. *argument:
// position of the key in the row's span, from 0. bindings.h has the rows in use.
const struct key_row *key_table_find(const struct key_row *table, int key, int mods, int *argument);

// Whether the row switches a bool, and a pointer to this bool; NULL: none.
bool key_row_switches(const struct key_row *row);
bool *key_row_setting(const struct key_row *row, struct settings *settings);

// For a row that switches a bool: whether the state that its text describes is on.
bool key_row_is_on(const struct key_row *row, const struct settings *settings);

#ifdef __cplusplus
}
#endif
