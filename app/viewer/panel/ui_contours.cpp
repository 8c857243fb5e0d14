// The panel's list of contours with Dear ImGui: colour, isovalue, opacity, an eye and a cross each.
#include <imgui.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/panel/ui_contours.h"

extern "C" {
#include "app/base/number.h"
#include "app/settings/bindings.h"
}

// The picker of a colour. True: the person has picked one.
static bool ui_colour_popup(const struct colour *now, struct colour *out)
{
    float rgb[3];
    for (int i = 0; i < 3; i++) {
        rgb[i] = now->set ? (float)now->rgb[i] / 255 : 0.8f;
    }
    *out = { false, {} };
    bool picked = ImGui::Button("Default color");
    if (ImGui::ColorPicker3(
            "##picker", rgb,
            ImGuiColorEditFlags_NoSidePreview | ImGuiColorEditFlags_NoInputs |
                ImGuiColorEditFlags_NoLabel)) {
        picked = out->set = true;
        for (int i = 0; i < 3; i++) {
            out->rgb[i] = (uint8_t)lroundf(255 * rgb[i]);
        }
    }
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) {
        ImGui::CloseCurrentPopup();
    }
    return picked;
}

// An eye, which is crossed out if the contour is hidden. True: it was pressed.
static bool ui_eye(const struct ui_kit *kit, bool hidden, float side)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("eye", ImVec2(side, side));
    const ImU32 colour = hidden ? QUIET : ImGui::IsItemHovered() ? ACCENT : TEXT;
    const ImVec2 middle(at.x + side / 2, at.y + side / 2);
    const float wide = 0.38f * side, tall = 0.42f * side, line = 1.3f * kit->scale;
    const ImVec2 left(middle.x - wide, middle.y), right(middle.x + wide, middle.y);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->AddBezierQuadratic(left, ImVec2(middle.x, middle.y - tall), right, colour, line);
    draw->AddBezierQuadratic(left, ImVec2(middle.x, middle.y + tall), right, colour, line);
    draw->AddCircleFilled(middle, 0.12f * side, colour);
    if (hidden) {
        draw->AddLine(
            ImVec2(middle.x - wide, middle.y + tall * 0.7f),
            ImVec2(middle.x + wide, middle.y - tall * 0.7f), colour, line);
    }
    return pressed;
}

// A hint for the last item, with the key of the action.
static void ui_hint(const struct ui_kit *kit, const char *text, const char *action)
{
    char key[BINDINGS_TEXT], line[160];
    bindings_key(action, key);
    snprintf(line, sizeof line, "%s%s%s", text, *key ? "\nKey: " : "", key);
    ui_explain(kit, line);
}

static void ui_contour(
    const struct ui_kit *kit, const struct view *view, uint32_t contour, struct ui_answer *answer)
{
    const float side = ImGui::GetFrameHeight(), gap = floorf(4 * kit->scale);
    const float whole = ImGui::GetContentRegionAvail().x, slider = floorf(0.28f * whole);
    const struct colour colour = view_colour(view, contour);
    const ImVec4 shown = colour.set ? ImVec4(
                                          (float)colour.rgb[0] / 255, (float)colour.rgb[1] / 255,
                                          (float)colour.rgb[2] / 255, 1)
                                    : ImGui::ColorConvertU32ToFloat4(BONE);
    bool touched = false;
    char text[32];
    if (ImGui::ColorButton(
            "colour", shown, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
            ImVec2(side, side))) {
        touched = true;
        ImGui::OpenPopup("colours");
    }
    ui_explain(kit, "The color of the front");
    if (ImGui::BeginPopup("colours")) {
        if (ui_colour_popup(&colour, &answer->colour)) {
            touched = answer->has_colour = true;
        }
        ImGui::EndPopup();
    }
    ImGui::SameLine(0, gap);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end(at.x + whole - slider - 3 * side - 4 * gap, at.y + side);
    touched |= ImGui::InvisibleButton("isovalue", ImVec2(end.x - at.x, side));
    const ImU32 layer = contour == view->contour ? CHOSEN : ImGui::IsItemHovered() ? FAINT : 0;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, end, layer, ImGui::GetStyle().FrameRounding);
    draw->AddText(
        ImVec2(at.x + 2 * gap, floorf(at.y + (side - ImGui::GetTextLineHeight()) / 2)),
        view->hidden[contour] ? QUIET : TEXT, number_text(view->isos[contour], text));
    ImGui::SameLine(0, gap);
    float percent = 100 * (1 - view->transparencies[contour]);
    ImGui::SetNextItemWidth(slider);
    if (ImGui::SliderFloat(
            "##opacity", &percent, 0, 100, "%.0f %%", ImGuiSliderFlags_AlwaysClamp)) {
        touched = answer->has_opacity = true;
        answer->opacity = roundf(percent) / 100;
    }
    ui_explain(kit, "The opacity. Rays draw transparent contours.");
    ImGui::SameLine(0, gap);
    if (ui_eye(kit, view->hidden[contour], side)) {
        touched = true;
        answer->action = ACTION_CONTOUR_HIDE;
    }
    ui_hint(kit, view->hidden[contour] ? "Shows the contour" : "Hides the contour", "contour-hide");
    ImGui::SameLine(0, gap);
    if (ImGui::Button("\xc3\x97", ImVec2(side, side))) {
        touched = true;
        answer->action = ACTION_CONTOUR_REMOVE;
    }
    ui_hint(kit, "Removes the contour", "contour-remove");
    if (touched) {
        answer->has_contour = true;
        answer->contour = contour;
    }
}

void ui_contours(
    const struct ui_kit *kit, const struct ui_model *model, bool *planes, struct ui_answer *answer)
{
    const struct view *view = &model->settings->view;
    ui_heading(kit, view->further > 0 ? "Contours" : "Isovalue");
    ImGui::PushFont(kit->small);
    const float side = ImGui::GetTextLineHeight() + 2 * kit->scale;
    const float right = ImGui::GetWindowContentRegionMax().x - 1.5f * side;
    bool pressed;
    ui_choice(kit, "planes", *planes, right - 4 * kit->scale, &pressed);
    *planes ^= pressed;
    ui_explain(kit, "Planes that cut the picture, and planes that show the samples.");
    ImGui::SameLine(right);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    if (ImGui::Button("+##add", ImVec2(1.5f * side, side))) {
        answer->action = ACTION_CONTOUR_ADD;
    }
    ImGui::PopStyleVar();
    ui_hint(kit, "Adds a contour. Ctrl+click in the histogram adds one there.", "contour-add");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * kit->scale, 3 * kit->scale));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(4 * kit->scale, 3 * kit->scale));
    const bool usual = !view->colours[0].set && view->transparencies[0] == 0 && !view->hidden[0];
    for (uint32_t i = 0; (view->further > 0 || !usual) && i < view_contours(view); i++) {
        ImGui::PushID((int)i);
        ui_contour(kit, view, i, answer);
        ImGui::PopID();
    }
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
}
