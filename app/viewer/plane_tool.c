#include "app/viewer/plane_tool.h"

#include "app/settings/outline.h"

#include <string.h>

static const float GRIP = 6; // pixels from an outline, before scaling with the display

static struct plane *plane_tool_group(struct view *view, bool sections)
{
    return sections ? view->sections : view->clips;
}

// The selected plane, or the first of its group. NULL: the group has none.
static struct plane *plane_tool_plane(struct viewer *viewer)
{
    struct plane_hand *hand = &viewer->hand.planes;
    struct plane *group = plane_tool_group(&viewer->settings.view, hand->sections);
    hand->selected = hand->selected < planes_count(group) ? hand->selected : 0;
    return group->kind ? &group[hand->selected] : NULL;
}

// Says where the selected plane is.
static void plane_tool_say(struct viewer *viewer)
{
    const struct plane one[PLANES_MOST] = { *plane_tool_plane(viewer) };
    char text[PLANES_TEXT];
    message_say(
        &viewer->message, "%s at %s.", viewer->hand.planes.sections ? "Samples" : "Cut",
        planes_text(one, text));
}

// Selects a plane of the group that the row is about. False: it is about none.
static bool plane_tool_select(struct plane_hand *hand, const struct key_row *row)
{
    const bool sections = row->action == ACTION_SECTION;
    if (!sections && row->action != ACTION_CLIP && row->action != ACTION_CLIP_SIDE) {
        return false;
    }
    hand->selected = hand->sections == sections ? hand->selected : 0;
    hand->sections = sections;
    return true;
}

bool plane_tool_press(struct plane_hand *hand, const struct key_row *row, int key)
{
    if (key == KEY_NONE || !plane_tool_select(hand, row)) {
        return false;
    }
    hand->held = row;
    hand->key = key;
    hand->used = false;
    return true;
}

const struct key_row *plane_tool_release(struct plane_hand *hand, int key)
{
    const struct key_row *row = key == hand->key ? hand->held : NULL;
    hand->held = row ? NULL : hand->held;
    return hand->used ? NULL : row;
}

// Adds a plane to a group without planes, and shows the group. False: it was shown.
static bool plane_tool_show(struct viewer *viewer)
{
    struct view *view = &viewer->settings.view;
    const bool sections = viewer->hand.planes.sections;
    struct plane *group = plane_tool_group(view, sections);
    bool *off = sections ? &view->section_off : &view->clip_off;
    const bool was_off = *off;
    *off = false;
    if (!group->kind) {
        planes_add(group);
        plane_tool_say(viewer);
        return true;
    }
    return was_off;
}

bool plane_tool_act(struct viewer *viewer, const struct key_row *row)
{
    struct view *view = &viewer->settings.view;
    plane_tool_select(&viewer->hand.planes, row);
    struct plane *plane = plane_tool_plane(viewer);
    switch (row->action) {
    case ACTION_CLIP:
        view->clip_off = !plane_tool_show(viewer);
        return true;
    case ACTION_SECTION:
        view->section_off = !plane_tool_show(viewer);
        return true;
    case ACTION_CLIP_SIDE:
        if (!plane_tool_show(viewer)) {
            plane_flip(plane);
            plane_tool_say(viewer);
        }
        return true;
    case ACTION_PLANE_TURN:
        viewer->hand.planes.used = true;
        if (!plane_tool_show(viewer)) {
            plane_turn(plane);
            plane_tool_say(viewer);
        }
        return true;
    default:
        return false;
    }
}

uint32_t plane_tool_shows(const struct viewer *viewer)
{
    const struct view *view = &viewer->settings.view;
    const struct plane_hand *hand = &viewer->hand.planes;
    const uint32_t own = hand->held || hand->drags ? 1u << hand->sections : 0;
    const uint32_t open = ui_shows_planes(viewer->screen.ui, &viewer->settings) ? 3 : 0;
    return (own | open) & ~((uint32_t)view->clip_off | (uint32_t)view->section_off << 1);
}

static struct plane_span plane_tool_span(const struct viewer *viewer, const struct plane *plane)
{
    struct plane_span span;
    plane_span(plane, &viewer->works.document->placement, &viewer->settings.view.camera, &span);
    return span;
}

// Moves the selected plane to a coordinate.
static void plane_tool_move(struct viewer *viewer, double at)
{
    struct plane *plane = plane_tool_plane(viewer);
    const struct plane_span span = plane_tool_span(viewer, plane);
    plane_place(plane, &span, at);
    plane_tool_say(viewer);
    works_redraw(&viewer->works);
}

bool plane_tool_scroll(struct viewer *viewer, const struct window_event *event)
{
    if (!viewer->hand.planes.held || !viewer->works.document) {
        return false;
    }
    plane_tool_show(viewer);
    const struct plane *plane = plane_tool_plane(viewer);
    const struct plane_span span = plane_tool_span(viewer, plane);
    const double samples = (double)event->steps / (event->mods & MOD_SHIFT ? 10 : 1);
    plane_tool_move(viewer, plane_at(plane, &span) + samples * span.sample);
    viewer->hand.planes.used = true;
    return true;
}

static void
plane_tool_outline(const struct viewer *viewer, const struct plane *plane, struct outline *out)
{
    const VkExtent2D size = viewer->works.area.extent;
    outline_of(
        plane, &viewer->works.document->placement, &viewer->settings.view.camera, (float)size.width,
        (float)size.height, out);
}

bool plane_tool_grab(struct viewer *viewer, float x, float y)
{
    struct plane_hand *hand = &viewer->hand.planes;
    const VkOffset2D from = viewer->works.area.offset;
    const uint32_t shows = viewer->works.document ? plane_tool_shows(viewer) : 0;
    float least = GRIP * window_scale(viewer->screen.window), grid[3];
    for (uint32_t i = 0; i < 2 * PLANES_MOST; i++) {
        const bool sections = i >= PLANES_MOST;
        const struct plane *plane =
            &plane_tool_group(&viewer->settings.view, sections)[i % PLANES_MOST];
        struct outline outline;
        if (!plane->kind || !(shows >> sections & 1)) {
            continue;
        }
        plane_tool_outline(viewer, plane, &outline);
        const float away = outline_nearest(&outline, x - (float)from.x, y - (float)from.y, grid);
        if (away <= least) {
            const struct plane_span span = plane_tool_span(viewer, plane);
            least = away;
            hand->drags = true;
            hand->sections = sections;
            hand->selected = i % PLANES_MOST;
            hand->wanted = plane_at(plane, &span);
            memcpy(hand->grid, grid, sizeof grid);
        }
    }
    return hand->drags;
}

bool plane_tool_drag(struct viewer *viewer, float dx, float dy)
{
    struct plane_hand *hand = &viewer->hand.planes;
    const struct plane *plane = viewer->works.document ? plane_tool_plane(viewer) : NULL;
    if (!hand->drags || !plane) {
        return false;
    }
    struct outline outline;
    plane_tool_outline(viewer, plane, &outline);
    const struct plane_span span = plane_tool_span(viewer, plane);
    const float samples = outline_pull(&outline, hand->grid, dx, dy);
    for (int c = 0; c < 3; c++) {
        hand->grid[c] += samples * outline.plane[c];
    }
    hand->wanted += (double)(plane->flipped ? -samples : samples) * span.sample;
    plane_tool_move(viewer, hand->wanted);
    return true;
}
