#include "app/settings/table.h"

#include "app/settings/camera.h"
#include "shaders/shared/picture.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct settings, view) == 0, "the first places are those of the view");

// ---- settings ----

// The beginning of a row. NAMES: the names of its type; NONE: the type has no names.
#define PLACE(field)       offsetof(struct settings, field), sizeof((struct settings *)0)->field
#define NAMES(words)       words, sizeof words / sizeof *words
#define NONE               NULL, 0
#define SWITCH(field)      PLACE(field), SETTING_SWITCH, NONE
#define WORD(field, words) PLACE(field), SETTING_WORD, NAMES(words)

static const char *const directions[] = {
    "front", "back", "left", "right", "top", "bottom", "iso"
};
static const char *const samples[] = { "1", "2", "4", "8" };

const struct setting settings_table[] = {
    { PLACE(view.isos) },
    { PLACE(view.auto_isos) },
    { PLACE(view.further) },
    { PLACE(view.contour), .beside = true },
    { PLACE(view.method) },
    { PLACE(view.up), SETTING_UP, NONE, "up", "x|y|z|-x|-y|-z",
      "which axis of the file is up (default: the patient's head where the\n"
      "file states an orientation, else y)",
      .stays = true },
    { PLACE(view.up_is_set) },
    { PLACE(view.camera.target) },
    { PLACE(view.camera.distance) },
    { PLACE(view.camera.azimuth) },
    { PLACE(view.camera.elevation) },
    { PLACE(view.camera.roll) },
    { PLACE(view.camera.orientation) },
    { PLACE(view.start.has_direction) },
    { PLACE(view.start.azimuth), SETTING_DIRECTION, NAMES(directions), "view",
      "front|back|left|right|top|bottom|iso|AZ,EL",
      "from where to look: AZ degrees to the right of the front, EL degrees\n"
      "above the horizon (default: from the left of the front and above, or\n"
      "from where the cut of --clip is seen)",
      .expected = "front, back, left, right, top, bottom, iso, or AZ,EL in degrees such as "
                  "-30,20, where EL is -90 to 90" },
    { PLACE(view.start.elevation) },
    { PLACE(view.start.zoom), SETTING_ZOOM, NONE, "zoom", "F",
      "F times as close as where everything fits",
      .expected = "a number from 0.001 to 1000, such as 2 or 0.5", .least = 0.001, .most = 1000 },
    { PLACE(view.start.has_pose) },
    { PLACE(view.start.pose), SETTING_CAMERA, NONE, "camera", "X,Y,Z,DISTANCE,QW,QX,QY,QZ",
      "look at X,Y,Z from DISTANCE, in the file's coordinates and unit,\n"
      "turned by a quaternion from the camera's axes to the file's",
      .expected = "X,Y,Z,DISTANCE,QW,QX,QY,QZ, eight finite numbers, with a distance above 0 and a "
                  "rotation that is not all 0" },
    { SWITCH(view.camera.ortho), "ortho", NULL, "parallel instead of perspective projection" },
    { SWITCH(view.box), "box", NULL, "draw the volume's bounding box" },
    { SWITCH(view.wireframe), "wireframe", NULL, "draw only the triangles' edges",
      .no_rays = true },
    { SWITCH(view.edges), "edges", NULL, "draw the triangles' edges on the surface",
      .no_rays = true },
    { SWITCH(view.flat), "flat", NULL, "shade each triangle flat instead of smooth",
      .no_rays = true, .style = SURFACE_FLAT },
    { WORD(view.look, look_names), "look", "bone|clay|scan",
      "colors, gloss and shade of the surface (default bone)", .title = "Look" },
    { WORD(view.light, light_names), "light", "off|occlusion",
      "whether hollows, which get less light, are darker (default\nocclusion)", .title = "Light" },
    { WORD(view.show, show_names), "show", "surface|bricks|cells|order|levels|atlas",
      "what the method works on, from its own lists: active bricks, active\n"
      "cells, the order in which it put them, the levels of the HistoPyramid\n"
      "beside the surface, or the slices as tiles with the active cells in\n"
      "them, and beside them the list of these cells (default surface)",
      .no_rays = true },
    { WORD(view.draw, draw_names), "draw", "triangles|rays",
      "how the surface is drawn: as triangles, or by a ray for each pixel,\n"
      "which makes no mesh (default triangles)" },
    { SWITCH(view.shadow), "shadow", NULL,
      "let the surface throw soft shadows on itself, with --draw rays",
      .rays_only = "only rays find shadows", .title = "Shadow" },
    { PLACE(view.caster), SETTING_CASTER, NONE, "caster", "NAME",
      "how rays find the surface, with --draw rays: dda (the default),\n"
      "kd-jump, single-bvh, wavefront-dda or wavefront-bvh",
      .rays_only = "triangles are not cast" },
    { PLACE(view.rounds), SETTING_ROUNDS, NONE, "rounds", "N|host",
      "of casters in rounds: how many there are, 0 to 64 (default 8). After\n"
      "each, --method compacts the rays that go on; one kernel finishes\n"
      "those that are left. host: rounds go on until no ray is left, and\n"
      "the host waits for each",
      .expected = "a whole number, 0 to 64, or host", .rays_only = "triangles are not cast" },
    { PLACE(view.light_samples), SETTING_COUNT, NONE, "light-samples", "N",
      "rays from each vertex that find what takes its light (default 8)",
      .expected = "a whole number, 1 to 256", .most = LIGHT_SAMPLES_MOST },
    { PLACE(view.samples), SETTING_COUNT, NAMES(samples), "samples", "1|2|4|8",
      "samples per pixel (default 4 where the device has them, else 1);\n"
      "render and animate draw rays with any of them",
      .expected = "1, 2, 4 or 8", .most = 8 },
    { PLACE(view.background), SETTING_BACKGROUND, NAMES(background_names), "background",
      "dark|light|white|transparent|#RRGGBB", "(default dark)",
      .expected = "dark, light, white, transparent, or a colour such as #e8eef4" },
    { PLACE(view.background_colour) },
    { PLACE(view.colours), SETTING_COLOURS, NONE, "color", "NAME|#RRGGBB[,...]",
      "color of the surface's front (default: that of the look); of several\n"
      "contours one for all, or one each, where auto is the default",
      .expected = "a colour such as #d08050, or white, grey, black, red, orange, yellow, green, "
                  "teal, blue, violet, pink, brown or skin" },
    { PLACE(view.transparencies), SETTING_OPACITIES, NONE, "opacity", "A[,A...]",
      "opacity, 0 to 1, one for all contours or one each (default 1)",
      .expected = "numbers from 0 to 1, such as 0.3 or 0.3,1" },
    { PLACE(view.hidden), SETTING_HIDDEN, NONE, "hide", "N[,N...]",
      "leave out the N-th contour of --iso", .expected = "numbers of contours, 1 to 8" },
    { PLACE(view.clips), SETTING_PLANES, NONE, "clip", "PLANE[,PLANE]",
      "remove what lies on one side of a plane; up to 3 planes. x=50% of\n"
      "the volume's box, y=12.5 in the file's coordinates, k=40 in samples,\n"
      "view=50% across the line of sight, or NX,NY,NZ,D; a plane keeps what\n"
      "is further along its axis, with - in front (-x=50%) the rest; @1,3\n"
      "behind: it cuts only these isovalues; animate moves it: x=0%:100%" },
    { SWITCH(view.clip_all), "clip-all", NULL,
      "remove only what all planes of --clip remove: a quarter, an octant",
      .style = SURFACE_CUT_BY_ALL, .needs = NEEDS_CLIP },
    { SWITCH(view.clip_off), "clip-off", NULL, "keep the planes of --clip, but do not cut",
      .needs = NEEDS_CLIP },
    { WORD(view.cap, cap_names), "cap", "solid|values|none",
      "what shows where --clip cuts through the solid of a contour: its\n"
      "color, the samples in grey, or nothing (default solid)",
      .expected = "solid, values (the samples in grey) or none", .needs = NEEDS_CLIP },
    { PLACE(view.sections), SETTING_PLANES, NONE, "section", "PLANE[,PLANE]",
      "show the samples in grey on a plane, and a line for each isovalue; up\n"
      "to 3 planes, as for --clip, but without - and @",
      .expected = "planes such as x=50%, without - in front and @ behind" },
    { SWITCH(view.section_off), "section-off", NULL,
      "keep the planes of --section, but do not show them", .needs = NEEDS_SECTION },
    { PLACE(view.grey), SETTING_GREY, NONE, "grey", "LOW:HIGH",
      "the samples that are black and white with --section and --cap values:\n"
      "numbers, percentages or percentiles (default p1:p99)",
      .expected = "LOW:HIGH, such as 0:255, 10%:90% or p1:p99, with LOW below HIGH",
      .needs = NEEDS_GREY },
    { WORD(view.interpolate, interpolation_names), "interpolate", "linear|nearest",
      "how grey samples are found between those of the grid (default linear)",
      .needs = NEEDS_GREY },

    // A session does not store these as options.
    { SWITCH(panel), .member = "panel" },
    { SWITCH(timings), .member = "timings" },
    { SWITCH(by_time), .member = "methods_by_time" },
    { SWITCH(view.axes), .member = "axes", .beside = true },
    { SWITCH(view.scale_bar), .member = "scale_bar", .beside = true },
    { SWITCH(view.camera.trackball), .member = "trackball" },
    { SWITCH(view.every_brick), "no-skip", NULL,
      "visit all bricks, also those that the isovalue misses", .member = "every_brick" },
    { PLACE(panel_width), SETTING_NUMBER, NONE, .member = "panel_width", .resets = true,
      .most = 16384, .expected = "a number of pixels, 0 to 16384" },
    { PLACE(text_scale), SETTING_NUMBER, NONE, .member = "text_scale", .least = 0.5, .most = 3,
      .expected = "a number, 0.5 to 3" },
    { SWITCH(sweeping) },
    { 0 },
};

const struct setting *setting_at(size_t place)
{
    const struct setting *row = settings_table;
    while (row->size && row->place != place) {
        row++;
    }
    return row->size ? row : NULL;
}

uint32_t settings_style(const struct view *view)
{
    uint32_t style = 0;
    for (const struct setting *row = settings_table; row->size; row++) {
        style |= row->style && setting_is_set(row, view) ? row->style : 0;
    }
    return style;
}

static bool view_compare(const struct view *a, const struct view *b, bool picture)
{
    bool same = true;
    for (const struct setting *row = settings_table; same && row->size; row++) {
        same = row->place >= sizeof *a || (picture && row->beside) || setting_same(row, a, b);
    }
    return same;
}

bool view_same(const struct view *a, const struct view *b)
{
    return view_compare(a, b, false);
}

bool view_same_picture(const struct view *a, const struct view *b)
{
    return view_compare(a, b, true);
}

bool view_uses(const struct view *view, const struct setting *row)
{
    const bool shadow = row->place == offsetof(struct settings, view.shadow);
    return view->draw != DRAW_RAYS ? !row->rays_only
                                   : !row->no_rays && !(shadow && view_is_transparent(view));
}

void view_drop_unused(struct view *view)
{
    for (const struct setting *row = settings_table; row->size; row++) {
        if (view->draw == DRAW_RAYS && !view_uses(view, row)) {
            memset(setting_in(row, view), 0, row->size);
        }
    }
}

// ---- keys ----

#define ISO    "Isovalue"
#define METHOD "Compaction method"
#define CAMERA "Camera"
#define SHOW   "Show"
#define FILES  "Files"
#define WINDOW "Window"

// The end of a row that switches a setting: by ACTION_TOGGLE, or by an action of its own (SHOWS).
#define TOGGLE(field)        ACTION_TOGGLE, 0, offsetof(struct settings, field)
#define SHOWS(action, field) action, 0, offsetof(struct settings, field)

#define NEXT(step, field)   ACTION_NEXT, step, offsetof(struct settings, field)
#define STEP(action, value) action, value, .repeats = true

const struct key_row key_table[] = {
    { ISO, "[  ]  ,  .", "down / up by 1 % of the range", "iso-down", '[', 0,
      STEP(ACTION_ISO_STEP, -0.01) },
    { ISO, NULL, "up 1 %", "iso-up", ']', 0, STEP(ACTION_ISO_STEP, +0.01) },
    { ISO, NULL, "down 1 %", "iso-down", ',', 0, STEP(ACTION_ISO_STEP, -0.01) },
    { ISO, NULL, "up 1 %", "iso-up", '.', 0, STEP(ACTION_ISO_STEP, +0.01) },
    { ISO, "Down  Up", "the same", "iso-down", KEY_DOWN, 0, STEP(ACTION_ISO_STEP, -0.01) },
    { ISO, NULL, "up 1 %", "iso-up", KEY_UP, 0, STEP(ACTION_ISO_STEP, +0.01) },
    { ISO, "Shift+Down  Up", "by 0.1 % (also {  })", "iso-down-fine", KEY_DOWN, MOD_SHIFT,
      STEP(ACTION_ISO_STEP, -0.001) },
    { ISO, NULL, "up 0.1 %", "iso-up-fine", KEY_UP, MOD_SHIFT, STEP(ACTION_ISO_STEP, +0.001) },
    { ISO, NULL, "down 0.1 %", "iso-down-fine", '{', 0, STEP(ACTION_ISO_STEP, -0.001) },
    { ISO, NULL, "up 0.1 %", "iso-up-fine", '}', 0, STEP(ACTION_ISO_STEP, +0.001) },
    { ISO, "Ctrl+Down  Up", "by 10 % (also Ctrl+[  ])", "iso-down-coarse", KEY_DOWN, MOD_CTRL,
      STEP(ACTION_ISO_STEP, -0.1) },
    { ISO, NULL, "up 10 %", "iso-up-coarse", KEY_UP, MOD_CTRL, STEP(ACTION_ISO_STEP, +0.1) },
    { ISO, NULL, "down 10 %", "iso-down-coarse", '[', MOD_CTRL, STEP(ACTION_ISO_STEP, -0.1) },
    { ISO, NULL, "up 10 %", "iso-up-coarse", ']', MOD_CTRL, STEP(ACTION_ISO_STEP, +0.1) },
    { ISO, "Wheel", "on the histogram: by 1 %, with Shift 0.1 %" },
    { ISO, "Ctrl+wheel", "on the histogram: zoom into the range" },
    { ISO, "Shift+drag", "on the histogram: ten times finer" },
    { ISO, "Backspace", "auto: the suggested isovalue", "iso-auto", KEY_BACKSPACE, 0,
      ACTION_ISO_AUTO },
    { ISO, "Space", "play / pause a sweep through the range", "sweep", KEY_SPACE, 0,
      SHOWS(ACTION_SWEEP, sweeping) },
    { ISO, "Insert", "add a contour", "contour-add", KEY_INSERT, 0, ACTION_CONTOUR_ADD },
    { ISO, "Ctrl+click", "on the histogram: add a contour there" },
    { ISO, "PageUp  PageDown", "select the previous / next contour", "contour-previous",
      KEY_PAGE_UP, 0, STEP(ACTION_CONTOUR_STEP, -1) },
    { ISO, NULL, "next contour", "contour-next", KEY_PAGE_DOWN, 0, STEP(ACTION_CONTOUR_STEP, +1) },
    { ISO, "O", "hide / show the selected contour", "contour-hide", 'O', 0, ACTION_CONTOUR_HIDE },
    { ISO, "Delete", "remove the selected contour", "contour-remove", KEY_DELETE, 0,
      ACTION_CONTOUR_REMOVE },

    { METHOD, "A", "next method", "method-next", 'A', 0, STEP(ACTION_METHOD_STEP, +1) },
    { METHOD, "Shift+A", "previous method", "method-previous", 'A', MOD_SHIFT,
      STEP(ACTION_METHOD_STEP, -1) },
    { METHOD, "Ctrl+1 .. 9", "select by number", "method-by-number", '1', MOD_CTRL,
      ACTION_METHOD_PICK, .span = 9 },
    { METHOD, "N", "skip bricks that the isovalue misses", "skip-bricks", 'N', 0,
      SHOWS(ACTION_SKIPPING, view.every_brick), .inverse = true },
    { METHOD, "M", "measure all methods in turns", "measure-all", 'M', 0, ACTION_COMPARE },
    { METHOD, "Ctrl+C", "copy the table of their times as CSV", "copy-table", 'C', MOD_CTRL,
      ACTION_COPY_TABLE },
    { METHOD, "Shift+M", "list the methods by time", "methods-by-time", 'M', MOD_SHIFT,
      TOGGLE(by_time) },

    { CAMERA, "Left drag", "orbit" },
    { CAMERA, "Middle drag", "pan (also Shift + left drag)" },
    { CAMERA, "Wheel", "zoom (also right drag up / down)" },
    { CAMERA, "Ctrl+wheel", "zoom to the cursor" },
    { CAMERA, "Ctrl+left drag", "roll" },
    { CAMERA, "1  3  7", "front, right, top", "view-front", '1', 0, ACTION_VIEW, CAMERA_FRONT },
    { CAMERA, NULL, "right", "view-right", '3', 0, ACTION_VIEW, CAMERA_RIGHT },
    { CAMERA, NULL, "top", "view-top", '7', 0, ACTION_VIEW, CAMERA_TOP },
    { CAMERA, "Shift+1  3  7", "back, left, bottom", "view-back", '1', MOD_SHIFT, ACTION_VIEW,
      CAMERA_BACK },
    { CAMERA, NULL, "left", "view-left", '3', MOD_SHIFT, ACTION_VIEW, CAMERA_LEFT },
    { CAMERA, NULL, "bottom", "view-bottom", '7', MOD_SHIFT, ACTION_VIEW, CAMERA_BOTTOM },
    { CAMERA, "Click an axis", "view along it" },
    { CAMERA, "9", "isometric view", "view-isometric", '9', 0, ACTION_VIEW, CAMERA_ISOMETRIC },
    { CAMERA, "2  4  6  8", "orbit by 15 degrees", "orbit-down", '2', 0,
      STEP(ACTION_ORBIT, CAMERA_STEP_DOWN) },
    { CAMERA, NULL, "left", "orbit-left", '4', 0, STEP(ACTION_ORBIT, CAMERA_STEP_LEFT) },
    { CAMERA, NULL, "right", "orbit-right", '6', 0, STEP(ACTION_ORBIT, CAMERA_STEP_RIGHT) },
    { CAMERA, NULL, "up", "orbit-up", '8', 0, STEP(ACTION_ORBIT, CAMERA_STEP_UP) },
    { CAMERA, "5", "orthographic instead of perspective", "orthographic", '5', 0,
      TOGGLE(view.camera.ortho) },
    { CAMERA, "K", "trackball instead of turntable", "trackball", 'K', 0,
      SHOWS(ACTION_TRACKBALL, view.camera.trackball) },
    { CAMERA, "U", "which axis is up: y, z, x, -y, -z, -x", "up-next", 'U', 0, ACTION_UP, +1 },
    { CAMERA, "Shift+U", "previous axis up", "up-previous", 'U', MOD_SHIFT, ACTION_UP, -1 },
    { CAMERA, "F", "fit the surface, keep the direction", "fit", 'F', 0, ACTION_FIT },
    { CAMERA, "Shift+F", "fit the volume", "fit-volume", 'F', MOD_SHIFT, ACTION_FIT_VOLUME },
    { CAMERA, "R  Enter", "fit the surface, first direction", "reset", 'R', 0, ACTION_RESET },
    { CAMERA, NULL, "the same", "reset", KEY_ENTER, 0, ACTION_RESET },

    { SHOW, "Ctrl+Z  Ctrl+Y", "undo / redo (also Ctrl+Shift+Z)", "undo", 'Z', MOD_CTRL,
      STEP(ACTION_UNDO, -1) },
    { SHOW, NULL, "redo", "redo", 'Y', MOD_CTRL, STEP(ACTION_UNDO, +1) },
    { SHOW, NULL, "redo", "redo", 'Z', MOD_CTRL | MOD_SHIFT, STEP(ACTION_UNDO, +1) },
    { SHOW, "W", "wireframe", "wireframe", 'W', 0, SHOWS(ACTION_TOGGLE_LINES, view.wireframe) },
    { SHOW, "E", "triangle edges on the surface", "edges", 'E', 0,
      SHOWS(ACTION_TOGGLE_LINES, view.edges) },
    { SHOW, "T", "flat instead of smooth shading", "flat", 'T', 0, TOGGLE(view.flat) },
    { SHOW, "Y", "look: bone, clay, scan", "look", 'Y', 0, NEXT(+1, view.look) },
    { SHOW, "G", "rays instead of triangles", "rays", 'G', 0, ACTION_RAYS },
    { SHOW, "Shift+G", "next caster of rays", "caster-next", 'G', MOD_SHIFT, ACTION_CASTER },
    { SHOW, "L", "light: occlusion, off", "light", 'L', 0, NEXT(+1, view.light) },
    { SHOW, "Shift+L", "soft shadow, of rays", "shadow", 'L', MOD_SHIFT, TOGGLE(view.shadow) },
    { SHOW, "V", "surface, bricks, cells, order, pyramid, atlas", "show-next", 'V', 0,
      NEXT(+1, view.show) },
    { SHOW, "Shift+V", "the same backwards", "show-previous", 'V', MOD_SHIFT, NEXT(-1, view.show) },
    { SHOW, "B", "bounding box", "box", 'B', 0, TOGGLE(view.box) },
    { SHOW, "Shift+B", "background: dark, light, white, none", "background", 'B', MOD_SHIFT,
      ACTION_BACKGROUND },
    { SHOW, "C", "planes that cut, on or off", "clip", 'C', 0, ACTION_CLIP },
    { SHOW, "Shift+C", "the other side of the plane", "clip-side", 'C', MOD_SHIFT,
      ACTION_CLIP_SIDE },
    { SHOW, "S", "planes with samples, on or off", "section", 'S', 0, ACTION_SECTION },
    { SHOW, "P", "turn the plane: x, y, z, view", "plane-turn", 'P', 0, ACTION_PLANE_TURN },
    { SHOW, "C or S + wheel", "move the plane by a sample; Shift: a tenth" },
    { SHOW, "C or S + drag", "on the plane's outline: move it" },
    { SHOW, "X", "axes", "axes", 'X', 0, TOGGLE(view.axes) },
    { SHOW, "Shift+X", "scale bar", "scale-bar", 'X', MOD_SHIFT, TOGGLE(view.scale_bar) },
    { SHOW, "Z", "frame times", "frame-times", 'Z', 0, TOGGLE(timings) },
    { SHOW, "Tab  Ctrl+B", "panel", "panel", KEY_TAB, 0, TOGGLE(panel) },
    { SHOW, NULL, "panel", "panel", 'B', MOD_CTRL, TOGGLE(panel) },
    { SHOW, "H  ?  F1", "this help", "help", 'H', 0, ACTION_HELP },
    { SHOW, NULL, "help", "help", '?', 0, ACTION_HELP },
    { SHOW, NULL, "help", "help", KEY_F1, 0, ACTION_HELP },

    { FILES, "Ctrl+O", "open a file or a session; recent ones", "open", 'O', MOD_CTRL,
      ACTION_OPEN },
    { FILES, "Drop a file", "or a folder: open it" },
    { FILES, "Left  Right", "previous / next file in the folder", "file-previous", KEY_LEFT, 0,
      ACTION_FILE_STEP, -1 },
    { FILES, NULL, "next file", "file-next", KEY_RIGHT, 0, ACTION_FILE_STEP, +1 },
    { FILES, "Ctrl+R  F5", "reload", "reload", 'R', MOD_CTRL, ACTION_RELOAD },
    { FILES, NULL, "reload", "reload", KEY_F5, 0, ACTION_RELOAD },
    { FILES, "Ctrl+E", "export the mesh: name and format", "export", 'E', MOD_CTRL, ACTION_EXPORT },
    { FILES, "Ctrl+S", "save the session: volume and view", "save-session", 'S', MOD_CTRL,
      ACTION_SAVE_SESSION },
    { FILES, "F12", "screenshot of the picture", "screenshot", KEY_F12, 0, ACTION_SCREENSHOT },
    { FILES, "Ctrl+F12", "the same with a transparent background", "screenshot-transparent",
      KEY_F12, MOD_CTRL, ACTION_SCREENSHOT, 1 },
    { FILES, "Shift+F12", "screenshots 1, 2, 4, 8 times as large", "screenshot-size", KEY_F12,
      MOD_SHIFT, ACTION_ENLARGE },
    { FILES, "Ctrl+Shift+C", "copy the command that renders it", "copy-command", 'C',
      MOD_CTRL | MOD_SHIFT, ACTION_COPY_LINE },

    { WINDOW, "F11", "full screen", "full-screen", KEY_F11, 0, ACTION_FULLSCREEN },
    { WINDOW, "Ctrl+=  -  0", "larger, smaller, default text", "text-larger", '=', MOD_CTRL,
      STEP(ACTION_UI_SCALE, +1) },
    { WINDOW, NULL, "larger", "text-larger", '=', MOD_CTRL | MOD_SHIFT, STEP(ACTION_UI_SCALE, +1) },
    { WINDOW, NULL, "larger", "text-larger", '+', MOD_CTRL, STEP(ACTION_UI_SCALE, +1) },
    { WINDOW, NULL, "smaller", "text-smaller", '-', MOD_CTRL, STEP(ACTION_UI_SCALE, -1) },
    { WINDOW, NULL, "default", "text-default", '0', MOD_CTRL, ACTION_UI_SCALE },
    { WINDOW, "Esc", "close help, table or form; cancel what runs", "escape", KEY_ESCAPE, 0,
      ACTION_ESCAPE },
    { WINDOW, "Ctrl+Q", "quit", "quit", 'Q', MOD_CTRL, ACTION_QUIT },
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

bool key_row_switches(const struct key_row *row)
{
    return row->setting && setting_at(row->setting)->type == SETTING_SWITCH;
}

bool *key_row_setting(const struct key_row *row, struct settings *settings)
{
    return key_row_switches(row) ? (bool *)((char *)settings + row->setting) : NULL;
}

bool key_row_is_on(const struct key_row *row, const struct settings *settings)
{
    return *(const bool *)((const char *)settings + row->setting) != row->inverse;
}
