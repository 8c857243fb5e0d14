// The panel's list of methods with Dear ImGui. Rows have fixed positions: nothing moves when
// the method or the surface changes.
#include <float.h>
#include <imgui.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/viewer/panel/ui_methods.h"
#include "app/viewer/panel/ui_times.h"

extern "C" {
#include "app/base/range.h"
#include "app/base/report.h"
#include "app/settings/bindings.h"
#include "compute/casting/caster.h"
#include "compute/casting/wavefront.h"
}

static const float FEWEST_ROWS = 3;

static struct ui_method ui_method_of(const struct ui_model *model, const struct method *method)
{
    const struct document *document = model->document;
    struct ui_method out = {};
    out.of = method;
    out.reason = document_refuses(document, model->gpu, method);
    out.times =
        document_times(document, method, model->settings->view.isos[model->settings->view.contour]);
    out.is_here = out.times.steps > 0;
    if (!out.is_here) {
        out.times = step_history_newest(&document->times, method_row(method));
    }
    return out;
}

// Whether `auto` is selected, and has selected methods.
static bool ui_predicts(const struct ui_model *model)
{
    const struct document *document = model->document;
    return document->shown->has_result && model->settings->view.method->selects &&
           document->shown->result.method->selects;
}

static float ui_row_height(const struct ui_kit *kit)
{
    return ImGui::GetTextLineHeight() + floorf(5 * kit->scale);
}

static float ui_height_of_rows(const struct ui_kit *kit, float rows)
{
    return rows * ui_row_height(kit) + 2 * floorf(3 * kit->scale);
}

bool ui_list_fits(const struct ui_kit *kit, const struct ui_list *list)
{
    return list->beside_rows > 0 &&
           list->beside_rows + ui_height_of_rows(kit, FEWEST_ROWS) <= ImGui::GetIO().DisplaySize.y;
}

// The columns of the list: the x at which the text of each ends.
struct ui_columns {
    float median, least, steps;
};

static struct ui_columns ui_columns_to(const struct ui_kit *kit, float right)
{
    const float gap = floorf(8 * kit->scale);
    struct ui_columns out;
    out.steps = right;
    out.least = out.steps - floorf(16 * kit->scale) - gap;
    out.median = out.least - floorf(42 * kit->scale) - gap;
    return out;
}

static ImU32 ui_row_colour(const struct ui_method *method)
{
    return method->is_here ? TEXT : QUIET;
}

// Draws a bar below the text of a row: the median that it shows, on the panel's scale.
static void ui_row_bar(
    const struct ui_kit *kit, const struct ui_list *list, const struct ui_method *method,
    float left, float right, float foot)
{
    const float tall = fmaxf(2, floorf(3 * kit->scale));
    const ImVec2 at(left, foot - tall - 1);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(at, ImVec2(right, foot), true);
    draw->AddRectFilled(at, ImVec2(right, at.y + tall), FAINT);
    if (method->is_here && list->scale_ms > 0) {
        const double pixels = (double)(right - left) / list->scale_ms;
        const double ms = method->times.compaction.median_ms;
        if (ui_stacked_bar(&method->times, ms, at, tall, pixels) > right) { // too long
            const float x = right - floorf(12 * kit->scale), gap = floorf(3 * kit->scale);
            draw->AddRectFilled(ImVec2(x, at.y), ImVec2(x + gap, at.y + tall), WELL);
        }
    }
    draw->PopClipRect();
}

// Draws a method: its number key, its name, and its times or why it cannot run. True: clicked.
static bool ui_method_row(
    const struct ui_kit *kit, const struct ui_list *list, uint32_t i, bool selected, float width)
{
    const struct ui_method *method = &list->methods[i];
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const float s = kit->scale, inset = floorf(8 * s), key = floorf(16 * s);
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width, at.y + ui_row_height(kit));
    ImGui::PushID((int)i);
    const bool pressed = ImGui::InvisibleButton("method", ImVec2(width, end.y - at.y));
    ImGui::PopID();
    if (selected) {
        draw->AddRectFilled(at, end, CHOSEN, 3 * s);
        draw->AddRectFilled(at, ImVec2(at.x + 3 * s, end.y), ACCENT, 1.5f * s);
    } else if (ImGui::IsItemHovered() && !method->reason) {
        draw->AddRectFilled(at, end, FAINT, 3 * s);
    }
    const ImU32 name = method->reason ? QUIET : selected ? ACCENT : TEXT;
    const float line = at.y + floorf(1 * s), small = line + floorf(1.5f * s);
    const float left = at.x + inset + key, right = end.x - inset;
    char text[96];
    if (i < 9) {
        snprintf(text, sizeof text, "%u", i + 1);
        draw->AddText(kit->small, kit->small->FontSize, ImVec2(at.x + inset, small), QUIET, text);
    }
    draw->AddText(ImVec2(left, line), name, method->of->name);
    if (method->reason) {
        ImGui::PushFont(kit->small);
        const float taken = left + ImGui::CalcTextSize(method->of->name).x * 1.2f + 2 * inset;
        ui_cut_text(method->reason, right - taken, text, sizeof text);
        ImGui::PopFont();
        ui_put(kit, right, small, QUIET, text);
        return false;
    }
    const struct ui_columns columns = ui_columns_to(kit, right);
    const struct step_summary *times = &method->times;
    const ImU32 colour = ui_row_colour(method);
    const bool known = times->steps > 0;
    char ms[32];
    ui_put(
        kit, columns.median, small, colour,
        known ? ui_ms(times->compaction.median_ms, ms) : UNKNOWN);
    ui_put(
        kit, columns.least, small, colour, known ? ui_ms(times->compaction.min_ms, ms) : UNKNOWN);
    snprintf(text, sizeof text, "%u", times->steps);
    ui_put(kit, columns.steps, small, colour, known ? text : UNKNOWN);
    ui_row_bar(kit, list, method, left, right, end.y);
    return pressed;
}

// The line that shows and hides the methods that cannot run here.
static void ui_fold_row(const struct ui_kit *kit, struct ui_list *list, uint32_t count, float width)
{
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const float s = kit->scale, height = ui_row_height(kit);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("fold", ImVec2(width, height))) {
        list->unfolded = !list->unfolded;
    }
    if (ImGui::IsItemHovered()) {
        draw->AddRectFilled(at, ImVec2(at.x + width, at.y + height), FAINT, 3 * s);
    }
    const float x = at.x + floorf(8 * s), y = at.y + height / 2, r = 4 * s;
    if (list->unfolded) {
        draw->AddTriangleFilled(
            ImVec2(x, y - r / 2), ImVec2(x + 2 * r, y - r / 2), ImVec2(x + r, y + r / 2 + 1), DIM);
    } else {
        draw->AddTriangleFilled(
            ImVec2(x + 1, y - r), ImVec2(x + r + 2, y), ImVec2(x + 1, y + r), DIM);
    }
    char text[48];
    snprintf(text, sizeof text, "%u cannot run here", count);
    draw->AddText(
        kit->small, kit->small->FontSize, ImVec2(at.x + floorf(24 * s), at.y + floorf(3 * s)), DIM,
        text);
}

// Draws the times that `auto` predicted. Methods that it prefers for cells come first.
static void ui_predictions(const struct ui_kit *kit, const struct ui_model *model)
{
    ImGui::PushFont(kit->small);
    ImGui::BeginTable("predictions", 3, ImGuiTableFlags_SizingFixedFit);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("auto predicts, ms");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("bricks");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("cells");
    const struct extraction_result *result = &model->document->shown->result;
    const float *const ms[] = { result->bricks_choice.predicted_ms,
                                result->cells_choice.predicted_ms };
    bool done[METHODS_MOST] = {};
    for (;;) {
        int best = -1;
        for (uint32_t i = 0; i < method_count(); i++) {
            if (!done[i] && (ms[0][i] > 0 || ms[1][i] > 0) &&
                (best < 0 || ms[1][i] < ms[1][best])) {
                best = (int)i;
            }
        }
        if (best < 0) {
            break;
        }
        done[best] = true;
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(method_at((uint32_t)best)->name);
        for (const float *of : ms) {
            char text[32] = UNKNOWN;
            ImGui::TableNextColumn();
            if (of[best] > 0) {
                snprintf(text, sizeof text, "%.3g", (double)of[best]);
            }
            ImGui::TextUnformatted(text);
        }
    }
    ImGui::EndTable();
    ImGui::PopFont();
}

// Shows details of a method in a tooltip, beside the panel at height `y`.
static void ui_method_tooltip(
    const struct ui_kit *kit, const struct ui_model *model, const struct ui_method *method, float y)
{
    const struct step_summary *times = &method->times;
    char median[32], least[32], steps[32];
    ui_place_tooltip(kit, y);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(floorf(420 * kit->scale));
    ImGui::TextUnformatted(method->reason ? method->reason : method->of->summary);
    if (times->steps > 0) {
        ImGui::Text(
            "compaction at isovalue %.7g: median %s ms, least %s ms, of %s", times->iso,
            ui_ms(times->compaction.median_ms, median), ui_ms(times->compaction.min_ms, least),
            ui_steps(times->steps, steps));
        for (uint32_t i = 0; i < UI_OWN_STAGES && method->is_here; i++) {
            const enum step_stage stage = ui_own_first[i];
            if (times->stage_ms[stage] > 0) {
                ImGui::TextColored(
                    ImGui::ColorConvertU32ToFloat4(ui_stages[stage].colour), "%s  %s ms",
                    step_stage_names[stage], ui_ms(times->stage_ms[stage], median));
            }
        }
    } else if (!method->reason) {
        char hint[BINDINGS_HINT];
        bindings_hint("measure-all", "measures all methods", hint);
        ImGui::Text("not measured yet%s%s", *hint ? ": " : "", hint);
    }
    ImGui::PopTextWrapPos();
    if (method->of->selects && ui_predicts(model)) {
        ui_predictions(kit, model);
    }
    ImGui::EndTooltip();
}

// Fills `order` with the methods as they are listed: `auto`, then the others that can run, then
// those that cannot. Returns how many can run.
static uint32_t
ui_listed_order(const struct ui_list *list, bool by_time, uint32_t order[METHODS_MOST])
{
    uint32_t able = 0, count = 0;
    for (int turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < method_count(); i++) {
            const struct ui_method *method = &list->methods[i];
            const int group = method->reason ? 2 : method->of->selects ? 0 : 1;
            if (group != turn) {
                continue;
            }
            uint32_t at = count++;
            order[at] = i;
            able += turn < 2;
            while (by_time && turn == 1 && method->is_here && at > 0) {
                const struct ui_method *before = &list->methods[order[at - 1]];
                if (before->of->selects ||
                    (before->is_here &&
                     before->times.compaction.median_ms <= method->times.compaction.median_ms)) {
                    break;
                }
                order[at] = order[at - 1];
                order[--at] = i;
            }
        }
    }
    return able;
}

// The milliseconds of a full bar: 1, 2, 5, 10, ..., so that it seldom changes. A few methods that
// are much slower than the others do not count: a gap in their bars shows that they are longer.
static double ui_scale_of(const struct ui_list *list, uint32_t now)
{
    double medians[METHODS_MOST], most = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < method_count(); i++) {
        if (list->methods[i].is_here) {
            medians[count++] = list->methods[i].times.compaction.median_ms;
        }
    }
    if (count > 0) {
        most = 3 * timings_of(medians, count).median_ms;
        most = fmin(most, medians[count - 1]); // timings_of has sorted them
    }
    const struct ui_method *selected = &list->methods[now];
    for (uint32_t s = 0; s < STEP_STAGES && selected->is_here; s++) {
        most = fmax(most, selected->times.stage_ms[s]);
    }
    const bool fine = most <= list->scale_ms && most >= list->scale_ms / 4;
    return !(most > 0) || fine ? list->scale_ms : range_tick(most);
}

// Draws the heading and the names of the columns.
static void ui_methods_heading(
    const struct ui_kit *kit, const struct ui_list *list, const struct ui_model *model,
    struct ui_answer *answer)
{
    const float s = kit->scale;
    const float right = ImGui::GetWindowContentRegionMax().x + ImGui::GetWindowPos().x -
                        floorf(8 * s) - floorf(3 * s) -
                        (list->scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    const struct ui_columns columns = ui_columns_to(kit, right);
    const float wide = kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, 0, "median ms").x;
    const float room = columns.median - wide - ImGui::GetCursorScreenPos().x - floorf(8 * s);
    // These times are of the mesh. The times of rays are below, with their stages.
    const char *heading =
        model->settings->view.draw == DRAW_RAYS ? "Mesh compaction" : "Compaction method";
    if (kit->bold->CalcTextSizeA(kit->bold->FontSize, FLT_MAX, 0, heading).x > room) {
        heading = "Compaction";
    }
    ui_heading(kit, heading);
    ImGui::SameLine();
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float y = from.y + floorf(2 * s);
    const bool by_time = model->settings->by_time;
    const char *median = columns.median - wide >= from.x ? "median ms" : "median";
    ui_put(kit, columns.median, y, by_time ? ACCENT : QUIET, median);
    ui_put(kit, columns.least, y, QUIET, "least");
    ui_put(kit, columns.steps, y, QUIET, "n");
    answer->sort = ImGui::InvisibleButton(
        "columns", ImVec2(fmaxf(right - from.x, 1), ImGui::GetTextLineHeight()));
    char text[800], key[BINDINGS_TEXT], hint[BINDINGS_HINT];
    bindings_key("methods-by-time", key);
    bindings_hint("measure-all", "measures all of them.", hint);
    snprintf(
        text, sizeof text,
        "What the compaction takes on the device, in milliseconds: the median and the least of the "
        "last n steps at this isovalue. A method's first step does not count, nor one for which "
        "memory was allocated. Grey times are of another isovalue. All are times of the mesh, also "
        "while rays are drawn.\n"
        "A click here%s%s%s lists the methods by time, or in their own order again. %s",
        *key ? ", or " : "", key, *key ? "," : "", hint);
    ui_explain(kit, text);
}

// Draws the list of all methods, with as many rows as fit.
static void ui_method_list(
    const struct ui_kit *kit, struct ui_list *list, const struct ui_model *model,
    struct ui_answer *answer)
{
    const uint32_t now = method_row(model->settings->view.method);
    const float s = kit->scale, display = ImGui::GetIO().DisplaySize.y;
    const float row = ui_row_height(kit), pad = floorf(3 * s);
    uint32_t order[METHODS_MOST];
    const uint32_t able = ui_listed_order(list, model->settings->by_time, order),
                   rest = method_count() - able;
    const uint32_t lines = able + (rest > 0) + (list->unfolded ? rest : 0);
    const float fits = (display - list->beside_rows - 2 * pad) / row;
    float rows = fminf(floorf(fits), (float)lines);
    rows = ui_list_fits(kit, list) ? fmaxf(rows, FEWEST_ROWS) : fminf((float)lines, 5);
    list->rows_height = ui_height_of_rows(kit, rows);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::ColorConvertU32ToFloat4(WELL));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 4 * s);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild(
        "methods", ImVec2(0, list->rows_height), false,
        ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
    const float width = ImGui::GetContentRegionAvail().x;
    const struct ui_method *hovered = nullptr;
    float level = 0, scroll = ImGui::GetScrollY();
    for (uint32_t k = 0; k < method_count(); k++) {
        const uint32_t i = order[k];
        if (k == able) {
            ui_fold_row(kit, list, rest, width);
            if (!list->unfolded) {
                break;
            }
        }
        if (ui_method_row(kit, list, i, i == now, width)) {
            answer->action = ACTION_METHOD_PICK;
            answer->argument = (int)i;
        }
        if (ImGui::IsItemHovered()) {
            hovered = &list->methods[i];
            level = ImGui::GetItemRectMin().y;
        }
        if (i == now && (!list->listed || list->method != i || list->rows != rows)) {
            // A key may have selected a method that is out of sight.
            const float top = (float)k * row, shown = rows * row;
            scroll = fminf(fmaxf(scroll, top + row - shown), top);
            ImGui::SetScrollY(scroll);
        }
    }
    // No row is cut at the upper edge. While the scroll bar is dragged, rows may be.
    if (!ImGui::IsMouseDown(0)) {
        ImGui::SetScrollY(roundf(scroll / row) * row);
    }
    list->method = now;
    list->rows = rows;
    list->scrolls = rows < (float)lines;
    list->listed = true;
    ImGui::EndChild();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    if (hovered) {
        ui_method_tooltip(kit, model, hovered, level);
    }
}

// The text below the list: what the method is; for `auto`, what it selected and why. With rays, the
// last line says which method compacts the rays: it may be another than the selected one.
struct ui_details {
    const char *lines[3];
    struct promises promises;
    char text[3][320], compacting[96];
    char why[2 * SELECTION_TEXT + 20]; // replaces the second line in the tooltip
};

static void ui_auto_details(const struct ui_model *model, struct ui_details *out)
{
    const struct extraction_result *result = &model->document->shown->result;
    const struct auto_times *times = model->auto_times;
    const struct selection *cells = &result->cells_choice;
    const char *others = strstr(cells->why, "; "); // the selector's words about the next method
    char choices[CHOICES_TEXT];
    snprintf(out->text[0], sizeof out->text[0], "%s", choices_text(result, choices));
    snprintf(
        out->text[1], sizeof out->text[1], "cells: %.3g ms predicted%s",
        (double)cells->predicted_ms[method_row(cells->method)], others ? others : "");
    if (times->calibration) {
        snprintf(
            out->text[2], sizeof out->text[2], "measuring the methods while idle: %.0f %%",
            100 * calibration_share(times->calibration));
    } else {
        snprintf(
            out->text[2], sizeof out->text[2], "%s",
            times->has_times
                ? "by times that were measured on this device"
                : "by the bytes that each method moves: their times are not known yet");
    }
    snprintf(
        out->why, sizeof out->why, "bricks: %s\ncells: %s", result->bricks_choice.why, cells->why);
    for (int i = 0; i < 3; i++) {
        out->lines[i] = out->text[i];
    }
}

// A method that neither waits nor removes has events for one reason: a second kernel moves what the
// first one left.
static void ui_late_details(const struct ui_model *model, struct ui_details *out)
{
    const struct shown_surface *shown = model->document->shown;
    const struct method *method = shown->result.method;
    if (shown->has_result && method == model->settings->view.method && method->has_events &&
        !method->waits && !method->removes) {
        char late[32], all[32];
        snprintf(
            out->text[1], sizeof out->text[1], "a second kernel moved %s of %s cells; %s",
            number_thousands(shown->result.cells_events.late, late),
            number_thousands(shown->result.active_cells, all), out->promises.text);
        out->lines[1] = out->text[1];
    }
}

static void ui_details_of(const struct ui_model *model, struct ui_details *out)
{
    const struct view *view = &model->settings->view;
    const struct caster *caster = view_caster(view);
    out->promises = promises_of(view->method);
    out->lines[0] = view->method->summary;
    out->lines[1] = out->promises.text;
    out->lines[2] = view->method->paper;
    if (ui_predicts(model)) {
        ui_auto_details(model, out);
    }
    if (!model->casts) {
        ui_late_details(model, out);
        return;
    }
    out->lines[2] = out->compacting;
    if (caster->wavefront) {
        snprintf(
            out->compacting, sizeof out->compacting, "rays are compacted by %s",
            wavefront_method(model->prepared)->name);
    } else {
        snprintf(
            out->compacting, sizeof out->compacting, "rays of %s are not compacted", caster->name);
    }
}

void ui_methods(
    const struct ui_kit *kit, struct ui_list *list, const struct ui_model *model,
    struct ui_answer *answer)
{
    static const ImU32 colours[] = { TEXT, DIM, QUIET };
    const float s = kit->scale;
    const bool rays = model->settings->view.draw == DRAW_RAYS, predicts = ui_predicts(model);
    struct ui_details details;
    ui_details_of(model, &details);
    for (uint32_t i = 0; i < method_count(); i++) {
        list->methods[i] = ui_method_of(model, method_at(i));
    }
    list->scale_ms = ui_scale_of(list, method_row(model->settings->view.method));
    ui_methods_heading(kit, list, model, answer);
    ui_method_list(kit, list, model, answer);
    ImGui::Dummy(ImVec2(0, floorf(2 * s)));
    ImGui::PushFont(kit->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * s, 2 * s));
    ImGui::BeginGroup();
    for (int i = 0; i < 3; i++) {
        ui_cut_line(
            i == 2 && rays ? TEXT : colours[i], details.lines[i], ImGui::GetContentRegionAvail().x);
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (ImGui::IsItemHovered()) {
        ui_place_tooltip(kit, ImGui::GetItemRectMin().y);
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(floorf(420 * s));
        for (int i = 0; i < 3; i++) {
            ImGui::TextUnformatted(predicts && i == 1 ? details.why : details.lines[i]);
        }
        ImGui::PopTextWrapPos();
        if (predicts) {
            ui_predictions(kit, model);
        }
        ImGui::EndTooltip();
    }
}
