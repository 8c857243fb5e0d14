// The panel and everything else that is drawn over the picture. This header is plain C;
// ui_imgui.cpp implements it with Dear ImGui. It knows no Vulkan: its result is vertices
// (ui_draw.h).
#pragma once

#include "app/settings/table.h"
#include "app/viewer/forms/form.h"
#include "app/viewer/panel/ui_model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ui;

// `window` comes from window_handle. PROBLEM_INTERNAL if the font cannot be made.
bool ui_create(void *window, float scale, struct ui **out, struct problem *problem);
void ui_destroy(struct ui *ui);

// Scales text and everything around it; 1 is 15 pixels. Takes effect with the next frame.
void ui_set_scale(struct ui *ui, float scale);

// The glyphs: one byte of coverage per pixel. The generation changes with the scale.
const uint8_t *ui_glyphs(struct ui *ui, uint32_t *width, uint32_t *height, uint32_t *generation);

// Width in pixels that the panel takes from the left of the window (0 when hidden).
float ui_panel_width(const struct ui *ui, const struct settings *settings);

// Whether x, in framebuffer pixels, is at the panel's edge, which the mouse can drag.
bool ui_at_edge(const struct ui *ui, const struct settings *settings, float x);
// The setting panel_width that moves the edge to x, within limits.
float ui_width_at(const struct ui *ui, float x);

// Whether the panel shows the group of planes.
bool ui_shows_planes(const struct ui *ui, const struct settings *settings);

// The left button was released at x, in framebuffer pixels. It is passed on because the mouse may
// be elsewhere by the next frame.
void ui_release(struct ui *ui, float x);

// Which end of the axes is drawn at (x, y), in framebuffer pixels: 0 for +x, 1 for -x, 2 for +y and
// so on; -1: none.
int ui_axis_at(const struct ui *ui, float x, float y);

// The wheel was turned by `steps` at (x, y), in framebuffer pixels, with `mods` of enum key_mods.
// Over the histogram it moves the isovalue, or with Ctrl the part of the range that is shown.
void ui_scroll(struct ui *ui, float x, float y, float steps, int mods);

// Enter was pressed. It is passed on because it may be released by the next frame.
void ui_enter(struct ui *ui);
void ui_erase(struct ui *ui); // Backspace was pressed: see ui_enter

// Lays out one frame.
void ui_frame(struct ui *ui, const struct ui_model *model, struct ui_answer *answer);

bool ui_wants_mouse(const struct ui *ui);
bool ui_holds(
    const struct ui *ui); // the mouse drags something, such as the marker of the histogram
bool ui_wants_text(const struct ui *ui);
bool ui_has_popup(const struct ui *ui); // a click beside the popup only closes it
bool ui_close_popup(struct ui *ui);     // returns whether there was one
bool ui_helps(const struct ui *ui);     // the last frame showed the help
bool ui_has_form(const struct ui *ui);  // one of the last two frames showed a form

// The frame's triangles. Vertices are ui_vertex, indices uint16.
struct ui_vertex {
    float position[2], place[2];
    uint8_t tint[4];
};
struct ui_command {
    float clip[4]; // left, top, right, bottom in pixels of the framebuffer
    uint32_t first_index, index_count;
    int32_t vertex_offset;
};
struct ui_drawing {
    float origin[2], size[2]; // the window's, in the vertices' units
    uint32_t vertex_count, index_count, command_count;
    const struct ui_command *commands;
};
void ui_drawing_get(struct ui *ui, struct ui_drawing *out);
void ui_drawing_write(struct ui *ui, struct ui_vertex *vertices, uint16_t *indices);

#ifdef __cplusplus
}
#endif
