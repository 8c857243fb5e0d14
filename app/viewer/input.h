// What the person does with keys, mouse and panel: it changes settings and requests actions.
#pragma once

#include "app/viewer/state.h"

// Handles events. If there are none, waits for one for at most `seconds`.
void input_events(struct viewer *viewer, double seconds);
void input_answer(struct viewer *viewer, const struct ui_answer *answer); // handles panel input
void input_sweep(struct viewer *viewer); // advances the isovalue during a sweep

uint32_t input_outlines(const struct viewer *viewer); // plane_tool_shows, for this window

// Shows the panel, unless the window is small. Returns whether it is shown. The size is in pixels
// at scale 1.
bool input_fit_window(struct settings *settings, float width, float height);
// Call it if a surface or a cast could not be made with the present settings. It changes these
// settings and shows a message that says so.
void input_refused(struct viewer *viewer);
void input_scale_text(
    struct settings *settings, float scale); // relative to the display's own scale

// Shows the form that asks about a raw file, or for the missing volume of a session, if one waits.
void input_ask(struct viewer *viewer);
