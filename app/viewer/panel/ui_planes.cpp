// The panel's part for planes with Dear ImGui, and the outlines of planes over the picture.
#include <imgui.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/panel/ui_planes.h"

extern "C" {
#include "app/settings/outline.h"
}

// Draws a plane: its axis, its place in the volume's box, its side, and a button to remove it.
// Returns whether it changed.
static bool ui_plane_row(
    const struct ui_kit *kit, const struct ui_model *model, struct plane *planes, uint32_t which,
    bool cuts)
{
    struct plane *plane = &planes[which];
    const float s = kit->scale, gap = ImGui::GetStyle().ItemSpacing.x;
    const float button = floorf(22 * s), whole = ImGui::GetContentRegionAvail().x;
    const struct plane before = *plane;
    bool changed = false;
    if (ImGui::Button(plane_name(plane), ImVec2(floorf(56 * s), 0))) {
        plane_turn(plane, &model->document->placement, &model->settings->view.camera);
        changed = true;
    }
    ui_explain(kit, "The axis that the plane is across. Click for the next: x, y, z, view.");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(whole - floorf(56 * s) - gap - (float)(1 + cuts) * (button + gap));
    struct plane_span span;
    plane_span(plane, &model->document->placement, &model->settings->view.camera, &span);
    const bool seen = plane->kind == PLANE_VIEW; // its coordinates mean nothing to people
    double at = seen ? plane->value : plane_at(plane, &span);
    const double low = seen ? 0 : span.low, high = seen ? 100 : span.high;
    if (ImGui::SliderScalar(
            "##at", ImGuiDataType_Double, &at, &low, &high, seen ? "%.1f %%" : "%.6g") &&
        isfinite(at)) {
        const double to = seen ? span.low + (span.high - span.low) * at / 100 : at;
        plane_place(plane, &span, to, (span.high - span.low) * 1e-6);
        changed = true;
    }
    ui_explain(kit, "Where the plane is, in the file's coordinates. Ctrl+click to type a number.");
    if (cuts) {
        ImGui::SameLine();
        const bool turned = before.kind != PLANE_NORMAL && before.flipped;
        if (ImGui::Button(turned ? "\xe2\x86\x90" : "\xe2\x86\x92", ImVec2(button, 0))) {
            plane_flip(plane);
            changed = true;
        }
        ui_explain(kit, "The side that stays. Click for the other side.");
    }
    ImGui::SameLine();
    if (ImGui::Button("\xc3\x97", ImVec2(button, 0))) {
        planes_remove(planes, which);
        changed = true;
    } else if (plane_remark(plane, &span, cuts)) {
        ui_dim_text(plane_remark(plane, &span, cuts));
    }
    return changed;
}

// Draws the title and the buttons of a group. `right`: where its last button begins. Returns
// whether something changed.
static bool ui_plane_title(
    const struct ui_kit *kit, const char *title, struct plane *planes, bool *off, float *right)
{
    bool add = false, pressed = false;
    ImGui::AlignTextToFramePadding();
    ui_dim_text(title);
    *right = ui_choice(kit, "+", false, *right, &add);
    ui_explain(kit, "Adds a plane; there can be three.");
    if (planes[0].kind) {
        *right = ui_choice(kit, *off ? "off" : "on", !*off, *right, &pressed);
    }
    *off = !add && *off != pressed;
    return (add && planes_add(planes)) || pressed;
}

static bool ui_cuts(const struct ui_kit *kit, const struct ui_model *model, struct view *view)
{
    float right = ImGui::GetWindowContentRegionMax().x;
    bool pressed = false, changed;
    char text[32];
    changed = ui_plane_title(kit, "Cut", view->clips, &view->clip_off, &right);
    if (view->clips[0].kind) {
        snprintf(text, sizeof text, "cap: %s", cap_names[view->cap]);
        right = ui_choice(kit, text, view->cap != CAP_NONE, right, &pressed);
        view->cap = (enum cap)((view->cap + pressed) % CAPS);
        changed |= pressed;
        ui_explain(kit, "What shows where a plane cuts through the solid.");
    }
    if (view->clips[1].kind) {
        right = ui_choice(kit, view->clip_all ? "all" : "any", view->clip_all, right, &pressed);
        view->clip_all ^= pressed;
        changed |= pressed;
        ui_explain(
            kit, "any: what one of the planes removes is gone. all: only what all planes remove.");
    }
    for (uint32_t i = 0; i < planes_count(view->clips); i++) {
        ImGui::PushID((int)i);
        changed |= ui_plane_row(kit, model, view->clips, i, true);
        ImGui::PopID();
    }
    return changed;
}

static bool ui_grey(const struct ui_kit *kit, const struct ui_model *model, struct view *view)
{
    const struct volume_facts *facts = &model->document->facts;
    double grey[2];
    view_grey(view, facts, grey);
    float low = (float)grey[0], high = (float)grey[1];
    ui_dim_text("grey");
    ImGui::SameLine(floorf(72 * kit->scale));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const float speed = (float)((facts->max - facts->min) / 500);
    const bool moved = ImGui::DragFloatRange2(
        "##grey", &low, &high, speed, (float)facts->min, (float)facts->max, "%.5g", "%.5g");
    ui_explain(kit, "The samples that are black and white.");
    if (!moved || !(low < high)) {
        return false;
    }
    view->grey.low = (struct isovalue){ ISOVALUE_NUMBER, low };
    view->grey.high = (struct isovalue){ ISOVALUE_NUMBER, high };
    return true;
}

static bool ui_sections(const struct ui_kit *kit, const struct ui_model *model, struct view *view)
{
    float right = ImGui::GetWindowContentRegionMax().x;
    bool pressed, changed;
    changed = ui_plane_title(kit, "Samples", view->sections, &view->section_off, &right);
    if (view_has_values(view)) {
        ui_choice(kit, interpolation_names[view->interpolate], false, right, &pressed);
        view->interpolate = (enum interpolation)((view->interpolate + pressed) % INTERPOLATIONS);
        changed |= pressed;
        ui_explain(kit, "How samples in grey are found between those of the grid.");
    }
    for (uint32_t i = 0; i < planes_count(view->sections); i++) {
        ImGui::PushID((int)i);
        changed |= ui_plane_row(kit, model, view->sections, i, false);
        ImGui::PopID();
    }
    return changed | (view_has_values(view) && ui_grey(kit, model, view));
}

void ui_planes(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer)
{
    struct view view = model->settings->view;
    ImGui::PushFont(kit->small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6 * kit->scale, 3 * kit->scale));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6 * kit->scale, 1 * kit->scale));
    ImGui::Dummy(ImVec2(0, 2 * kit->scale));
    ImGui::PushID("clips");
    bool changed = ui_cuts(kit, model, &view);
    ImGui::PopID();
    ImGui::PushID("sections");
    changed |= ui_sections(kit, model, &view);
    ImGui::PopID();
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    if (changed) {
        answer->has_view = true;
        answer->view = view;
    }
}

void ui_outlines(const struct ui_kit *kit, const struct ui_model *model)
{
    const VkRect2D area = model->area;
    const struct view *view = &model->settings->view;
    for (uint32_t i = 0; i < 2 * PLANES_MOST; i++) {
        const bool sections = i >= PLANES_MOST;
        const struct plane *plane = &(sections ? view->sections : view->clips)[i % PLANES_MOST];
        struct outline outline;
        ImVec2 corners[OUTLINE_MOST];
        if (!plane->kind || !(model->outlines >> sections & 1)) {
            continue;
        }
        outline_of(
            plane, &model->document->placement, &view->camera, (float)area.extent.width,
            (float)area.extent.height, &outline);
        for (uint32_t k = 0; k < outline.count; k++) {
            corners[k] = ImVec2(
                (float)area.offset.x + outline.at[k][0], (float)area.offset.y + outline.at[k][1]);
        }
        ImDrawList *draw = ImGui::GetBackgroundDrawList();
        draw->AddPolyline(
            corners, (int)outline.count, IM_COL32(0, 0, 0, 110), ImDrawFlags_Closed,
            4 * kit->scale);
        draw->AddPolyline(
            corners, (int)outline.count, i == model->plane ? ACCENT : BONE, ImDrawFlags_Closed,
            (i == model->plane ? 2 : 1.5f) * kit->scale);
    }
}
