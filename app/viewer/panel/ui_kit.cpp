// Pieces of the panel with Dear ImGui: text, and tooltips beside the panel.
#include <float.h>
#include <imgui.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/viewer/panel/ui_kit.h"

ImU32 ui_fade(ImU32 colour, float share)
{
    const ImU32 alpha = (ImU32)((float)(colour >> IM_COL32_A_SHIFT & 255) * share);
    return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

void ui_dim_text(const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, DIM);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

void ui_heading(const struct ui_kit *ui, const char *text)
{
    ImGui::Dummy(ImVec2(0, 2 * ui->scale));
    ImGui::PushFont(ui->bold);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
}

void ui_right_text(const char *text, float right, ImU32 colour)
{
    ImGui::SameLine(right - ImGui::CalcTextSize(text).x);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

void ui_cut_text(const char *text, float width, char *out, size_t size)
{
    snprintf(out, size, "%s", text);
    for (int keep = (int)strlen(out); ImGui::CalcTextSize(out).x > width && keep > 0;) {
        const void *blank = memrchr(text, ' ', (size_t)keep);
        do {
            keep--;
        } while (keep > 0 &&
                 (blank ? text + keep > blank : ((unsigned char)text[keep] & 0xc0) == 0x80));
        while (keep > 0 && strchr(" ,;:", text[keep - 1])) {
            keep--;
        }
        snprintf(out, size, "%.*s\xe2\x80\xa6", keep, text);
    }
}

void ui_put(const struct ui_kit *kit, float right, float y, ImU32 colour, const char *text)
{
    const float width = kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, 0, text).x;
    ImGui::GetWindowDrawList()->AddText(
        kit->small, kit->small->FontSize, ImVec2(floorf(right - width), y), colour, text);
}

// Draws a line of `text` that is cut at `width`.
void ui_cut_line(ImU32 colour, const char *text, float width)
{
    char cut[256];
    ui_cut_text(text, width, cut, sizeof cut);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(*cut ? cut : " ");
    ImGui::PopStyleColor();
}

float ui_choice(const struct ui_kit *kit, const char *text, bool on, float right, bool *pressed)
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

void ui_place_tooltip(const struct ui_kit *kit, float y)
{
    const float pivot = 2 * y > ImGui::GetIO().DisplaySize.y ? 1.0f : 0.0f;
    ImGui::SetNextWindowPos(
        ImVec2(ImGui::GetWindowWidth() + 4 * kit->scale, y + pivot * ImGui::GetTextLineHeight()),
        ImGuiCond_Always, ImVec2(0, pivot));
}

void ui_wrapped_tooltip(const struct ui_kit *kit, const char *text)
{
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(floorf(420 * kit->scale));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void ui_explain(const struct ui_kit *kit, const char *text)
{
    if (ImGui::IsItemHovered()) {
        if (ImGui::GetWindowPos().x <= 0) {
            ui_place_tooltip(kit, ImGui::GetItemRectMin().y);
        }
        ui_wrapped_tooltip(kit, text);
    }
}
