// The table of all methods with Dear ImGui, over the picture.
#include <float.h>
#include <imgui.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/panel/ui_table.h"
#include "app/viewer/panel/ui_times.h"

extern "C" {
#include "app/base/range.h"
#include "app/settings/bindings.h"
}

// The columns of the table: the x at which texts end, and at which bars begin and end.
struct ui_table_columns {
    float names, bars, bars_end, least, most, median, whole, steps; // 0 if too narrow
};

static struct ui_table_columns
ui_table_columns_of(const struct ui_kit *kit, float left, float width, bool casts)
{
    const float s = kit->scale, number = floorf(68 * s);
    struct ui_table_columns out = {};
    out.names = left;
    out.steps = left + width;
    out.bars = left + floorf((casts ? 228 : 136) * s);
    out.least = out.steps - floorf(28 * s);
    if (out.least - 4 * number >= out.bars) {
        out.whole = out.least;
        out.median = out.whole - number;
        out.most = out.median - number;
        out.least = out.most - number;
    }
    out.bars_end = out.least - floorf(66 * s);
    return out;
}

static void ui_table_head(
    const struct ui_kit *kit, const struct ui_table_columns *columns, double scale, bool *in_order)
{
    const float s = kit->scale, line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *draw = ImGui::GetWindowDrawList();
    if (ImGui::InvisibleButton("by name", ImVec2(columns->bars - columns->names, line))) {
        *in_order = true;
    }
    ui_explain(kit, "A click lists the methods in their own order.");
    ImGui::SameLine(0, 0);
    if (ImGui::InvisibleButton("by time", ImVec2(columns->steps - columns->bars, line))) {
        *in_order = false;
    }
    ui_explain(
        kit, "A click lists the rows by the least time of their own work, which the bars show: the "
             "stages that are named below. A line goes on to the most. The last time is of all "
             "stages: the median.");
    draw->AddText(at, *in_order ? ACCENT : QUIET, "method");
    char text[48];
    snprintf(text, sizeof text, "0 to %.3g ms", scale);
    if (columns->bars_end - columns->bars > 90 * s) {
        draw->AddText(ImVec2(columns->bars, at.y), QUIET, text);
    }
    ui_put(kit, columns->least, at.y, *in_order ? QUIET : ACCENT, "least ms");
    if (columns->most > 0) {
        ui_put(kit, columns->most, at.y, QUIET, "most ms");
        ui_put(kit, columns->median, at.y, QUIET, "median ms");
        ui_put(kit, columns->whole, at.y, QUIET, "all ms");
    }
    ui_put(kit, columns->steps, at.y, QUIET, "n");
}

// Draws a bar up to the least time, and a line from there to the most. A line that is too long has
// no end.
static void ui_table_bar(
    const struct ui_kit *kit, const struct step_summary *times,
    const struct ui_table_columns *columns, float y, double scale)
{
    const float line = ImGui::GetTextLineHeight(), tall = floorf(line * 0.6f);
    const float top = y + floorf(line * 0.22f), s = fmaxf(1, floorf(kit->scale));
    const double pixels = (double)(columns->bars_end - columns->bars) / scale;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    if (pixels <= 0) {
        return;
    }
    const float from =
        ui_stacked_bar(times, times->compaction.min_ms, ImVec2(columns->bars, top), tall, pixels);
    const float to = columns->bars + (float)(times->compaction.max_ms * pixels);
    const float end = fminf(to, columns->bars_end), middle = top + floorf((tall - s) / 2);
    draw->AddRectFilled(ImVec2(from, middle), ImVec2(end, middle + s), DIM);
    if (to <= columns->bars_end) {
        draw->AddRectFilled(ImVec2(end - s, top), ImVec2(end, top + tall), DIM);
    }
}

// `best`: no method is faster, or it cannot be told apart from the fastest one.
static void ui_table_row(
    const struct ui_kit *kit, const char *const *stages, const struct measurement_row *row,
    const struct ui_table_columns *columns, double scale, bool best)
{
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const struct step_summary *times = &row->times;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    char text[32], name[sizeof row->choice + 32], cut[sizeof name];
    ImGui::Dummy(ImVec2(columns->steps - columns->names, line));
    if (ImGui::IsItemHovered()) {
        ImGui::BeginTooltip();
        if (row->choice[0]) {
            ImGui::Text("It ran, for bricks and cells: %s", row->choice);
        }
        if (!row->caster && times->stage_ms[STEP_REMOVALS] > 0) {
            ImGui::TextUnformatted("It keeps its lists: these are steps from an isovalue that is "
                                   "1 % of the range away.");
        }
        for (uint32_t s = 0; s < STEP_STAGES; s++) {
            if (stages[s]) {
                ImGui::TextColored(
                    ImGui::ColorConvertU32ToFloat4(ui_stages[s].colour), "%s  %s ms", stages[s],
                    ui_ms(times->stage_ms[s], text));
            }
        }
        ImGui::EndTooltip();
    }
    const ImU32 colour = best ? ACCENT : TEXT;
    const float gap = floorf(6 * kit->scale);
    if (best) {
        const float x = columns->names - gap;
        draw->AddRectFilled(
            ImVec2(x, at.y), ImVec2(x + floorf(gap / 2), at.y + line + 2 * kit->scale), ACCENT);
    }
    snprintf(name, sizeof name, "%s%s%s", row->name, row->choice[0] ? ": " : "", row->choice);
    ui_cut_text(name, columns->bars - columns->names - gap, cut, sizeof cut);
    draw->AddText(ImVec2(columns->names, at.y), colour, cut);
    ui_table_bar(kit, times, columns, at.y, scale);
    ui_put(kit, columns->least, at.y, colour, ui_ms(times->compaction.min_ms, text));
    if (columns->most > 0) {
        ui_put(kit, columns->most, at.y, DIM, ui_ms(times->compaction.max_ms, text));
        ui_put(kit, columns->median, at.y, DIM, ui_ms(times->compaction.median_ms, text));
        ui_put(kit, columns->whole, at.y, DIM, ui_ms(times->whole.median_ms, text));
    }
    snprintf(text, sizeof text, "%u", times->steps);
    ui_put(kit, columns->steps, at.y, DIM, text);
}

static void ui_table_legend(const struct ui_kit *kit, const char *const *stages, float width)
{
    const float s = kit->scale, line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *draw = ImGui::GetWindowDrawList();
    float x = 0, y = 0;
    for (uint32_t i = 0; i < UI_OWN_STAGES; i++) {
        const enum step_stage stage = ui_own_first[i];
        const float size = floorf(line * 0.5f);
        const float wide = size + 4 * s + ImGui::CalcTextSize(stages[stage]).x + 10 * s;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line + s;
        }
        const ImVec2 box(at.x + x, at.y + y + floorf(line * 0.3f));
        draw->AddRectFilled(
            box, ImVec2(box.x + size, box.y + size), ui_stages[stage].colour, 1.5f * s);
        draw->AddText(ImVec2(box.x + size + 4 * s, at.y + y), DIM, stages[stage]);
        x += wide;
    }
    ImGui::Dummy(ImVec2(width, y + line));
}

static void ui_table_hints(float width)
{
    static const char *const hints[][2] = {
        { "copy-table", "copies it as CSV" },
        { "escape", "closes it" },
        { "measure-all", "measures again" },
    };
    char line[3 * BINDINGS_HINT] = "";
    size_t length = 0;
    for (const char *const *hint : hints) {
        char text[BINDINGS_HINT];
        if (*bindings_hint(hint[0], hint[1], text)) {
            length += (size_t)snprintf(
                line + length, sizeof line - length, "%s%s", length ? ", " : "", text);
        }
    }
    ui_cut_line(QUIET, line, width);
}

void ui_table(const struct ui_kit *kit, const struct ui_model *model, float left, bool *in_order)
{
    const struct measurement *table = model->measurement;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float s = kit->scale, margin = floorf(14 * s);
    // In a small window with large text the table does not fit beside the panel, and covers it.
    const bool covers = display.x - left - 2 * margin < 250 * s;
    const float place = (covers ? 0 : left) + margin;
    const float width = fminf(display.x - place - margin, 720 * s);
    uint32_t order[MEASUREMENT_ROWS];
    double scale = 1e-3;
    measurement_order(table, !*in_order, order);
    for (uint32_t i = 0; i < table->count; i++) {
        scale = fmax(scale, 1.25 * table->rows[i].times.compaction.min_ms);
    }
    ImGui::SetNextWindowPos(ImVec2(place, margin));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, display.y - 2 * margin));
    ImGui::Begin(
        "table", nullptr,
        (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
            ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
            ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
    char text[2 * MEASUREMENT_TEXT + 64];
    const float inner = ImGui::GetContentRegionAvail().x;
    snprintf(text, sizeof text, "%s at isovalue %.7g", table->volume, table->iso);
    ImGui::PushFont(kit->bold);
    ui_cut_line(TEXT, text, inner);
    ImGui::PopFont();
    ImGui::PushFont(kit->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * s, 2 * s));
    snprintf(
        text, sizeof text,
        table->casts ? "To cast the picture's rays: n casts in turns, on %s"
                     : "To make the mesh: n steps in turns, on %s",
        table->device);
    ui_cut_line(DIM, text, inner);
    ui_cut_line(TEXT, measurement_verdict(table, text), inner);
    ui_explain(
        kit, "A line beside its name marks a method that is the best, or that cannot be told apart "
             "from it: it did not take longer in so many turns that the chance of it is below 1 %. "
             "Such methods are measured in more turns, until they are told apart or have 32.");
    ImGui::Dummy(ImVec2(0, 2 * s));
    const struct ui_table_columns columns =
        ui_table_columns_of(kit, ImGui::GetCursorScreenPos().x, inner, table->casts);
    ui_table_head(kit, &columns, scale, in_order);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct measurement_row *row = &table->rows[order[i]];
        const bool best = !row->apart && !method_at(row->index)->selects;
        ui_table_row(kit, measurement_stages(table), row, &columns, scale, best);
    }
    ImGui::Dummy(ImVec2(0, 2 * s));
    ui_table_legend(kit, measurement_stages(table), inner);
    ui_table_hints(inner);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::End();
}
