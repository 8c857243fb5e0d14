// The panel's counts and times with Dear ImGui. Rows have fixed positions: nothing moves when the
// method or the surface changes.
#include <float.h>
#include <imgui.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/panel/ui_times.h"

extern "C" {
#include "app/settings/bindings.h"
#include "compute/casting/caster.h"
}

// Warm colours are for the method's own work, cold ones for work that is the same for all methods.
const struct ui_stage ui_stages[STEP_STAGES] = {
    { IM_COL32(240, 180, 92, 255), "The method lists the bricks that the isovalue meets." },
    { IM_COL32(104, 132, 156, 255),
      "Compares the samples of these bricks with the isovalue. The same for every method." },
    { IM_COL32(236, 214, 178, 255), "The method lists the cells that the surface passes through." },
    { IM_COL32(214, 106, 78, 255),
      "Lists of what to remove from the lists before. Only methods that keep them need it." },
    { IM_COL32(122, 162, 150, 255),
      "Places the vertices and their normals. The same for every method." },
    { IM_COL32(126, 130, 190, 255), "Writes the triangles. The same for every method." },
    { IM_COL32(150, 157, 168, 255), "Tells the picture how many triangles there are." },
};

const enum step_stage ui_own_first[STEP_STAGES] = {
    STEP_BRICKS,   STEP_CELLS,     STEP_REMOVALS, STEP_CLASSIFY,
    STEP_VERTICES, STEP_TRIANGLES, STEP_FINISH,
};

// Two decimals below 100 ms, one below 1000 ms, none from there on.
const char *ui_ms(double ms, char out[32])
{
    if (ms >= 1000) {
        return number_thousands((uint64_t)llround(ms), out);
    }
    snprintf(out, 32, "%.*f", ms < 100 ? 2 : 1, ms);
    return out;
}

const char *ui_steps(uint32_t steps, char out[32])
{
    snprintf(out, 32, "%u step%s", steps, steps == 1 ? "" : "s");
    return out;
}

float ui_stacked_bar(
    const struct step_summary *times, double ms, ImVec2 at, float height, double pixels)
{
    float x = at.x;
    double sum = 0;
    for (uint32_t i = 0; i < UI_OWN_STAGES; i++) {
        sum += times->stage_ms[ui_own_first[i]];
    }
    for (uint32_t i = 0; i < UI_OWN_STAGES && sum > 0; i++) {
        const float end = x + (float)(times->stage_ms[ui_own_first[i]] / sum * ms * pixels);
        if (end > x) {
            ImGui::GetWindowDrawList()->AddRectFilled(
                ImVec2(x, at.y), ImVec2(end, at.y + height), ui_stages[ui_own_first[i]].colour);
        }
        x = end;
    }
    return x;
}

// ---- counts ----

// Draws a label and a number in the left (`half` 0) or the right half of a line.
static void
ui_count(const struct ui_kit *kit, int half, const char *label, const char *text, const char *why)
{
    const float gap = floorf(14 * kit->scale);
    const float whole = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    const float width = floorf((whole - gap) / 2);
    if (half) {
        ImGui::SameLine(ImGui::GetWindowContentRegionMin().x + width + gap);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
    ui_explain(kit, why);
    ImGui::GetWindowDrawList()->AddText(at, DIM, label);
    ui_put(kit, at.x + width, at.y, TEXT, text);
}

static void ui_part_lines(
    const struct ui_kit *kit, const struct ui_model *model, const struct extract_totals *totals,
    bool known)
{
    char text[64];
    snprintf(text, sizeof text, "%u of %u", totals->held, totals->parts);
    ui_count(
        kit, 0, "Parts held", known ? text : UNKNOWN,
        "The volume is extracted part by part. So many parts stay on the device.");
    snprintf(text, sizeof text, "%u", totals->missed);
    ui_count(
        kit, 1, "Parts missed", known ? text : UNKNOWN,
        "Parts that the isovalue misses: they were not read.");
    snprintf(
        text, sizeof text, "%u (%.1f MiB)", totals->loaded, (double)totals->bytes_read / 0x1p20);
    ui_count(
        kit, 0, "Streamed", known ? text : UNKNOWN,
        "Parts that were loaded to the device for this surface, and what was read for them.");
    snprintf(text, sizeof text, "%.0f %%", 100 * model->making_share);
    ui_count(
        kit, 1, "Next surface", model->making_share >= 0 ? text : UNKNOWN,
        "How far the next surface is.");
}

// Draws buttons for triangles and rays, on the line of the last item.
static void
ui_draw_choice(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer)
{
    const bool is_rays = model->settings->view.draw == DRAW_RAYS;
    char text[64], why[300], rays[BINDINGS_TEXT], caster[BINDINGS_TEXT];
    bindings_key("rays", rays);
    bindings_key("caster-next", caster);
    snprintf(text, sizeof text, "rays: %s", view_caster(&model->settings->view)->name);
    snprintf(
        why, sizeof why,
        "A ray for each pixel in place of triangles. Rays need no mesh: its numbers follow when "
        "the "
        "isovalue stays. Click again for the next caster.%s%s%s%s",
        *rays ? "\nKeys: " : "", rays, *caster ? ", " : "", caster);
    bool pressed;
    ImGui::PushFont(kit->small);
    float right = ImGui::GetWindowContentRegionMax().x;
    right = ui_choice(kit, text, is_rays, right, &pressed);
    if (pressed) {
        answer->action = is_rays ? ACTION_CASTER : ACTION_RAYS;
    }
    ui_explain(kit, why);
    ui_choice(kit, "triangles", !is_rays, right, &pressed);
    if (pressed && is_rays) {
        answer->action = ACTION_RAYS;
    }
    ImGui::PopFont();
}

void ui_counts(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer)
{
    const struct document *document = model->document;
    const struct view *view = &model->settings->view;
    const struct extraction_result *result = &document->shown->result;
    // With rays the mesh may be of another isovalue than the picture.
    const bool known = document->shown->has_result &&
                       (view->draw != DRAW_RAYS || result->iso == view->isos[view->contour]);
    const bool removes = known && result->method->removes;
    const bool every =
        view->every_brick && result->bricks > 0 && result->active_bricks == result->bricks;
    char text[32], removed[32], moved[64];
    ui_heading(kit, "Surface");
    ui_draw_choice(kit, model, answer);
    ImGui::PushFont(kit->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * kit->scale, 3 * kit->scale));
    ui_count(
        kit, 0, "Active cells", known ? number_thousands(result->active_cells, text) : UNKNOWN,
        "Cells that the surface passes through: what the compaction finds.");
    ui_count(
        kit, 1, "Bricks skipped",
        !known ? UNKNOWN
               : (snprintf(
                      text, sizeof text, every ? "off" : "%.1f %%",
                      100 * (1 - (double)result->active_bricks / (double)result->bricks)),
                  text),
        "Bricks of cells that the isovalue misses, by their least and greatest sample. N visits "
        "them as well.");
    ui_count(
        kit, 0, "Vertices", known ? number_thousands(result->vertices, text) : UNKNOWN,
        "One for each edge of the grid that the surface crosses.");
    const double bytes =
        known ? (double)extraction_bytes_moved(result, volume_type_size(document->volume.type)) : 0;
    snprintf(moved, sizeof moved, "%.2f B/voxel", bytes / (double)volume_count(&document->volume));
    ui_count(
        kit, 1, "Moved", known ? moved : UNKNOWN,
        "Bytes that the passes of a whole step read and write, for each sample of the volume.");
    ui_count(
        kit, 0, "Triangles", known ? number_thousands(result->triangles, text) : UNKNOWN,
        "One to five for each active cell.");
    snprintf(
        moved, sizeof moved, "\xe2\x80\x93%s  +%s",
        number_thousands(result->cells_events.removed, removed),
        number_thousands(result->cells_events.entered, text));
    ui_count(
        kit, 1, "Cells changed", removes ? moved : UNKNOWN,
        "What the last step removed from the list of cells that was kept, and what it added. Only "
        "methods that keep their lists do that.");
    const struct extract_totals *totals = document_totals(document);
    if (totals) {
        ui_part_lines(kit, model, totals, known);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

// ---- times ----

void ui_history(const struct ui_kit *kit, const struct ui_model *model, float width)
{
    const ImVec2 size(width, floorf(34 * kit->scale));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("history", size);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), WELL, 4 * kit->scale);
    float most = 1e-3f, sum = 0;
    for (uint32_t i = 0; i < model->meters->history_count; i++) {
        most = fmaxf(most, model->meters->history[i]);
        sum += model->meters->history[i];
    }
    const float pad = floorf(5 * kit->scale), step = (size.x - 2 * pad) / METERS_HISTORY;
    const float foot = at.y + size.y - pad, tall = size.y - 2 * pad;
    for (uint32_t i = 0; i < model->meters->history_count; i++) {
        const float x =
            at.x + pad + step * (float)(i + METERS_HISTORY - model->meters->history_count);
        const float top = foot - fmaxf(1, tall * model->meters->history[i] / most);
        const bool last = i + 1 == model->meters->history_count;
        draw->AddRectFilled(
            ImVec2(x, top), ImVec2(x + fmaxf(1, step - 0.5f), foot),
            last ? ACCENT : ui_fade(SLATE, 0.8f));
    }
    if (ImGui::IsItemHovered()) {
        char text[200];
        snprintf(
            text, sizeof text,
            "The last %u steps of any method, at any isovalue, also those that do not count, and "
            "pictures of rays: mean %.2f ms, most %.2f ms.",
            model->meters->history_count,
            (double)(sum / fmaxf((float)model->meters->history_count, 1)), (double)most);
        ui_explain(kit, text);
    }
}

void ui_time_row(
    const struct ui_kit *kit, const struct ui_stage *stage, const char *name, double ms,
    double scale_ms)
{
    const float s = kit->scale, line = ImGui::GetTextLineHeight();
    const float width = ImGui::GetContentRegionAvail().x;
    const float label = floorf(86 * s), value = floorf(60 * s);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *draw = ImGui::GetWindowDrawList();
    char text[32];
    ImGui::Dummy(ImVec2(width, line));
    ui_explain(kit, stage->text);
    const float x0 = at.x + label, x1 = at.x + width - value;
    const float y0 = at.y + floorf(line * 0.30f), y1 = y0 + fmaxf(3, floorf(line * 0.42f));
    draw->AddRectFilled(ImVec2(at.x, y0), ImVec2(at.x + (y1 - y0), y1), stage->colour, 1.5f * s);
    draw->AddText(ImVec2(at.x + floorf(14 * s), at.y), DIM, name);
    draw->AddRectFilled(ImVec2(x0, y0), ImVec2(x1, y1), FAINT, 2 * s);
    if (ms >= 0 && scale_ms > 0) {
        const double share = fmin(ms / scale_ms, 1);
        draw->AddRectFilled(
            ImVec2(x0, y0), ImVec2(fmaxf(x0 + (x1 - x0) * (float)share, x0 + 1), y1), stage->colour,
            2 * s);
    }
    ui_put(kit, at.x + width, at.y, TEXT, ms >= 0 ? ui_ms(ms, text) : UNKNOWN);
}

// Draws a stage of a step with its median.
static void ui_stage_row(
    const struct ui_kit *kit, const struct step_summary *times, uint32_t stage, double scale_ms)
{
    char why[200];
    snprintf(
        why, sizeof why, "%s%s", ui_stages[stage].text,
        step_stage_compacts((enum step_stage)stage) ? "\nThis is the method's own work." : "");
    const struct ui_stage row = { ui_stages[stage].colour, why };
    ui_time_row(
        kit, &row, step_stage_names[stage], times->steps > 0 ? times->stage_ms[stage] : -1,
        scale_ms);
}

void ui_times_heading(const struct ui_kit *kit, double scale_ms, const char *why)
{
    char text[64], most[32];
    ui_heading(kit, "Time on the device");
    ImGui::PushFont(kit->small);
    snprintf(most, sizeof most, "%.10g", scale_ms);
    snprintf(text, sizeof text, "bars up to %s ms", scale_ms < 1000 ? most : ui_ms(scale_ms, most));
    if (scale_ms > 0) {
        ui_right_text(text, ImGui::GetWindowContentRegionMax().x, QUIET);
        ui_explain(kit, why);
    }
    ImGui::PopFont();
}

void ui_times(const struct ui_kit *kit, const struct ui_model *model, double scale_ms)
{
    const struct view *view = &model->settings->view;
    const struct step_summary times =
        document_times(model->document, view->method, view->isos[view->contour]);
    const float s = kit->scale;
    char text[160], median[32], least[32], steps[32];
    ui_times_heading(
        kit, scale_ms,
        "All bars of the panel have this scale, also those of the methods: a bar that is twice as "
        "long is twice the time.");
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::PushFont(kit->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * s, 1 * s));
    for (uint32_t i = 0; i < STEP_STAGES; i++) {
        ui_stage_row(kit, &times, i, scale_ms);
    }
    snprintf(
        text, sizeof text, "median %s, least %s ms of %s", ui_ms(times.whole.median_ms, median),
        ui_ms(times.whole.min_ms, least), ui_steps(times.steps, steps));
    ui_dim_text("whole step");
    ui_right_text(times.steps > 0 ? text : UNKNOWN, right, TEXT);
    ui_explain(
        kit, "All stages together, at this isovalue with this method. The stages above are medians "
             "of the same steps. A method's first step does not count, nor one for which memory "
             "was allocated.");
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::Dummy(ImVec2(0, 1));
    ui_history(kit, model, ImGui::GetContentRegionAvail().x);
}
