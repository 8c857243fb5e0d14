// The counts and times of the surface, and what the stages of a step look like. Only C++ files
// include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

struct ui_stage {
    ImU32 colour;
    const char *text; // what the stage does, for people
};
extern const struct ui_stage ui_stages[STEP_STAGES];
// The stages in drawing order. The first UI_OWN_STAGES are the method's own work.
#define UI_OWN_STAGES 3
extern const enum step_stage ui_own_first[STEP_STAGES];

const char *ui_ms(double ms, char out[32]);         // two decimals below 100, one below 1000
const char *ui_steps(uint32_t steps, char out[32]); // "5 steps"

// Draws a bar for `ms` from `at` on, with `pixels` pixels for a millisecond. The method's own
// stages divide it, as their medians do. Returns the x at which the bar ends.
float ui_stacked_bar(
    const struct step_summary *times, double ms, ImVec2 at, float height, double pixels);

// Draws a stage's colour, name, bar and `ms`; below 0: unknown. A tooltip explains the stage.
void ui_time_row(
    const struct ui_kit *kit, const struct ui_stage *stage, const char *name, double ms,
    double scale_ms);
// Draws the heading of these rows, with the milliseconds of a full bar. `why`: a tooltip for them.
void ui_times_heading(const struct ui_kit *kit, double scale_ms, const char *why);
// Draws a chart of the last steps, `width` pixels wide.
void ui_history(const struct ui_kit *kit, const struct ui_model *model, float width);

void ui_counts(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer);
// Draws the times of the selected method. `scale_ms`: milliseconds of a full bar.
void ui_times(const struct ui_kit *kit, const struct ui_model *model, double scale_ms);
