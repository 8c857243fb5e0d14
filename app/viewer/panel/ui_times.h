// The counts and times of the surface, and what the stages of a step look like. Only C++ files
// include this, after imgui.h.
#pragma once

#include "app/viewer/panel/ui_kit.h"

struct ui_stage {
    ImU32 colour;
    const char *text; // what it does, for people
};
extern const struct ui_stage ui_stages[STEP_STAGES];
// The stages of the method's own work first; there are so many of these:
#define UI_OWN_STAGES 3
extern const enum step_stage ui_own_first[STEP_STAGES];

const char *ui_ms(double ms, char out[32]);         // with three digits or more
const char *ui_steps(uint32_t steps, char out[32]); // "5 steps"

// The first `stages` of ui_own_first as one bar from `at` on, where a millisecond is so many pixels
// wide. Returns its end.
float ui_stacked_bar(
    const struct step_summary *times, uint32_t stages, ImVec2 at, float height, double pixels);

// A stage: its colour, name, bar and milliseconds; below 0: unknown. A tooltip explains it.
void ui_time_row(
    const struct ui_kit *kit, const struct ui_stage *stage, const char *name, double ms,
    double scale_ms);
// The heading of such rows, with what the longest bar means. `why` explains it.
void ui_times_heading(const struct ui_kit *kit, double scale_ms, const char *why);
// The chart of the last steps, so many pixels wide.
void ui_history(const struct ui_kit *kit, const struct ui_model *model, float width);

void ui_counts(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer);
// The times of the selected method. `scale_ms`: what the longest bar means.
void ui_times(const struct ui_kit *kit, const struct ui_model *model, double scale_ms);
