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
    float names, bars, bars_end, median, least, whole, steps; // least, whole: 0 if too narrow
};

static struct ui_table_columns
ui_table_columns_of(const struct ui_kit *kit, float left, float width)
{
    const float s = kit->scale, number = floorf(62 * s);
    struct ui_table_columns out = {};
    out.names = left;
    out.steps = left + width;
    out.bars = left + floorf(136 * s);
    out.median = out.steps - floorf(28 * s);
    if (out.median - 3 * number >= out.bars) {
        out.whole = out.median;
        out.least = out.whole - number;
        out.median = out.least - number;
    }
    out.bars_end = out.median - floorf(74 * s);
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
        kit, "A click lists the methods by the median of the compaction. The compaction is what "
             "the methods differ in: bricks, cells and removals. The step is all stages.");
    draw->AddText(at, *in_order ? ACCENT : QUIET, "method");
    char text[48];
    snprintf(text, sizeof text, "0 to %.3g ms", scale);
    if (columns->bars_end - columns->bars > 90 * s) {
        draw->AddText(ImVec2(columns->bars, at.y), QUIET, text);
    }
    ui_put(kit, columns->median, at.y, *in_order ? QUIET : ACCENT, "compaction");
    if (columns->least > 0) {
        ui_put(kit, columns->least, at.y, QUIET, "least");
        ui_put(kit, columns->whole, at.y, QUIET, "step");
    }
    ui_put(kit, columns->steps, at.y, QUIET, "n");
}

static void ui_table_row(
    const struct ui_kit *kit, const struct measurement_row *row,
    const struct ui_table_columns *columns, double scale, bool fastest)
{
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const struct step_summary *times = &row->times;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    char text[32];
    ImGui::Dummy(ImVec2(columns->steps - columns->names, line));
    if (ImGui::IsItemHovered()) {
        ImGui::BeginTooltip();
        if (row->choice[0]) {
            ImGui::TextUnformatted(row->choice);
        }
        if (times->stage_ms[STEP_REMOVALS] > 0) {
            ImGui::TextUnformatted("It keeps its lists: these are steps from an isovalue that is "
                                   "1 % of the range away.");
        }
        for (uint32_t s = 0; s < STEP_STAGES; s++) {
            ImGui::TextColored(
                ImGui::ColorConvertU32ToFloat4(ui_stages[s].colour), "%s  %s ms",
                step_stage_names[s], ui_ms(times->stage_ms[s], text));
        }
        ImGui::EndTooltip();
    }
    draw->AddText(ImVec2(columns->names, at.y), fastest ? ACCENT : TEXT, row->method);
    const float tall = floorf(line * 0.6f), room = columns->bars_end - columns->bars;
    if (room > 0) {
        ui_stacked_bar(
            times, STEP_STAGES, ImVec2(columns->bars, at.y + floorf(line * 0.22f)), tall,
            (double)room / scale);
    }
    const ImU32 colour = fastest ? ACCENT : TEXT;
    ui_put(kit, columns->median, at.y, colour, ui_ms(times->compaction.median_ms, text));
    if (columns->least > 0) {
        ui_put(kit, columns->least, at.y, DIM, ui_ms(times->compaction.min_ms, text));
        ui_put(kit, columns->whole, at.y, DIM, ui_ms(times->whole.median_ms, text));
    }
    snprintf(text, sizeof text, "%u", times->steps);
    ui_put(kit, columns->steps, at.y, DIM, text);
}

static void ui_table_legend(const struct ui_kit *kit, float width)
{
    const float s = kit->scale, line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *draw = ImGui::GetWindowDrawList();
    float x = 0, y = 0;
    for (uint32_t i = 0; i < STEP_STAGES; i++) {
        const enum step_stage stage = ui_own_first[i];
        const float size = floorf(line * 0.5f);
        const float wide = size + 4 * s + ImGui::CalcTextSize(step_stage_names[stage]).x + 10 * s;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line + s;
        }
        const ImVec2 box(at.x + x, at.y + y + floorf(line * 0.3f));
        draw->AddRectFilled(
            box, ImVec2(box.x + size, box.y + size), ui_stages[stage].colour, 1.5f * s);
        draw->AddText(ImVec2(box.x + size + 4 * s, at.y + y), DIM, step_stage_names[stage]);
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
    uint32_t order[STEP_HISTORY_METHODS];
    double scale = 1e-3;
    measurement_order(table, !*in_order, order);
    uint32_t fastest = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const struct measurement_row *rows = table->rows;
        double whole = 0; // milliseconds of the row's bar
        for (double ms : rows[i].times.stage_ms) {
            whole += ms;
        }
        scale = fmax(scale, whole);
        fastest = rows[i].times.compaction.median_ms < rows[fastest].times.compaction.median_ms
                      ? i
                      : fastest;
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
        text, sizeof text, "To make the mesh: median ms of %u steps each, in turns, on %s",
        table->rows[0].times.steps, table->device);
    ui_cut_line(DIM, text, inner);
    ImGui::Dummy(ImVec2(0, 2 * s));
    const struct ui_table_columns columns =
        ui_table_columns_of(kit, ImGui::GetCursorScreenPos().x, inner);
    ui_table_head(kit, &columns, scale, in_order);
    for (uint32_t i = 0; i < table->count; i++) {
        ui_table_row(kit, &table->rows[order[i]], &columns, scale, order[i] == fastest);
    }
    ImGui::Dummy(ImVec2(0, 2 * s));
    ui_table_legend(kit, inner);
    ui_table_hints(inner);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::End();
}
