// Over the picture: the axes, the scale bar, the legend of what is shown, and the times of a frame.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <imgui.h>

#include "app/viewer/panel/ui_over.h"

extern "C" {
#include "app/base/range.h"
#include "app/picture/legend.h"
#include "app/picture/listed.h"
#include "app/settings/bindings.h"
#include "shaders/shared/picture.h"
}

int ui_over_end(const ImVec4 ends[6], float x, float y)
{
    int found = -1;
    for (int i = 0; i < 6; i++) {
        const ImVec4 *end = &ends[i];
        if (hypotf(x - end->x, y - end->y) < end->z && (found < 0 || end->w > ends[found].w)) {
            found = i;
        }
    }
    return found;
}

static void
ui_overlay_text(const struct ui_kit *kit, ImVec2 at, float align, ImU32 colour, const char *text)
{
    ImDrawList *draw = ImGui::GetForegroundDrawList();
    const ImVec2 size = kit->font->CalcTextSizeA(kit->font->FontSize, FLT_MAX, 0, text);
    at.x = floorf(at.x - size.x * align);
    draw->AddText(
        kit->font, kit->font->FontSize, ImVec2(at.x + 1, at.y + 1), IM_COL32(0, 0, 0, 170), text);
    draw->AddText(kit->font, kit->font->FontSize, at, colour, text);
}

static void ui_timings(const struct ui_kit *kit, const struct ui_model *model)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = 14 * kit->scale;
    char text[128];
    snprintf(
        text, sizeof text, "%.0f fps   host %.1f ms   device %.1f ms", model->meters->fps,
        model->cpu_ms, model->meters->gpu_ms);
    ui_overlay_text(kit, ImVec2(display.x - margin, margin), 1, BONE, text);
}

// The colour of text over the picture: light or dark, so that it can be read on the background.
static ImU32 ui_ink(const struct ui_model *model)
{
    const struct view *view = &model->settings->view;
    const uint8_t *c = view->background_colour.rgb;
    const bool light =
        view->background == BACKGROUND_LIGHT || view->background == BACKGROUND_WHITE ||
        (view->background == BACKGROUND_COLOUR && 2 * c[0] + 5 * c[1] + c[2] > 8 * 117);
    return light ? IM_COL32(16, 18, 22, 255) : IM_COL32(224, 226, 230, 255);
}

// Draws text in the small font, with an outline so that it can be read on the surface, too. `wrap`:
// the width of a line; 0: one line.
static void ui_label(
    const struct ui_kit *kit, const struct ui_model *model, ImVec2 at, const char *text,
    float wrap = 0)
{
    const ImU32 ink = ui_ink(model);
    const ImU32 edge = (ink & 255) > 128 ? IM_COL32(0, 0, 0, 110) : IM_COL32(255, 255, 255, 110);
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    for (int i = 0; i < 4; i++) {
        const ImVec2 beside(at.x + (float)(i % 2 * 2 - 1), at.y + (float)(i / 2 * 2 - 1));
        draw->AddText(kit->small, kit->small->FontSize, beside, edge, text, nullptr, wrap);
    }
    draw->AddText(kit->small, kit->small->FontSize, at, ink, text, nullptr, wrap);
}

// The names of the ends +x, -x, +y, -y, +z, -z.
static const char *const END_NAMES[][6] = {
    { "x", "", "y", "", "z", "" },    // VOLUME_FRAME_UNSAID
    { "L", "R", "P", "A", "S", "I" }, // VOLUME_FRAME_LPS
    { "R", "L", "A", "P", "S", "I" }, // VOLUME_FRAME_RAS
};

static void ui_axes(const struct ui_kit *kit, const struct ui_model *model, ImVec4 ends[6])
{
    static const ImU32 colours[] = {
        IM_COL32(226, 98, 88, 255),
        IM_COL32(138, 192, 92, 255),
        IM_COL32(94, 146, 232, 255),
    };
    const ImVec2 display = ImGui::GetIO().DisplaySize, mouse = ImGui::GetIO().MousePos;
    const float s = kit->scale, arm = 34 * s;
    const ImVec2 centre(display.x - 58 * s, display.y - 58 * s);
    const ImU32 dark = IM_COL32(16, 18, 22, 255), white = IM_COL32(255, 255, 255, 255);
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const struct placement *placement = &model->document->placement;
    float axes[3][3] = {}; // the world's axes in view space: right, up, towards the eye
    struct camera_matrices matrices;
    camera_matrices(&model->settings->view.camera, 1, 1, &matrices);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < 3; i++) {
                axes[c][r] += matrices.view[i][r] * placement->axes[c][i];
            }
        }
    }
    int order[6] = { 0, 1, 2, 3, 4, 5 }; // far ends first
    for (int i = 0; i < 6; i++) {
        const float *axis = axes[i / 2], sign = i % 2 ? -1.0f : 1.0f;
        ends[i] = ImVec4(
            centre.x + sign * axis[0] * arm, centre.y - sign * axis[1] * arm, 8 * s,
            sign * axis[2]);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = i + 1; j < 6; j++) {
            if (ends[order[j]].w < ends[order[i]].w) {
                const int swap = order[i];
                order[i] = order[j];
                order[j] = swap;
            }
        }
    }
    const int hovered = ui_over_end(ends, mouse.x, mouse.y);
    for (int k = 0; k < 6; k++) {
        const int i = order[k];
        const bool negative = i % 2;
        const char *name = END_NAMES[model->document->volume.frame][i];
        const ImVec2 tip(ends[i].x, ends[i].y);
        const ImU32 colour = colours[i / 2];
        const float radius = (negative && !*name ? 5 : 8) * s;
        draw->AddLine(centre, tip, ui_fade(colour, negative ? 0.5f : 1), (negative ? 1.5f : 2) * s);
        draw->AddCircleFilled(tip, radius, negative ? dark : colour);
        if (negative || i == hovered) {
            draw->AddCircle(tip, radius - s / 2, i == hovered ? white : colour, 0, 1.5f * s);
        }
        const ImVec2 size = kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, 0, name);
        draw->AddText(
            kit->small, kit->small->FontSize,
            ImVec2(floorf(tip.x - size.x / 2 + 0.5f), floorf(tip.y - size.y / 2 - 0.5f * s)),
            negative ? colour : dark, name);
    }
}

// The x at which text to the left of the axes ends.
static float ui_beside_axes(const struct ui_kit *kit)
{
    return floorf(ImGui::GetIO().DisplaySize.x - 112 * kit->scale);
}

// Says that the file does not state which axis is up, so y is. U or --up can select another.
static void ui_orientation(const struct ui_kit *kit, const struct ui_model *model, float left_edge)
{
    if (model->document->volume.frame != VOLUME_FRAME_UNSAID || model->settings->view.up_is_set) {
        return;
    }
    const float left = left_edge + 14 * kit->scale;
    const float right = ui_beside_axes(kit);
    char key[BINDINGS_TEXT], ups[64] = "", longest[160], whole[80], part[48];
    for (int up = 0; up < UPS; up++) {
        const size_t length = strlen(ups);
        snprintf(ups + length, sizeof ups - length, "%s%s", up ? ", " : "", up_name((enum up)up));
    }
    snprintf(part, sizeof part, "%s turns it", bindings_key("up-next", key));
    snprintf(
        whole, sizeof whole, "no orientation in the file%s%s", *key ? ": " : "", *key ? part : "");
    snprintf(longest, sizeof longest, "no orientation in the file; up can be %s: %s", ups, part);
    const char *const texts[] = { *key ? longest : whole, whole, *key ? part : "" };
    for (const char *text : texts) {
        const float wide = kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, 0, text).x;
        if (right - wide > left) {
            const float level = floorf(ImGui::GetIO().DisplaySize.y - 30 * kit->scale);
            ui_label(kit, model, ImVec2(floorf(right - wide), level), text);
            return;
        }
    }
}

// Draws a bar with a length of 1, 2, 5, 10, ... units of the file.
static void ui_scale_bar(const struct ui_kit *kit, const struct ui_model *model, float left_edge)
{
    const float s = kit->scale, right = ui_beside_axes(kit);
    // Pixels per unit of the file at the centre of the picture.
    const float height = (float)model->area.extent.height;
    const double unit_pixels = (double)camera_pixels(&model->settings->view.camera, height) /
                               model->document->placement.units;
    const double most = 120 * (double)s / unit_pixels;
    const double length = range_tick(0.4 * most);
    const float left = floorf(right - (float)(length * unit_pixels));
    const char *unit = model->document->volume.frame != VOLUME_FRAME_UNSAID ? "mm"
                       : length == 1                                        ? "unit"
                                                                            : "units";
    char text[80];
    snprintf(
        text, sizeof text, "%.10g %s%s", length, unit,
        model->settings->view.camera.ortho ? "" : " at the centre");
    const ImVec2 size = kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, 0, text);
    const float start = floorf(right - size.x);
    if (!isfinite(most) || fminf(left, start) < left_edge) {
        return;
    }
    const float level = floorf(ImGui::GetIO().DisplaySize.y - 40 * s), thick = floorf(2 * s);
    const ImU32 ink = ui_ink(model);
    const ImU32 edge = (ink & 255) > 128 ? IM_COL32(0, 0, 0, 110) : IM_COL32(255, 255, 255, 110);
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    for (int i = 0; i < 2; i++) { // first the outline, then the bar and its ends
        const float more = i ? 0 : 1, tall = 4 * s + more;
        const ImU32 colour = i ? ink : edge;
        draw->AddRectFilled(
            ImVec2(left - more, level - more), ImVec2(right + more, level + thick + more), colour);
        draw->AddRectFilled(
            ImVec2(left - more, level - tall), ImVec2(left + thick + more, level), colour);
        draw->AddRectFilled(
            ImVec2(right - thick - more, level - tall), ImVec2(right + more, level), colour);
    }
    ui_label(kit, model, ImVec2(start, floorf(level - 5 * s - size.y)), text);
}

static const uint32_t RAMP_COLOURS[RAMP_STOPS] = { RAMP };

static ImU32 ui_ramp_stop(int i)
{
    const uint32_t rgb = RAMP_COLOURS[i];
    return IM_COL32(rgb >> 16, rgb >> 8 & 255, rgb & 255, 255);
}

// Draws text to the right of the square of a pyramid's level, at half its height.
static void ui_legend_level(
    const struct ui_kit *kit, const struct ui_model *model, uint32_t level, const char *text)
{
    const VkRect2D area = model->area;
    float squares[LISTED_LEVELS][3];
    listed_squares((float)area.extent.width, (float)area.extent.height, squares);
    const float *square = squares[level];
    const float x = (float)area.offset.x + square[0] + square[2];
    const float y = (float)area.offset.y + square[1] + square[2] / 2;
    const float half = floorf(kit->small->FontSize / 2);
    ui_label(kit, model, ImVec2(floorf(x + 8 * kit->scale), floorf(y) - half), text);
}

// Says in the picture's upper left corner what the picture shows of the method.
static void ui_legend(const struct ui_kit *kit, const struct ui_model *model, float left_edge)
{
    const struct document *document = model->document;
    struct extraction_lists lists;
    struct legend legend = {};
    const float s = kit->scale;
    if (document->shown->has_result) {
        legend_of(
            model->casts ? SHOW_SURFACE : model->settings->view.show, &document->shown->result,
            document_lists(document, &lists) ? lists.method : nullptr, document_totals(document),
            document->volume.dim, &legend);
    }
    if (!legend.title[0]) {
        return;
    }
    ImVec2 at(floorf(left_edge + 16 * s), floorf(14 * s));
    const float wrap = ImGui::GetIO().DisplaySize.x - at.x - 16 * s;
    if (wrap < 60 * s) {
        return;
    }
    const char *const texts[] = { legend.title, legend.note };
    for (const char *text : texts) {
        ui_label(kit, model, at, text, wrap);
        at.y = floorf(
            at.y + kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, wrap, text).y + 5 * s);
    }
    if (legend.levels > 0 && legend.levels <= LISTED_LEVELS) {
        ui_legend_level(kit, model, 0, legend.base);
        ui_legend_level(kit, model, legend.levels - 1, legend.apex);
    }
    if (!legend.first) {
        return;
    }
    at.y = floorf(at.y + 3 * s);
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const ImVec2 size = kit->small->CalcTextSizeA(kit->small->FontSize, FLT_MAX, 0, legend.first);
    ui_label(kit, model, at, legend.first);
    const float left = floorf(at.x + size.x + 8 * s), wide = floorf(20 * s);
    const float top = floorf(at.y + size.y / 2 - 5 * s), tall = floorf(10 * s);
    for (int i = 0; i + 1 < RAMP_STOPS; i++) {
        const ImU32 from = ui_ramp_stop(i), to = ui_ramp_stop(i + 1);
        const ImVec2 corner(left + (float)i * wide, top);
        draw->AddRectFilledMultiColor(
            corner, ImVec2(corner.x + wide, top + tall), from, to, to, from);
    }
    ui_label(kit, model, ImVec2(left + (RAMP_STOPS - 1) * wide + 8 * s, at.y), legend.last);
}

void ui_over_picture(
    const struct ui_kit *kit, const struct ui_model *model, float left, ImVec4 ends[6])
{
    const struct view *view = &model->settings->view;
    struct extraction_lists lists;
    const bool space =
        model->document && // shown, not only slices and a list
        (model->casts || !document_lists(model->document, &lists) ||
         listed_draws(view, &lists) != SHOW_ATLAS);
    if (view->axes && space) {
        ui_axes(kit, model, ends);
        ui_orientation(kit, model, left);
    }
    if (view->scale_bar && space) {
        ui_scale_bar(kit, model, left);
    }
    if (model->document) {
        ui_legend(kit, model, left);
    }
    if (model->settings->timings) {
        ui_timings(kit, model);
    }
}
