// What the person does with keys, mouse and panel: it changes settings and requests actions.
#pragma once

#include "app/viewer/state.h"

// Handles events. If there are none, waits for one for at most `seconds`.
void input_events(struct viewer *viewer, double seconds);
void input_answer(struct viewer *viewer, const struct ui_answer *answer); // the panel's
void input_sweep(struct viewer *viewer); // advances the isovalue during a sweep

// Shows the form that asks about a raw file, or for the missing volume of a session, if one waits.
void input_ask(struct viewer *viewer);
