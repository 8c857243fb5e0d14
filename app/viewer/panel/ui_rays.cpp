// The panel's part for rays with Dear ImGui. Rows have fixed positions: nothing moves when rays
// replace triangles.
#include <imgui.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/viewer/panel/ui_rays.h"
#include "app/viewer/panel/ui_times.h"

extern "C" {
#include "app/base/range.h"
}

static const struct ui_stage ui_cast_stages[CAST_STAGES] = {
    { IM_COL32(104, 132, 156, 255),
      "What some casters do first: boxes over what the isovalue meets, or a list of the rays "
      "that meet the volume." },
    { IM_COL32(240, 180, 92, 255), "Rays go on to where they meet the surface." },
    { IM_COL32(236, 214, 178, 255),
      "The method lists the rays that go on, after each round of casters that work in rounds." },
    { IM_COL32(214, 106, 78, 255),
      "The rays that are left after the last round, in casters that work in rounds." },
    { IM_COL32(122, 162, 150, 255),
      "Places the points, their normals and their shadow, for rays that met it." },
    { IM_COL32(126, 130, 190, 255), "Draws the picture: light, background, box." },
};

static_assert(CAST_STAGES + 1 == STEP_STAGES, "as many rows as a step has");

static void
ui_cast_line(const struct ui_kit *kit, const char *label, const char *text, const char *why)
{
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + floorf(14 * kit->scale));
    ui_dim_text(label);
    ui_right_text(text, ImGui::GetWindowContentRegionMax().x, TEXT);
    ui_explain(kit, why);
}

static void ui_cast_rays_line(const struct ui_kit *kit, const struct cast_times *cast)
{
    char text[96] = UNKNOWN, count[32], why[160] = "";
    if (cast) {
        snprintf(
            text, sizeof text, "%u \xc3\x97 %u, %s met the surface", cast->rays[0], cast->rays[1],
            number_thousands(cast->hits, count));
    }
    if (cast && cast->scale > 1) {
        snprintf(
            why, sizeof why, "This is a draft: a ray is for %u \xc3\x97 %u pixels. ", cast->scale,
            cast->scale);
    }
    strcat(
        why,
        "While something moves, a ray may be for several pixels. The picture in full follows.");
    ui_cast_line(kit, "rays", text, why);
}

static void ui_cast_cell(const char *text)
{
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    ImGui::TextUnformatted(text);
}

// Draws a tooltip with the rays and milliseconds of each round.
static void ui_cast_rounds_tooltip(const struct ui_kit *kit, const struct cast_times *cast)
{
    char line[160], count[32], ms[32];
    ui_place_tooltip(kit, ImGui::GetItemRectMin().y);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(floorf(300 * kit->scale));
    const double more = (double)cast->cast / fmax(1, (double)cast->rays[0] * cast->rays[1]) - 1;
    snprintf(
        line, sizeof line,
        "Rays that go into each round; a line is ten times as many. %s rays were cast",
        number_thousands(cast->cast, count));
    ImGui::Text(
        more >= 5e-4 ? "%s, of which %.1f %% are for pixels around the picture or its bands."
                     : "%s.",
        line, 100 * more / (1 + more));
    ImGui::PopTextWrapPos();
    ImGui::PushFont(kit->small);
    ImGui::BeginTable("rounds", 3, ImGuiTableFlags_SizingFixedFit);
    static const float widths[] = { 40, 76, 60 };
    for (float wide : widths) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, floorf(wide * kit->scale));
    }
    static const char *const heads[] = { "round", "rays", "ms" };
    for (const char *head : heads) {
        ui_cast_cell(head);
    }
    for (uint32_t i = 0; i <= cast->round_count; i++) {
        snprintf(line, sizeof line, i < cast->round_count ? "%u" : "left", i + 1);
        const char *const cells[] = { line, number_thousands(cast->in_round[i], count),
                                      ui_ms(cast->round_ms[i], ms) };
        for (const char *cell : cells) {
            ui_cast_cell(cell);
        }
    }
    ImGui::EndTable();
    ImGui::PopFont();
    ImGui::EndTooltip();
}

// Draws a bar for the rays of each round, and one for rays that are left. The scale is logarithmic.
static void ui_cast_rounds(const struct ui_kit *kit, const struct cast_times *cast)
{
    const ImVec2 size(ImGui::GetContentRegionAvail().x, floorf(34 * kit->scale));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("rounds", size);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), WELL, 4 * kit->scale);
    double most = 1;
    for (uint32_t i = 0; i <= cast->round_count; i++) {
        most = fmax(most, (double)cast->in_round[i]);
    }
    const float pad = floorf(5 * kit->scale), tall = size.y - 2 * pad;
    const float step = (size.x - 2 * pad) / (float)(cast->round_count + 1);
    const float foot = at.y + size.y - pad;
    for (uint32_t i = 0; i <= cast->round_count; i++) {
        const float share = (float)(log1p((double)cast->in_round[i]) / log1p(most));
        const float x = at.x + pad + step * (float)i;
        if (cast->in_round[i] > 0) {
            draw->AddRectFilled(
                ImVec2(x, foot - fmaxf(1, tall * share)), ImVec2(x + fmaxf(1, step - 2), foot),
                i == cast->round_count ? ACCENT : ui_fade(SLATE, 0.8f));
        }
    }
    for (double ten = 10; ten < most; ten *= 10) {
        const float y = floorf(foot - tall * (float)(log1p(ten) / log1p(most)));
        draw->AddRectFilled(ImVec2(at.x + pad, y), ImVec2(at.x + size.x - pad, y + 1), WELL);
    }
    if (ImGui::IsItemHovered()) {
        ui_cast_rounds_tooltip(kit, cast);
    }
}

void ui_cast_times(const struct ui_kit *kit, const struct ui_model *model, double *scale_ms)
{
    const struct cast_times *cast = model->cast;
    double most = 0;
    char text[64], sum[32];
    for (int i = 0; cast && i < CAST_STAGES; i++) {
        most = fmax(most, cast->ms[i]);
    }
    if (most > *scale_ms || most < *scale_ms / 20) { // drafts take less than pictures in full
        *scale_ms = most > 0 ? range_tick(most) : *scale_ms;
    }
    ui_times_heading(
        kit, *scale_ms,
        "The bars below have this scale. Those of the methods above have the scale of their "
        "steps.");
    ImGui::PushFont(kit->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * kit->scale, 1 * kit->scale));
    for (int i = 0; i < CAST_STAGES; i++) {
        ui_time_row(
            kit, &ui_cast_stages[i], cast_stage_names[i],
            cast && cast->ms[i] > 0 ? cast->ms[i] : -1, *scale_ms);
    }
    ui_cast_rays_line(kit, cast);
    snprintf(
        text, sizeof text, "%s ms at %.7g", ui_ms(cast ? cast_times_sum(cast) : 0, sum),
        cast ? cast->iso : 0);
    ui_cast_line(
        kit, "whole picture", cast ? text : UNKNOWN,
        "All stages together, of the last picture. A slow one is cast in bands, one after the "
        "other: then it is their sum.");
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::Dummy(ImVec2(0, 1));
    const float whole = ImGui::GetContentRegionAvail().x, gap = floorf(8 * kit->scale);
    if (!cast || cast->round_count == 0) {
        ui_history(kit, model, whole);
        return;
    }
    ui_history(kit, model, floorf((whole - gap) / 2));
    ImGui::SameLine(0, gap);
    ui_cast_rounds(kit, cast);
}
