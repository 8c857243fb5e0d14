// The panel's part for the isovalue with Dear ImGui: its field, and the histogram, which is also
// the slider.
#include <imgui.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/viewer/panel/ui_contours.h"
#include "app/viewer/panel/ui_form.h"
#include "app/viewer/panel/ui_isovalue.h"

extern "C" {
#include "app/base/number.h"
#include "app/base/range.h"
#include "app/settings/keys.h"
}

// Shows the whole range again if another volume is open.
static void ui_reset_histogram(struct ui_isovalue *state, const struct volume_facts *facts)
{
    if (!(state->high > state->low) || state->least != facts->min || state->most != facts->max) {
        state->low = 0;
        state->high = 1;
        state->least = facts->min;
        state->most = facts->max;
    }
}

// Isovalues of a CT that have a mark in the histogram.
static const struct {
    double value;
    const char *name;
} ui_marks[] = { { SUGGESTION_SKIN, "skin" }, { SUGGESTION_BONE, "bone" } };

// The position of a mark across the histogram, 0 to 1. Any other number: the mark is not shown.
static double
ui_mark_place(const struct ui_isovalue *state, const struct volume_facts *facts, double value)
{
    const bool within = facts->hounsfield && value > facts->min && value < facts->max;
    return within ? (range_share(facts, value) - state->low) / (state->high - state->low) : -1;
}

static void ui_draw_marks(
    const struct ui_kit *kit, const struct ui_isovalue *state, const struct volume_facts *facts,
    float left, float width, float head, float foot)
{
    ImDrawList *draw = ImGui::GetWindowDrawList();
    for (const auto &mark : ui_marks) {
        const double place = ui_mark_place(state, facts, mark.value);
        if (place >= 0 && place <= 1) {
            const float x = floorf(left + width * (float)place) + 0.5f;
            draw->AddLine(ImVec2(x, head), ImVec2(x, foot), FAINT);
            draw->AddText(ImVec2(x + 3 * kit->scale, head), DIM, mark.name);
        }
    }
}

// The isovalue of the dragged marker. `mouse`: the mouse's position across the histogram, 0 to 1.
// `near`: the distance, in the same unit, at which a mark attracts the marker.
static double
ui_dragged_iso(struct ui_isovalue *state, const struct ui_model *model, float mouse, float near)
{
    const double shown = state->high - state->low;
    if (!ImGui::GetIO().KeyShift) {
        state->fine = false;
        for (const auto &mark : ui_marks) {
            const double place = ui_mark_place(state, &model->document->facts, mark.value);
            if (fabs(place - (double)mouse) <= (double)near) {
                return mark.value;
            }
        }
        const double place = fmin(fmax((double)mouse, 0), 1);
        return range_value(&model->document->facts, state->low + shown * place, shown);
    }
    if (!state->fine) {
        state->fine = true;
        state->fine_mouse = mouse;
        state->fine_share = range_share(
            &model->document->facts, model->settings->view.isos[model->settings->view.contour]);
    }
    const double share = state->fine_share + shown * (double)(mouse - state->fine_mouse) / 10;
    return range_value(&model->document->facts, fmin(fmax(share, 0), 1), shown / 10);
}

// The colour of a contour's marker.
static ImU32 ui_marker_colour(const struct view *view, uint32_t contour)
{
    const struct colour colour = view_colour(view, contour);
    return colour.set ? IM_COL32(colour.rgb[0], colour.rgb[1], colour.rgb[2], 255) : BONE;
}

// The marker is a line with a handle on top. It is dim if the isovalue is outside of the shown
// part, or the contour is hidden.
static void
ui_marker(const struct ui_kit *kit, float x, float head, float foot, float grip, ImU32 colour)
{
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const float pad = floorf(6 * kit->scale);
    draw->AddLine(ImVec2(x, head + pad), ImVec2(x, foot), colour, fmaxf(1.5f, 1.5f * kit->scale));
    const ImVec2 handle[] = {
        ImVec2(x - grip, head + 1),
        ImVec2(x + grip, head + 1),
        ImVec2(x + grip, head + 1 + grip * 0.9f),
        ImVec2(x, head + 1 + grip * 2),
        ImVec2(x - grip, head + 1 + grip * 0.9f),
    };
    draw->AddConvexPolyFilled(handle, 5, colour);
}

// Draws the markers of the contours that are not selected. `pressed`: the mouse was pressed at
// `mouse`, across the histogram, on the line of the handles. Selects the contour of that handle.
static void ui_other_markers(
    const struct ui_kit *kit, struct ui_isovalue *state, const struct ui_model *model, float head,
    float foot, float mouse, bool pressed, struct ui_answer *answer)
{
    const struct view *view = &model->settings->view;
    const float left = state->histogram.x, width = state->histogram.z - left;
    const float grip = 4.5f * kit->scale;
    for (uint32_t i = 0; i < view_contours(view); i++) {
        const double place = (range_share(&model->document->facts, view->isos[i]) - state->low) /
                             (state->high - state->low);
        if (i == view->contour || place < 0 || place > 1) {
            continue;
        }
        const ImU32 colour = ui_marker_colour(view, i);
        ui_marker(
            kit, floorf(left + width * (float)place) + 0.5f, head, foot, grip,
            view_shows(view, i) ? colour : ui_fade(colour, 0.4f));
        if (pressed && fabsf(mouse - (float)place) * width <= grip) {
            answer->has_contour = state->picked = true;
            answer->contour = i;
            state->picked_mouse = mouse;
        }
    }
}

// Draws numbers under the histogram, at steps of 1, 2 or 5.
static void ui_ticks(
    const struct ui_kit *kit, struct ui_isovalue *state, const struct volume_facts *facts,
    ImVec2 at, float width)
{
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const double low = facts->min * (1 - state->low) + facts->max * state->low;
    const double high = facts->min * (1 - state->high) + facts->max * state->high;
    const double span = high - low;
    const float gap = 14 * kit->scale;
    if (!(span > 0) || !isfinite(span)) {
        return;
    }
    char text[32];
    double step = range_tick(span / 20), first;
    int count;
    for (;; step = range_tick(step * 1.5)) { // until the numbers fit
        first = ceil(low / step);
        count = (int)(floor(high / step) - first) + 1;
        float widest = 0;
        for (int i = 0; i < count; i++) {
            snprintf(text, sizeof text, "%.10g", (first + i) * step + 0.0);
            widest = fmaxf(widest, ImGui::CalcTextSize(text).x);
        }
        if (count < 2 || widest + gap <= width * (float)(step / span)) {
            break;
        }
    }
    for (int i = 0; i < count; i++) {
        const double value = (first + i) * step + 0.0;
        const float x = floorf(at.x + width * (float)((value - low) / span)) + 0.5f;
        snprintf(text, sizeof text, "%.10g", value);
        const float half = ImGui::CalcTextSize(text).x / 2;
        const float most = at.x + width + 4 * kit->scale - 2 * half;
        const float left = fminf(fmaxf(x - half, at.x - 4 * kit->scale), most);
        draw->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + 3 * kit->scale), DIM);
        draw->AddText(ImVec2(floorf(left), floorf(at.y + 3 * kit->scale)), DIM, text);
    }
}

// Draws the line under the histogram: the whole range, and what the columns mean.
static void ui_range_line(struct ui_isovalue *state, const struct ui_model *model)
{
    const struct volume_facts *facts = &model->document->facts;
    char text[80];
    snprintf(text, sizeof text, "range %.6g to %.6g", facts->min, facts->max);
    ui_dim_text(text);
    if (state->high - state->low < 1) {
        snprintf(text, sizeof text, "log counts, %.3g times", 1 / (state->high - state->low));
    } else {
        snprintf(text, sizeof text, "log counts");
    }
    ui_right_text(text, ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x, DIM);
    if (facts->not_finite > 0) {
        char count[32], line[96];
        snprintf(
            line, sizeof line, "%s samples are not finite",
            number_thousands(facts->not_finite, count));
        ui_dim_text(line);
    }
    // Says how the suggested isovalue was found, unless in the usual way.
    if (model->settings->view.auto_isos[model->settings->view.contour] &&
        strcmp(facts->iso_rule, "otsu") != 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, DIM);
        ui_fitted_text(facts->iso_rule, ImGui::GetContentRegionAvail().x);
        ImGui::PopStyleColor();
    }
}

// The histogram is also the slider: a click anywhere sets the isovalue. Counts are logarithmic.
// Samples inside (at or above the isovalue) have the colour of the surface.
static void ui_histogram(
    const struct ui_kit *kit, struct ui_isovalue *state, const struct ui_model *model,
    struct ui_answer *answer)
{
    const struct volume_facts *facts = &model->document->facts;
    const ImVec2 size(ImGui::GetContentRegionAvail().x, floorf(100 * kit->scale));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("histogram", size);
    // The release counts as a move, because both may come within one frame. Moves after the release
    // do not belong to the slider.
    const bool active = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered || active) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    }
    ImGui::PushFont(kit->small);
    const float pad = floorf(6 * kit->scale);
    const float left = at.x + pad, width = size.x - 2 * pad;
    const float foot = floorf(at.y + size.y - ImGui::GetTextLineHeight() - 4 * kit->scale);
    const float head = at.y + pad + floorf(5 * kit->scale);
    const bool flat = !(facts->max > facts->min);
    const float mouse_x = state->released ? state->release : ImGui::GetIO().MousePos.x;
    const float mouse = (mouse_x - left) / width;
    ui_reset_histogram(state, facts);
    state->histogram = ImVec4(left, at.y, left + width, at.y + size.y);
    state->over_histogram = hovered;
    const double shown = state->high - state->low;
    double iso = model->settings->view.isos[model->settings->view.contour];
    const bool pressed = ImGui::IsItemActivated() && !flat;
    const bool on_handles = pressed && ImGui::GetIO().MousePos.y < at.y + 2 * 6.5f * kit->scale;
    state->picked &= active && fabsf(mouse - state->picked_mouse) * width < 2;
    if (active && !flat && !state->picked) {
        iso = ui_dragged_iso(state, model, mouse, 3 * kit->scale / width);
        answer->adds = pressed && ImGui::GetIO().KeyCtrl;
        answer->has_iso = true;
        answer->iso = iso;
    } else if (!active) {
        state->fine = false;
        answer->iso_step = flat ? 0 : 0.01 * shown * (double)state->turned;
    }
    state->turned = 0;

    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), WELL, 4 * kit->scale);
    double most = 1;
    for (int i = 0; i < VOLUME_BINS; i++) {
        most = fmax(most, log1p((double)facts->histogram[i]));
    }
    const double place = (range_share(facts, iso) - state->low) / shown;
    const float marker = left + width * (float)fmin(fmax(place, 0), 1);
    for (int i = 0; i < VOLUME_BINS; i++) {
        const double from = fmax(((double)i / VOLUME_BINS - state->low) / shown, 0);
        const double to = fmin(((double)(i + 1) / VOLUME_BINS - state->low) / shown, 1);
        if (facts->histogram[i] == 0 || from >= to) {
            continue;
        }
        const float share = (float)(log1p((double)facts->histogram[i]) / most);
        const float x0 = left + width * (float)from;
        const float x1 = left + width * (float)to;
        const float top = foot - fmaxf(1, share * (foot - head));
        const ImU32 inside = ui_fade(BONE, 0.85f), outside = ui_fade(SLATE, 0.60f);
        if (x1 <= marker || x0 >= marker) {
            draw->AddRectFilled(ImVec2(x0, top), ImVec2(x1, foot), x0 >= marker ? inside : outside);
        } else {
            draw->AddRectFilled(ImVec2(x0, top), ImVec2(marker, foot), outside);
            draw->AddRectFilled(ImVec2(marker, top), ImVec2(x1, foot), inside);
        }
    }
    draw->AddLine(ImVec2(left, foot + 0.5f), ImVec2(left + width, foot + 0.5f), FAINT);
    ui_ticks(kit, state, facts, ImVec2(left, foot + 1), width);
    ui_draw_marks(kit, state, facts, left, width, head, foot);
    ui_other_markers(kit, state, model, at.y, foot, mouse, on_handles, answer);
    answer->has_iso &= !answer->has_contour;
    ui_marker(
        kit, floorf(marker) + 0.5f, at.y, foot, (hovered || active ? 6.5f : 5.5f) * kit->scale,
        place < 0 || place > 1 ? ui_fade(ACCENT, 0.4f) : ACCENT);

    if (hovered && !active && !flat && mouse >= 0 && mouse <= 1) {
        const double share = state->low + shown * (double)mouse;
        const float hair = floorf(left + width * mouse) + 0.5f;
        draw->AddLine(ImVec2(hair, head), ImVec2(hair, foot), IM_COL32(255, 255, 255, 70));
        int bin = (int)(share * VOLUME_BINS);
        bin = bin < VOLUME_BINS ? bin : VOLUME_BINS - 1;
        char count[32];
        uint64_t below = 0, all = 0;
        for (int i = 0; i < VOLUME_BINS; i++) {
            below += i < bin ? facts->histogram[i] : 0;
            all += facts->histogram[i];
        }
        ui_place_tooltip(kit, at.y);
        ImGui::SetTooltip(
            "%.7g\n%s samples, %.3g %% below\n%s", range_value(facts, share, shown),
            number_thousands(facts->histogram[bin], count), 100 * (double)below / (double)all,
            (double)mouse >= place
                ? "pale: at or above the isovalue, inside of the surface"
                : "blue: below the isovalue, outside; the back of the surface is blue, too");
    }
    ui_range_line(state, model);
    ImGui::PopFont();
}

void ui_isovalue(
    const struct ui_kit *kit, struct ui_isovalue *state, const struct ui_model *model,
    struct ui_answer *answer)
{
    ui_contours(kit, model, &state->planes, answer);
    const float s = kit->scale, whole = ImGui::GetContentRegionAvail().x;
    const float button = floorf(74 * s), gap = ImGui::GetStyle().ItemSpacing.x;
    if (!state->typing) {
        number_text(
            model->settings->view.isos[model->settings->view.contour],
            state->typed); // so Enter alone changes nothing
    }
    ImGui::SetNextItemWidth(whole - 2 * (button + gap));
    if (ImGui::InputText(
            "##iso", state->typed, sizeof state->typed,
            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
        answer->has_text = true;
        memcpy(answer->text, state->typed, sizeof answer->text);
    }
    state->typing = ImGui::IsItemActive();
    const float beside = ImGui::GetWindowWidth() + 4 * s, level = ImGui::GetItemRectMin().y;
    if (ImGui::IsItemHovered() && !state->typing) {
        ImGui::SetNextWindowPos(
            ImVec2(beside, level)); // beside the panel, so that it covers no button
        ImGui::SetTooltip("a number, 40%% of the range, or the percentile p99; then press Enter");
    }
    ImGui::SameLine();
    const ImVec4 lit = ImGui::ColorConvertU32ToFloat4(LIT);
    const bool is_auto = model->settings->view.auto_isos[model->settings->view.contour];
    if (is_auto) {
        ImGui::PushStyleColor(ImGuiCol_Button, lit);
    }
    if (ImGui::Button("Auto", ImVec2(button, 0))) {
        answer->action = ACTION_ISO_AUTO;
    }
    if (is_auto) {
        ImGui::PopStyleColor();
    }
    if (ImGui::IsItemHovered()) {
        ImGui::SetNextWindowPos(ImVec2(beside, level));
        ImGui::SetTooltip(
            "The isovalue that the samples suggest: %.7g (%s)", model->document->facts.iso,
            model->document->facts.iso_rule);
    }
    ImGui::SameLine();
    const bool sweeping = model->settings->sweeping;
    if (sweeping) {
        ImGui::PushStyleColor(ImGuiCol_Button, lit);
    }
    if (ImGui::Button(sweeping ? "Pause" : "Sweep", ImVec2(button, 0))) {
        answer->action = ACTION_SWEEP;
    }
    if (sweeping) {
        ImGui::PopStyleColor();
    }
    ui_histogram(kit, state, model, answer);
}

void ui_isovalue_scroll(struct ui_isovalue *state, float x, float y, float steps, int mods)
{
    static const double LEAST = 1e-5; // the smallest share of the range that is shown
    const ImVec4 box = state->histogram;
    if (x < box.x || x > box.z || y < box.y || y > box.w) {
        return;
    }
    if (!(mods & MOD_CTRL)) {
        state->turned += mods & MOD_SHIFT ? steps / 10 : steps;
        return;
    }
    // The value under the mouse stays there.
    const double place = (double)((x - box.x) / (box.z - box.x));
    const double shown = state->high - state->low, share = state->low + shown * place;
    const double next = fmin(fmax(shown * pow(0.8, (double)steps), LEAST), 1);
    state->low = fmin(fmax(share - next * place, 0), 1 - next);
    state->high = state->low + next;
}
