// The panel's buttons for triangles and rays with Dear ImGui.
#include <imgui.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/panel/ui_choice.h"

extern "C" {
#include "app/settings/bindings.h"
}

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
