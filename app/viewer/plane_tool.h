// Keys and mouse on planes. Their keys act when they are released. While one is held, the wheel
// moves the selected plane, and the mouse can drag the outlines of planes.
#pragma once

#include "app/viewer/state.h"

// Holds the row's key, if it is one of these. False: the row acts when its key is pressed.
bool plane_tool_press(struct plane_hand *hand, const struct key_row *row, int key);
// A key was released. Returns the row that acts now, or NULL.
const struct key_row *plane_tool_release(struct plane_hand *hand, int key);
// Does what the row says. False: it has nothing to do with planes.
bool plane_tool_act(struct viewer *viewer, const struct key_row *row);

// The outlines that the picture shows: bits by enum plane_group.
uint32_t plane_tool_shows(const struct viewer *viewer);

// Each of these returns whether it was meant for planes. x, y: framebuffer pixels.
bool plane_tool_scroll(struct viewer *viewer, const struct window_event *event);
bool plane_tool_grab(struct viewer *viewer, float x, float y);
bool plane_tool_drag(struct viewer *viewer, float dx, float dy);
