#include "app/viewer/base/plane_tool.h"

#include "app/settings/outline.h"

#include <math.h>
#include <string.h>

static const double LONG = 0.4; // seconds that a key is held to see the outline, not to press it

static struct plane *plane_tool_group(const struct plane_tool *tool, struct view *view)
{
    return tool->sections ? view->sections : view->clips;
}

// The selected plane. Its group must have one.
static struct plane *plane_tool_plane(struct plane_tool *tool, struct view *view)
{
    struct plane *group = plane_tool_group(tool, view);
    tool->selected = tool->selected < planes_count(group) ? tool->selected : 0;
    return &group[tool->selected];
}

static void plane_tool_say(const struct plane_tool *tool, const struct plane_scene *at)
{
    const struct plane one[PLANES_MOST] = { plane_tool_group(tool, at->view)[tool->selected] };
    char text[PLANES_TEXT];
    message_say(
        at->message, "%s at %s.", tool->sections ? "Samples" : "Cut", planes_text(one, text));
}

// Selects a plane of the group that the row is about. False: it is about none.
static bool plane_tool_select(struct plane_tool *tool, const struct key_row *row)
{
    const bool sections = row->action == ACTION_SECTION;
    if (!sections && row->action != ACTION_CLIP && row->action != ACTION_CLIP_SIDE) {
        return false;
    }
    tool->selected = tool->sections == sections ? tool->selected : 0;
    tool->sections = sections;
    return true;
}

bool plane_tool_press(struct plane_tool *tool, const struct key_row *row, int key)
{
    if (key == KEY_NONE || !plane_tool_select(tool, row)) {
        return false;
    }
    tool->held = row;
    tool->key = key;
    tool->waited = 0;
    tool->used = false;
    return true;
}

const struct key_row *plane_tool_release(struct plane_tool *tool, int key)
{
    const struct key_row *row = key == tool->key ? tool->held : NULL;
    tool->held = row ? NULL : tool->held;
    return tool->used || tool->waited > LONG ? NULL : row;
}

// Shows the selected group, and adds a plane if it has none. False: it was shown.
static bool plane_tool_show(struct plane_tool *tool, const struct plane_scene *at)
{
    struct plane *group = plane_tool_group(tool, at->view);
    bool *off = tool->sections ? &at->view->section_off : &at->view->clip_off;
    const bool hidden = *off || !group->kind;
    *off = false;
    if (!group->kind) {
        planes_add(group);
        plane_tool_say(tool, at);
    }
    return hidden;
}

bool plane_tool_act(
    struct plane_tool *tool, const struct plane_scene *at, const struct key_row *row)
{
    if (!plane_tool_select(tool, row) && row->action != ACTION_PLANE_TURN) {
        return false;
    }
    const bool shown = !plane_tool_show(tool, at);
    if (row->action == ACTION_CLIP) {
        at->view->clip_off = shown;
    } else if (row->action == ACTION_SECTION) {
        at->view->section_off = shown;
    } else if (shown) {
        struct plane *plane = plane_tool_plane(tool, at->view);
        if (row->action == ACTION_PLANE_TURN) {
            plane_turn(plane, at->placement, &at->view->camera);
        } else {
            plane_flip(plane);
        }
        plane_tool_say(tool, at);
        tool->used = true;
    }
    return true;
}

uint32_t plane_tool_shows(const struct plane_tool *tool, const struct view *view, bool all)
{
    const uint32_t own = tool->held || tool->drags ? 1u << tool->sections : 0;
    return (all ? 3 : own) & ~((uint32_t)view->clip_off | (uint32_t)view->section_off << 1);
}

// Finds where the selected plane is and can be.
static double
plane_tool_at(struct plane_tool *tool, const struct plane_scene *at, struct plane_span *span)
{
    const struct plane *plane = plane_tool_plane(tool, at->view);
    plane_span(plane, at->placement, &at->view->camera, span);
    return plane_at(plane, span);
}

bool plane_tool_scroll(struct plane_tool *tool, const struct plane_scene *at, double samples)
{
    struct plane_span span;
    if (tool->held) {
        plane_tool_show(tool, at);
        const double from = plane_tool_at(tool, at, &span);
        plane_place(
            plane_tool_plane(tool, at->view), &span, from + samples * span.sample,
            span.sample * 1e-3);
        plane_tool_say(tool, at);
        tool->used = true;
    }
    return tool->held;
}

bool plane_tool_grab(
    struct plane_tool *tool, const struct plane_scene *at, uint32_t shows, float x, float y,
    float grip)
{
    struct plane_span span;
    struct outline outline;
    float grid[3];
    for (uint32_t i = 0; i < 2 * PLANES_MOST; i++) {
        const bool sections = i >= PLANES_MOST;
        const struct plane *plane =
            &(sections ? at->view->sections : at->view->clips)[i % PLANES_MOST];
        if (!plane->kind || !(shows >> sections & 1)) {
            continue;
        }
        outline_of(plane, at->placement, &at->view->camera, at->width, at->height, &outline);
        const float away = outline_nearest(&outline, x, y, grid);
        if (away <= grip) {
            grip = away;
            tool->drags = true;
            tool->sections = sections;
            tool->selected = i % PLANES_MOST;
            tool->wanted = plane_tool_at(tool, at, &span);
            memcpy(tool->grid, grid, sizeof grid);
        }
    }
    return tool->drags;
}

void plane_tool_drag(struct plane_tool *tool, const struct plane_scene *at, float dx, float dy)
{
    struct plane *plane = plane_tool_plane(tool, at->view);
    struct plane_span span;
    struct outline outline;
    if (!plane->kind) { // undo has removed it
        tool->drags = false;
        return;
    }
    plane_tool_at(tool, at, &span);
    outline_of(plane, at->placement, &at->view->camera, at->width, at->height, &outline);
    const float samples = outline_pull(&outline, tool->grid, dx, dy);
    for (int c = 0; c < 3; c++) {
        tool->grid[c] += samples * outline.plane[c];
    }
    tool->wanted += (double)(plane->flipped ? -samples : samples) * span.sample;
    // The samples that a pixel moves the plane by.
    const float pixel =
        hypotf(outline_pull(&outline, tool->grid, 1, 0), outline_pull(&outline, tool->grid, 0, 1));
    plane_place(plane, &span, tool->wanted, (double)pixel * span.sample);
    plane_tool_say(tool, at);
}
