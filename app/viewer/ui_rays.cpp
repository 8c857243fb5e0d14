// The panel's part for rays with Dear ImGui. Every row has its place: nothing moves when rays take
// the place of triangles.
#include <imgui.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/ui_rays.h"
#include "app/viewer/ui_times.h"

extern "C" {
#include "app/viewer/bindings.h"
#include "app/viewer/range.h"
}

static const struct ui_stage ui_cast_stages[CAST_STAGES] = {
    { IM_COL32(240, 180, 92, 255), "The caster finds where each ray meets the surface." },
    { IM_COL32(122, 162, 150, 255), "Places the points and their normals, for rays that met it." },
    { IM_COL32(126, 130, 190, 255), "Draws the picture: light, background, box." },
};

// ---- triangles or rays ----

// A small button, which ends at x = `right` of the window. Returns where it begins.
static float
ui_choice(const struct ui_kit *kit, const char *text, bool on, float right, bool *pressed)
{
    const float left = right - ImGui::CalcTextSize(text).x - 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine(left);
    if (on) {
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::ColorConvertU32ToFloat4(LIT));
    }
    *pressed = ImGui::SmallButton(text);
    if (on) {
        ImGui::PopStyleColor();
    }
    return left - floorf(4 * kit->scale);
}

void ui_draw_choice(
    const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer)
{
    char text[64], why[300], rays[BINDINGS_TEXT], caster[BINDINGS_TEXT];
    bindings_key("rays", rays);
    bindings_key("caster-next", caster);
    snprintf(text, sizeof text, "rays: %s", model->caster);
    snprintf(
        why, sizeof why,
        "A ray for each pixel in place of triangles. Rays need no mesh: its numbers follow when "
        "the "
        "isovalue stays. Click again for the next caster.%s%s%s%s",
        *rays ? "\nKeys: " : "", rays, *caster ? ", " : "", caster);
    bool pressed;
    ImGui::PushFont(kit->small);
    float right = ImGui::GetWindowContentRegionMax().x;
    right = ui_choice(kit, text, model->rays, right, &pressed);
    answer->rays = pressed && !model->rays;
    answer->caster = pressed && model->rays;
    ui_explain(kit, why);
    ui_choice(kit, "triangles", !model->rays, right, &pressed);
    answer->triangles = pressed && model->rays;
    ImGui::PopFont();
}

// ---- times ----

static void
ui_cast_line(const struct ui_kit *kit, const char *label, const char *text, const char *why)
{
    ui_dim_text(label);
    ui_right_text(text, ImGui::GetWindowContentRegionMax().x, TEXT);
    ui_explain(kit, why);
}

static void ui_cast_rays_line(const struct ui_kit *kit, const struct cast_times *cast)
{
    char text[96] = UNKNOWN;
    if (cast && cast->scale == 1) {
        snprintf(text, sizeof text, "%u \xc3\x97 %u, one a pixel", cast->rays[0], cast->rays[1]);
    } else if (cast) {
        snprintf(
            text, sizeof text, "%u \xc3\x97 %u, one for %u \xc3\x97 %u pixels", cast->rays[0],
            cast->rays[1], cast->scale, cast->scale);
    }
    ui_cast_line(
        kit, "rays", text,
        "While something moves, a ray may be for several pixels. The picture in full follows.");
}

static void ui_cast_hits_line(const struct ui_kit *kit, const struct cast_times *cast)
{
    char text[64] = UNKNOWN, count[32];
    if (cast) {
        const double all = (double)cast->rays[0] * cast->rays[1];
        snprintf(
            text, sizeof text, "%s  (%.0f %%)", ui_thousands(cast->hits, count),
            100 * (double)cast->hits / fmax(all, 1));
    }
    ui_cast_line(kit, "hits", text, "Rays that met the surface.");
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
            kit, &ui_cast_stages[i], cast_stage_names[i], cast ? cast->ms[i] : -1, *scale_ms);
    }
    ui_cast_rays_line(kit, cast);
    ui_cast_hits_line(kit, cast);
    for (int i = CAST_STAGES + 2; i < STEP_STAGES; i++) {
        ImGui::Dummy(ImVec2(0, ImGui::GetTextLineHeight()));
    }
    snprintf(
        text, sizeof text, "%s ms at %.7g", ui_ms(cast ? cast_times_sum(cast) : 0, sum),
        cast ? cast->iso : 0);
    ui_cast_line(
        kit, "whole picture", cast ? text : UNKNOWN,
        "All stages together, of the last picture. A slow one is drawn in bands, one after the "
        "other: then it is their sum.");
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::Dummy(ImVec2(0, 1));
    ui_history(kit, model);
}
