// The panel and everything else that is drawn over the picture: a plain C face; behind it, in
// ui_imgui.cpp, Dear ImGui. Knows no Vulkan: what it draws comes out as vertices (ui_draw.h).
#pragma once

#include "app/viewer/key_table.h"
#include "volumes/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UI_STAGES  24
#define UI_HISTORY 120
#define UI_METHODS 40

struct ui_method {
    const char *name, *summary, *paper, *promises;
    const char *reason; // why it cannot run here; NULL: it can
    double ms;          // that it last took; 0: not measured yet
    double iso;         // with that isovalue
};

struct ui_stage {
    const char *name;
    double ms;
};

// All that is shown. Strings and arrays need to live only as long as the call. Names of files are
// given as they are: what is not printable in them is escaped here.
struct ui_model {
    const char *file; // NULL: no volume is open
    const struct volume *volume;
    const struct volume_facts *facts;
    const struct settings *settings;

    const struct ui_method *methods;
    uint32_t method_count, method;

    const char *chosen; // what `auto` has chosen; NULL: it is not the method
    const char *times_why;
    bool measuring; // the methods, for it
    double measuring_share;

    bool has_result;
    uint64_t active_cells, vertices, triangles;
    bool every_brick;       // none is skipped, by choice
    double bricks_skipped;  // share of the bricks that the isovalue misses
    double bytes_per_voxel; // that a whole step moves
    bool removes;           // the method takes out of a kept list and adds to it:
    uint64_t cells_removed, cells_entered;
    double removal_ms; // of the stages: finding out which
    const struct ui_stage *stages;
    uint32_t stage_count;
    const float *history; // milliseconds of the last extractions, oldest first
    uint32_t history_count;

    const char *device;
    double cpu_ms, gpu_ms, fps; // of the frame before
    const char *message;        // NULL: none
    bool message_is_error;

    const char *loading; // name of what is being loaded; NULL: nothing
    double loading_share;
    const char *exporting; // file that the mesh is being written to; NULL: none
    double exporting_share;
    bool in_parts;                                          // the volume is worked on part by part:
    uint32_t parts, parts_held, parts_loaded, parts_missed; // of the surface that is shown
    uint64_t bytes_read;
    double making_share; // of the next surface; below 0: none is made
    bool uploading;      // it has been read and is on its way to the device

    float axes[3][3]; // the world's axes as seen: right, up, towards the eye
};

// What the person did with the mouse and in text fields since the frame before.
struct ui_answer {
    bool has_iso;
    double iso;
    bool has_text; // typed isovalue: a number, a percentage or "auto"
    char text[64];
    bool auto_iso, sweep;
    int method; // -1: none chosen
    bool close_help, cancel_loading, cancel_export, dismiss;
};

struct ui;

// `window` is window_handle's. PROBLEM_INTERNAL when the font cannot be made.
bool ui_create(void *window, float scale, struct ui **out, struct problem *problem);
void ui_destroy(struct ui *ui);

// Of text and everything around it; 1 is 15 pixels. Takes effect with the next frame.
void ui_set_scale(struct ui *ui, float scale);

// The glyphs: one byte of coverage per pixel. The generation changes with the scale.
const uint8_t *ui_glyphs(struct ui *ui, uint32_t *width, uint32_t *height, uint32_t *generation);

// Width in pixels that the panel takes from the left of the window (0 when hidden).
float ui_panel_width(const struct ui *ui, const struct settings *settings);

// The left button was let go at x, in framebuffer pixels. By the next frame the mouse may be
// elsewhere.
void ui_release(struct ui *ui, float x);

// Enter was pressed. By the next frame it may be up again.
void ui_enter(struct ui *ui);

// Lays out one frame.
void ui_frame(struct ui *ui, const struct ui_model *model, struct ui_answer *answer);

bool ui_wants_mouse(const struct ui *ui);
bool ui_wants_text(const struct ui *ui);

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
    float origin[2], size[2]; // of the window in the vertices' units
    uint32_t vertex_count, index_count, command_count;
    const struct ui_command *commands;
};
void ui_drawing_get(struct ui *ui, struct ui_drawing *out);
void ui_drawing_write(struct ui *ui, struct ui_vertex *vertices, uint16_t *indices);

#ifdef __cplusplus
}
#endif
