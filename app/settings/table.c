#include "app/settings/table.h"

#include "app/settings/camera.h"

#include <stddef.h>
#include <string.h>

// ---- settings ----

#define PLACE(field)                                                                               \
    .place = offsetof(struct settings, field), .size = sizeof((struct settings *)0)->field

const struct setting settings_table[] = {
    { PLACE(view.iso) },
    { PLACE(view.iso_is_auto) },
    { PLACE(view.method) },
    { PLACE(view.every_brick) },
    { PLACE(view.camera.target) },
    { PLACE(view.camera.distance) },
    { PLACE(view.camera.trackball) },
    { PLACE(view.camera.ortho) },
    { PLACE(view.camera.azimuth) },
    { PLACE(view.camera.elevation) },
    { PLACE(view.camera.roll) },
    { PLACE(view.camera.orientation) },
    { PLACE(view.start.has_direction) },
    { PLACE(view.start.azimuth) },
    { PLACE(view.start.elevation) },
    { PLACE(view.start.zoom) },
    { PLACE(view.start.has_pose) },
    { PLACE(view.start.pose) },
    { PLACE(view.up) },
    { PLACE(view.up_is_set) },
    { PLACE(view.wireframe) },
    { PLACE(view.edges) },
    { PLACE(view.flat) },
    { PLACE(view.box) },
    { PLACE(view.colour) },
    { PLACE(view.background) },
    { PLACE(view.background_colour) },
    { PLACE(view.look) },
    { PLACE(view.light) },
    { PLACE(view.light_samples) },
    { PLACE(view.shadow) },
    { PLACE(view.show) },
    { PLACE(view.draw) },
    { PLACE(view.caster) },
    { PLACE(view.rounds) },
    { PLACE(view.samples) },
    { PLACE(view.axes), .beside = true },
    { PLACE(view.scale_bar), .beside = true },
    { 0 },
};

static bool view_equal(const struct view *a, const struct view *b, bool picture)
{
    const char *bytes[2] = { (const char *)a, (const char *)b };
    const size_t view = offsetof(struct settings, view);
    bool same = true;
    for (const struct setting *row = settings_table; same && row->size; row++) {
        const size_t at = row->place - view;
        same = at >= sizeof *a || (picture && row->beside) ||
               memcmp(bytes[0] + at, bytes[1] + at, row->size) == 0;
    }
    return same;
}

bool view_same(const struct view *a, const struct view *b)
{
    return view_equal(a, b, false);
}

bool view_same_picture(const struct view *a, const struct view *b)
{
    return view_equal(a, b, true);
}

// ---- keys ----

#define ISO    "Isovalue"
#define METHOD "Compaction method"
#define CAMERA "Camera"
#define SHOW   "Show"
#define FILES  "Files"
#define WINDOW "Window"

// The end of a row that switches a setting, or whose action switches it.
#define TOGGLE(field)        ACTION_TOGGLE, 0, offsetof(struct settings, field)
#define SHOWS(action, field) action, 0, offsetof(struct settings, field)

const struct key_row key_table[] = {
    { ISO, "[  ]  ,  .", "down / up by 1 % of the range", '[', 0, 0, true, ACTION_ISO_STEP, -0.01 },
    { ISO, NULL, "up 1 %", ']', 0, 0, true, ACTION_ISO_STEP, +0.01 },
    { ISO, NULL, "down 1 %", ',', 0, 0, true, ACTION_ISO_STEP, -0.01 },
    { ISO, NULL, "up 1 %", '.', 0, 0, true, ACTION_ISO_STEP, +0.01 },
    { ISO, "Down  Up", "the same", KEY_DOWN, 0, 0, true, ACTION_ISO_STEP, -0.01 },
    { ISO, NULL, "up 1 %", KEY_UP, 0, 0, true, ACTION_ISO_STEP, +0.01 },
    { ISO, "Shift+Down  Up", "by 0.1 % (also {  })", KEY_DOWN, MOD_SHIFT, 0, true, ACTION_ISO_STEP,
      -0.001 },
    { ISO, NULL, "up 0.1 %", KEY_UP, MOD_SHIFT, 0, true, ACTION_ISO_STEP, +0.001 },
    { ISO, NULL, "down 0.1 %", '{', 0, 0, true, ACTION_ISO_STEP, -0.001 },
    { ISO, NULL, "up 0.1 %", '}', 0, 0, true, ACTION_ISO_STEP, +0.001 },
    { ISO, "Ctrl+Down  Up", "by 10 % (also Ctrl+[  ])", KEY_DOWN, MOD_CTRL, 0, true,
      ACTION_ISO_STEP, -0.1 },
    { ISO, NULL, "up 10 %", KEY_UP, MOD_CTRL, 0, true, ACTION_ISO_STEP, +0.1 },
    { ISO, NULL, "down 10 %", '[', MOD_CTRL, 0, true, ACTION_ISO_STEP, -0.1 },
    { ISO, NULL, "up 10 %", ']', MOD_CTRL, 0, true, ACTION_ISO_STEP, +0.1 },
    { ISO, "Wheel", "on the histogram: by 1 %, with Shift 0.1 %", 0, 0, 0, false, ACTION_NONE, 0 },
    { ISO, "Ctrl+wheel", "on the histogram: zoom into the range", 0, 0, 0, false, ACTION_NONE, 0 },
    { ISO, "Shift+drag", "on the histogram: ten times finer", 0, 0, 0, false, ACTION_NONE, 0 },
    { ISO, "Backspace", "back to the suggested isovalue", KEY_BACKSPACE, 0, 0, false,
      ACTION_ISO_AUTO, 0 },
    { ISO, "Space", "play / pause a sweep through the range", KEY_SPACE, 0, 0, false,
      SHOWS(ACTION_SWEEP, sweeping) },

    { METHOD, "A", "next method", 'A', 0, 0, true, ACTION_METHOD_STEP, +1 },
    { METHOD, "Shift+A", "previous method", 'A', MOD_SHIFT, 0, true, ACTION_METHOD_STEP, -1 },
    { METHOD, "Ctrl+1 .. 9", "select by number", '1', MOD_CTRL, 9, false, ACTION_METHOD_PICK, 0 },
    { METHOD, "N", "skip bricks that the isovalue misses", 'N', 0, 0, false,
      SHOWS(ACTION_SKIPPING, view.every_brick), true },
    { METHOD, "M", "measure all methods in turns", 'M', 0, 0, false, ACTION_COMPARE, 0 },
    { METHOD, "Ctrl+C", "copy the table of their times as CSV", 'C', MOD_CTRL, 0, false,
      ACTION_COPY_TABLE, 0 },
    { METHOD, "Shift+M", "list the methods by time", 'M', MOD_SHIFT, 0, false, TOGGLE(by_time) },

    { CAMERA, "Left drag", "orbit", 0, 0, 0, false, ACTION_NONE, 0 },
    { CAMERA, "Middle drag", "pan (also Shift + left drag)", 0, 0, 0, false, ACTION_NONE, 0 },
    { CAMERA, "Wheel", "zoom (also right drag up / down)", 0, 0, 0, false, ACTION_NONE, 0 },
    { CAMERA, "Ctrl+wheel", "zoom to the cursor", 0, 0, 0, false, ACTION_NONE, 0 },
    { CAMERA, "Ctrl+left drag", "roll", 0, 0, 0, false, ACTION_NONE, 0 },
    { CAMERA, "1  3  7", "front, right, top", '1', 0, 0, false, ACTION_VIEW, CAMERA_FRONT },
    { CAMERA, NULL, "right", '3', 0, 0, false, ACTION_VIEW, CAMERA_RIGHT },
    { CAMERA, NULL, "top", '7', 0, 0, false, ACTION_VIEW, CAMERA_TOP },
    { CAMERA, "Shift+1  3  7", "back, left, bottom", '1', MOD_SHIFT, 0, false, ACTION_VIEW,
      CAMERA_BACK },
    { CAMERA, NULL, "left", '3', MOD_SHIFT, 0, false, ACTION_VIEW, CAMERA_LEFT },
    { CAMERA, NULL, "bottom", '7', MOD_SHIFT, 0, false, ACTION_VIEW, CAMERA_BOTTOM },
    { CAMERA, "Click an axis", "view along it", 0, 0, 0, false, ACTION_NONE, 0 },
    { CAMERA, "9", "isometric view", '9', 0, 0, false, ACTION_VIEW, CAMERA_ISOMETRIC },
    { CAMERA, "2  4  6  8", "orbit by 15 degrees", '2', 0, 0, true, ACTION_ORBIT,
      CAMERA_STEP_DOWN },
    { CAMERA, NULL, "left", '4', 0, 0, true, ACTION_ORBIT, CAMERA_STEP_LEFT },
    { CAMERA, NULL, "right", '6', 0, 0, true, ACTION_ORBIT, CAMERA_STEP_RIGHT },
    { CAMERA, NULL, "up", '8', 0, 0, true, ACTION_ORBIT, CAMERA_STEP_UP },
    { CAMERA, "5", "orthographic instead of perspective", '5', 0, 0, false,
      TOGGLE(view.camera.ortho) },
    { CAMERA, "K", "trackball instead of turntable", 'K', 0, 0, false,
      SHOWS(ACTION_TRACKBALL, view.camera.trackball) },
    { CAMERA, "U", "which axis is up: y, z, x, -y, -z, -x", 'U', 0, 0, false, ACTION_UP, +1 },
    { CAMERA, "Shift+U", "previous axis up", 'U', MOD_SHIFT, 0, false, ACTION_UP, -1 },
    { CAMERA, "F", "fit the surface, keep the direction", 'F', 0, 0, false, ACTION_FIT, 0 },
    { CAMERA, "Shift+F", "fit the volume", 'F', MOD_SHIFT, 0, false, ACTION_FIT_VOLUME, 0 },
    { CAMERA, "R  Enter", "reset", 'R', 0, 0, false, ACTION_RESET, 0 },
    { CAMERA, NULL, "reset", KEY_ENTER, 0, 0, false, ACTION_RESET, 0 },

    { SHOW, "Ctrl+Z  Ctrl+Y", "undo / redo (also Ctrl+Shift+Z)", 'Z', MOD_CTRL, 0, true,
      ACTION_UNDO, -1 },
    { SHOW, NULL, "redo", 'Y', MOD_CTRL, 0, true, ACTION_UNDO, +1 },
    { SHOW, NULL, "redo", 'Z', MOD_CTRL | MOD_SHIFT, 0, true, ACTION_UNDO, +1 },
    { SHOW, "W", "wireframe", 'W', 0, 0, false, SHOWS(ACTION_TOGGLE_LINES, view.wireframe) },
    { SHOW, "E", "triangle edges on the surface", 'E', 0, 0, false,
      SHOWS(ACTION_TOGGLE_LINES, view.edges) },
    { SHOW, "T", "flat instead of smooth shading", 'T', 0, 0, false, TOGGLE(view.flat) },
    { SHOW, "Y", "look: bone, clay, scan", 'Y', 0, 0, false, ACTION_LOOK, 0 },
    { SHOW, "G", "rays instead of triangles", 'G', 0, 0, false, ACTION_RAYS, 0 },
    { SHOW, "Shift+G", "next caster of rays", 'G', MOD_SHIFT, 0, false, ACTION_CASTER, 0 },
    { SHOW, "L", "light: occlusion, off", 'L', 0, 0, false, ACTION_LIGHT, 0 },
    { SHOW, "Shift+L", "soft shadow, of rays", 'L', MOD_SHIFT, 0, false,
      SHOWS(ACTION_SHADOW, view.shadow) },
    { SHOW, "V", "surface, bricks, cells, order, pyramid", 'V', 0, 0, false, ACTION_SHOW, +1 },
    { SHOW, "Shift+V", "the same backwards", 'V', MOD_SHIFT, 0, false, ACTION_SHOW, -1 },
    { SHOW, "B", "bounding box", 'B', 0, 0, false, TOGGLE(view.box) },
    { SHOW, "Shift+B", "background: dark, light, white, none", 'B', MOD_SHIFT, 0, false,
      ACTION_BACKGROUND, 0 },
    { SHOW, "X", "axes", 'X', 0, 0, false, TOGGLE(view.axes) },
    { SHOW, "Shift+X", "scale bar", 'X', MOD_SHIFT, 0, false, TOGGLE(view.scale_bar) },
    { SHOW, "Z", "frame times", 'Z', 0, 0, false, TOGGLE(timings) },
    { SHOW, "Tab  Ctrl+B", "panel", KEY_TAB, 0, 0, false, TOGGLE(panel) },
    { SHOW, NULL, "panel", 'B', MOD_CTRL, 0, false, TOGGLE(panel) },
    { SHOW, "H  ?  F1", "this help", 'H', 0, 0, false, ACTION_HELP, 0 },
    { SHOW, NULL, "help", '?', 0, 0, false, ACTION_HELP, 0 },
    { SHOW, NULL, "help", KEY_F1, 0, 0, false, ACTION_HELP, 0 },

    { FILES, "Ctrl+O", "open a file or a session; recent ones", 'O', MOD_CTRL, 0, false,
      ACTION_OPEN, 0 },
    { FILES, "Drop a file", "or a folder: open it", 0, 0, 0, false, ACTION_NONE, 0 },
    { FILES, "Left  Right", "previous / next file in the folder", KEY_LEFT, 0, 0, false,
      ACTION_FILE_STEP, -1 },
    { FILES, NULL, "next file", KEY_RIGHT, 0, 0, false, ACTION_FILE_STEP, +1 },
    { FILES, "Ctrl+R  F5", "reload", 'R', MOD_CTRL, 0, false, ACTION_RELOAD, 0 },
    { FILES, NULL, "reload", KEY_F5, 0, 0, false, ACTION_RELOAD, 0 },
    { FILES, "Ctrl+E", "export the mesh: name and format", 'E', MOD_CTRL, 0, false, ACTION_EXPORT,
      0 },
    { FILES, "Ctrl+S", "save the session: volume and view", 'S', MOD_CTRL, 0, false,
      ACTION_SAVE_SESSION, 0 },
    { FILES, "F12", "screenshot of the picture", KEY_F12, 0, 0, false, ACTION_SCREENSHOT, 0 },
    { FILES, "Ctrl+F12", "the same with a transparent background", KEY_F12, MOD_CTRL, 0, false,
      ACTION_SCREENSHOT, 1 },
    { FILES, "Shift+F12", "screenshots 1, 2, 4, 8 times as large", KEY_F12, MOD_SHIFT, 0, false,
      ACTION_ENLARGE, 0 },
    { FILES, "Ctrl+Shift+C", "copy the command that renders it", 'C', MOD_CTRL | MOD_SHIFT, 0,
      false, ACTION_COPY_LINE, 0 },

    { WINDOW, "F11", "full screen", KEY_F11, 0, 0, false, ACTION_FULLSCREEN, 0 },
    { WINDOW, "Ctrl+=  -  0", "larger, smaller, default text", '=', MOD_CTRL, 0, true,
      ACTION_UI_SCALE, +1 },
    { WINDOW, NULL, "larger", '=', MOD_CTRL | MOD_SHIFT, 0, true, ACTION_UI_SCALE, +1 },
    { WINDOW, NULL, "larger", '+', MOD_CTRL, 0, true, ACTION_UI_SCALE, +1 },
    { WINDOW, NULL, "smaller", '-', MOD_CTRL, 0, true, ACTION_UI_SCALE, -1 },
    { WINDOW, NULL, "default", '0', MOD_CTRL, 0, false, ACTION_UI_SCALE, 0 },
    { WINDOW, "Esc", "close help, table or form; cancel what runs", KEY_ESCAPE, 0, 0, false,
      ACTION_ESCAPE, 0 },
    { WINDOW, "Ctrl+Q", "quit", 'Q', MOD_CTRL, 0, false, ACTION_QUIT, 0 },
    { NULL },
};

const struct key_row *key_table_find(const struct key_row *table, int key, int mods, int *argument)
{
    for (const struct key_row *row = table; row->text; row++) {
        const int span = row->span ? row->span : 1;
        if (row->key != KEY_NONE && row->mods == mods && key >= row->key && key < row->key + span) {
            *argument = key - row->key;
            return row;
        }
    }
    return NULL;
}

bool *key_row_setting(const struct key_row *row, struct settings *settings)
{
    return row->setting ? (bool *)((char *)settings + row->setting) : NULL;
}

bool key_row_is_on(const struct key_row *row, const struct settings *settings)
{
    return *(const bool *)((const char *)settings + row->setting) != row->inverse;
}
