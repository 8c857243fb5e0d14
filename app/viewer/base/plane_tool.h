// What keys and mouse do to planes. Their keys act when they are released. While one is held, the
// wheel moves the selected plane, and the mouse can drag the outlines of planes.
#pragma once

#include "app/settings/table.h"
#include "app/viewer/base/message.h"

// Zeroed: nothing is held, and the first plane of view.clips is selected.
struct plane_tool {
    const struct key_row *held; // what the held key does when it is released; NULL: none is held
    int key;
    double waited; // seconds that the window waited for events while the key was held
    bool used;     // the held key has moved a plane: it does nothing when it is released
    bool sections; // the selected plane is one of view.sections; false: of view.clips
    uint32_t selected;
    bool drags;    // the mouse drags the selected plane
    double wanted; // the coordinate that the mouse has dragged it to, perhaps out of the box
    float grid[3]; // the point under the mouse, in grid units
};

// The view that the planes belong to. x and y below are pixels of its picture.
struct plane_scene {
    struct view *view;
    const struct placement *placement;
    struct message *message;
    float width, height;
};

// Holds the row's key, if it is one of these. False: the row acts when its key is pressed.
bool plane_tool_press(struct plane_tool *tool, const struct key_row *row, int key);
// A key was released. Returns the row that acts now, or NULL: the key was used, or held for long.
const struct key_row *plane_tool_release(struct plane_tool *tool, int key);
// Does what the row says. False: it has nothing to do with planes.
bool plane_tool_act(
    struct plane_tool *tool, const struct plane_scene *at, const struct key_row *row);

// The outlines that the picture shows: bit 0 for view.clips, bit 1 for view.sections. `all`: not
// only those whose key is held.
uint32_t plane_tool_shows(const struct plane_tool *tool, const struct view *view, bool all);

// Moves the selected plane by samples if a key is held. False: none is.
bool plane_tool_scroll(struct plane_tool *tool, const struct plane_scene *at, double samples);
// Selects a plane whose outline is within `grip` pixels, and begins to drag it. False: none is.
bool plane_tool_grab(
    struct plane_tool *tool, const struct plane_scene *at, uint32_t shows, float x, float y,
    float grip);
void plane_tool_drag(struct plane_tool *tool, const struct plane_scene *at, float dx, float dy);
