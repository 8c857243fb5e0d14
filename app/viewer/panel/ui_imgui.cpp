// The panel with Dear ImGui 1.86: its core and its GLFW input part. The Vulkan part that Debian
// ships must stay out of the link: it brings prototypes that collide with volk's variables.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include "app/viewer/panel/ui_contents.h"
#include "app/viewer/panel/ui_form.h"
#include "app/viewer/panel/ui_isovalue.h"
#include "app/viewer/panel/ui_methods.h"
#include "app/viewer/panel/ui_over.h"
#include "app/viewer/panel/ui_planes.h"
#include "app/viewer/panel/ui_rays.h"
#include "app/viewer/panel/ui_table.h"
#include "app/viewer/panel/ui_times.h"

extern "C" {
#include "app/settings/bindings.h"
#include "app/viewer/panel/ui.h"
#include "volumes/base/output.h"
#include "volumes/base/printable.h"
}

#include <new>

namespace {

const float FONT_SIZE = 15, SMALL_SIZE = 13, BIG_SIZE = 19;
const float PANEL = 344; // width of the panel, at scale 1
const float NARROWEST = 240;

const char *const FONT_FOLDERS[] = {
    "/usr/share/fonts/truetype/dejavu/",   // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/", // Fedora
    "/usr/share/fonts/TTF/",               // Arch
    "/usr/share/fonts/dejavu/",
};

} // namespace

struct ui : ui_kit {
    struct ui_list list;
    struct ui_isovalue isovalue;
    double cast_ms;      // milliseconds of a full bar of rays; 0: unknown
    bool table_in_order; // the table of all methods is in their own order, not by time
    float wanted_scale;
    uint32_t generation;
    bool entered;            // since the last frame: Enter was pressed
    bool erased;             // since the last frame: Backspace was pressed
    int turns;               // number of frames that may take only one press or release
    char search[64];         // text in the search field of the help
    bool helps;              // the help was shown in the frame before
    ImVector<ImWchar> early; // typed before a form's field took text
    uint32_t form;           // 2: the last frame showed a form; 1: only the one before did
    float help_top;          // y at which the window of the help begins
    ImVec4 ends[6];          // of the axes, see ui_over_picture; radius 0: not drawn
    ImVector<ui_command> commands;
    uint32_t vertex_count, index_count;
};

// ---- memory ----

// Dear ImGui does not check for NULL. Without memory for the panel the program ends here, and
// leaves no unfinished file.
static void *ui_allocate(size_t size, void *)
{
    void *out = malloc(size);
    if (!out) {
        output_unlink_pending();
        fputs("cubist: out of memory for the panel\n", stderr);
        _exit(problem_exit(PROBLEM_HOST_MEMORY));
    }
    return out;
}

static void ui_release(void *block, void *)
{
    free(block);
}

// ---- font and style ----

// The file's bytes, which the atlas frees; nullptr if the file cannot be read. ImGui's own function
// would assert in that case.
static void *ui_read_font(const char *path, int *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return nullptr;
    }
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    void *font = size > 0 && size < 1 << 26 ? ImGui::MemAlloc((size_t)size) : nullptr;
    if (font && fread(font, 1, (size_t)size, file) != (size_t)size) {
        ImGui::MemFree(font);
        font = nullptr;
    }
    fclose(file);
    *bytes = (int)size;
    return font;
}

static ImFont *ui_add_font(ImFontAtlas *atlas, const char *name, float size)
{
    static const ImWchar ranges[] = {
        0x0020, 0x024f, // Latin
        0x0370, 0x052f, // Greek, Cyrillic
        0x2010, 0x2026, // dashes, quotes, dots
        0x2190, 0x2193, // arrows
        0x2264, 0x2264, // at most
        0,
    };
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    config.RasterizerMultiply = 1.1f;
    for (const char *folder : FONT_FOLDERS) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", folder, name);
        int bytes;
        void *font = ui_read_font(path, &bytes);
        if (font) {
            return atlas->AddFontFromMemoryTTF(font, bytes, floorf(size), &config, ranges);
        }
    }
    config = ImFontConfig();
    config.SizePixels = floorf(size * 13 / 15);
    return atlas->AddFontDefault(&config);
}

static void ui_set_style(float scale)
{
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowPadding = ImVec2(16, 12);
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 6);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.ScrollbarSize = 10;
    style.WindowRounding = 6;
    style.FrameRounding = 4;
    style.ScrollbarRounding = 4;
    style.WindowBorderSize = 0;
    style.ScaleAllSizes(scale);
    ImVec4 *c = style.Colors;
    c[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(TEXT);
    c[ImGuiCol_TextDisabled] = ImGui::ColorConvertU32ToFloat4(QUIET);
    c[ImGuiCol_WindowBg] = ImGui::ColorConvertU32ToFloat4(GROUND);
    c[ImGuiCol_PopupBg] = ImGui::ColorConvertU32ToFloat4(POPUP);
    c[ImGuiCol_Border] = ImVec4(1, 1, 1, 0.12f);
    c[ImGuiCol_FrameBg] = ImGui::ColorConvertU32ToFloat4(FIELD);
    c[ImGuiCol_FrameBgHovered] = ImGui::ColorConvertU32ToFloat4(FIELD_OVER);
    c[ImGuiCol_FrameBgActive] = ImGui::ColorConvertU32ToFloat4(FIELD_DOWN);
    c[ImGuiCol_SliderGrab] = ImGui::ColorConvertU32ToFloat4(LIT);
    c[ImGuiCol_SliderGrabActive] = ImGui::ColorConvertU32ToFloat4(LIT);
    c[ImGuiCol_Button] = ImGui::ColorConvertU32ToFloat4(BUTTON);
    c[ImGuiCol_ButtonHovered] = ImGui::ColorConvertU32ToFloat4(BUTTON_OVER);
    c[ImGuiCol_ButtonActive] = ImGui::ColorConvertU32ToFloat4(BUTTON_DOWN);
    c[ImGuiCol_Header] = ImVec4(0.94f, 0.70f, 0.36f, 0.16f);
    c[ImGuiCol_HeaderHovered] = ImVec4(1, 1, 1, 0.06f);
    c[ImGuiCol_HeaderActive] = ImVec4(0.94f, 0.70f, 0.36f, 0.26f);
    c[ImGuiCol_TextSelectedBg] = ImVec4(0.94f, 0.70f, 0.36f, 0.40f);
    c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_SliderGrab] = ImVec4(0.94f, 0.70f, 0.36f, 0.6f);
    c[ImGuiCol_SliderGrabActive] = ImVec4(0.94f, 0.70f, 0.36f, 1);
    c[ImGuiCol_PlotHistogram] = ImVec4(0.94f, 0.70f, 0.36f, 1);
    ImGui::GetStyle() = style;
}

static void ui_rescale(struct ui *ui)
{
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    ui->scale = ui->wanted_scale;
    atlas->Clear();
    ui->font = ui_add_font(atlas, "DejaVuSans.ttf", FONT_SIZE * ui->scale);
    ui->small = ui_add_font(atlas, "DejaVuSans.ttf", SMALL_SIZE * ui->scale);
    ui->bold = ui_add_font(atlas, "DejaVuSans-Bold.ttf", FONT_SIZE * ui->scale);
    ui->big = ui_add_font(atlas, "DejaVuSans-Bold.ttf", BIG_SIZE * ui->scale);
    atlas->Build();
    atlas->SetTexID((ImTextureID)1); // the only texture
    ui->generation++;
    ui_set_style(ui->scale);
}

bool ui_create(void *window, float scale, struct ui **out, struct problem *problem)
{
    *out = nullptr;
    struct ui *ui = new (std::nothrow) struct ui();
    ImGui::SetAllocatorFunctions(ui_allocate, ui_release, nullptr);
    if (!ui || !ImGui::CreateContext()) {
        delete ui;
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the panel");
    }
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendRendererName = "cubist";
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 18700
    // Otherwise a frame takes only one key, and text that was typed in a slow frame would come
    // after the Enter that followed it.
    io.ConfigInputTrickleEventQueue = false; // ui_frame sets it at times
#endif
    ImGui_ImplGlfw_InitForVulkan((GLFWwindow *)window, true);
    ui->wanted_scale = scale;
    ui_rescale(ui);
    *out = ui;
    return true;
}

void ui_destroy(struct ui *ui)
{
    if (ui) {
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
        delete ui;
    }
}

void ui_set_scale(struct ui *ui, float scale)
{
    ui->wanted_scale = scale;
}

const uint8_t *ui_glyphs(struct ui *ui, uint32_t *width, uint32_t *height, uint32_t *generation)
{
    unsigned char *pixels = nullptr;
    int w = 0, h = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    *generation = ui->generation;
    return pixels;
}

float ui_panel_width(const struct ui *ui, const struct settings *settings)
{
    const float width = settings->panel_width > 0 ? settings->panel_width : PANEL;
    return settings->panel ? floorf(width * ui->scale) : 0;
}

bool ui_at_edge(const struct ui *ui, const struct settings *settings, float x)
{
    const float from = x - ui_panel_width(ui, settings);
    return settings->panel && !settings->help && from >= -2 && from <= 5;
}

bool ui_shows_planes(const struct ui *ui, const struct settings *settings)
{
    return ui->isovalue.planes && settings->panel;
}

float ui_width_at(const struct ui *ui, float x)
{
    const ImGuiIO &io = ImGui::GetIO();
    const float most = io.DisplaySize.x * io.DisplayFramebufferScale.x - 64;
    return fmaxf(fminf(x, most) / ui->scale, NARROWEST);
}

// ---- small pieces ----

static void ui_wrapped(ImU32 colour, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

static void ui_bytes_text(uint64_t bytes, char *out, size_t size)
{
    if (bytes >= (uint64_t)1 << 30) {
        snprintf(out, size, "%.2f GiB", (double)bytes / (1 << 30));
    } else if (bytes >= 1 << 20) {
        snprintf(out, size, "%.1f MiB", (double)bytes / (1 << 20));
    } else {
        snprintf(out, size, "%.1f KiB", (double)bytes / (1 << 10));
    }
}

// The text of a button that does the same as the key of "escape", such as "Close  Esc".
static const char *ui_escape_text(const char *what, char out[64])
{
    char key[BINDINGS_TEXT];
    snprintf(out, 64, "%s  %s", what, bindings_key("escape", key));
    return out;
}

static float ui_escape_width(struct ui *ui, const char *what)
{
    char text[64];
    const float wide = ImGui::CalcTextSize(ui_escape_text(what, text)).x;
    return floorf(fmaxf(wide + 2 * ImGui::GetStyle().FramePadding.x, 90 * ui->scale));
}

static bool ui_escape_button(const char *what, float width)
{
    char text[64];
    return ImGui::Button(ui_escape_text(what, text), ImVec2(width, 0));
}

// ---- sections of the panel ----

static void ui_section_file(struct ui *ui, const struct ui_model *model)
{
    char name[1100];
    printable_copy(model->document ? model->document->name : "cubist", name, sizeof name);
    ImGui::PushFont(ui->big);
    ui_fitted_text(name, ImGui::GetContentRegionAvail().x);
    ImGui::PopFont();
    if (!model->document) {
        char hint[BINDINGS_HINT], text[80 + BINDINGS_HINT];
        bindings_hint("open", "opens one.", hint);
        snprintf(
            text, sizeof text, "No volume is open. %s%sDrop a file on the window to open it.", hint,
            *hint ? " " : "");
        ui_wrapped(DIM, *model->box.title ? "" : text);
        return;
    }
    const struct volume *volume = &model->document->volume;
    char size[32], line[160];
    ui_bytes_text(volume_bytes(volume), size, sizeof size);
    snprintf(
        line, sizeof line, "%u \xc3\x97 %u \xc3\x97 %u  \xc2\xb7  %s  \xc2\xb7  %s", volume->dim[0],
        volume->dim[1], volume->dim[2], volume_type_name(volume->file_type), size);
    ui_dim_text(line);
    const double *s = volume->spacing;
    if (s[0] != 1 || s[1] != 1 || s[2] != 1) {
        snprintf(
            line, sizeof line, "spacing %.4g \xc3\x97 %.4g \xc3\x97 %.4g%s", s[0], s[1], s[2],
            volume->frame == VOLUME_FRAME_UNSAID ? "" : " mm");
        ui_dim_text(line);
    }
}

// Draws the lines at the foot of the panel.
static void ui_section_foot(struct ui *ui, const struct ui_model *model)
{
    ImGui::PushFont(ui->small);
    const float foot = ImGui::GetStyle().WindowPadding.y +
                       2 * ImGui::GetTextLineHeightWithSpacing() - ImGui::GetStyle().ItemSpacing.y;
    const float bottom = ImGui::GetWindowHeight() - foot;
    if (model->document) { // without one the height is too small, and the list would be too long
        ui->list.beside_rows = ImGui::GetCursorPosY() + foot - ui->list.rows_height;
    }
    if (ImGui::GetCursorPosY() < bottom) {
        ImGui::SetCursorPosY(bottom);
    }
    ImGui::PushStyleColor(ImGuiCol_Text, DIM);
    ui_fitted_text(model->gpu->properties.deviceName, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
    ImGui::PushStyleColor(ImGuiCol_Text, QUIET);
    char help[BINDINGS_TEXT], panel[BINDINGS_TEXT];
    bindings_key("help", help);
    bindings_key("panel", panel);
    ImGui::Text(
        "%s%s%s%s", help, *help ? "  all keys      " : "", panel,
        *panel ? "  hide this panel" : "");
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

static void ui_panel(struct ui *ui, const struct ui_model *model, struct ui_answer *answer)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(ui_panel_width(ui, model->settings), display.y));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    const ImGuiWindowFlags scrollbar =
        ui_list_fits(ui, &ui->list) ? 0 : ImGuiWindowFlags_NoScrollbar;
    const ImGuiWindowFlags wheel =
        ui->isovalue.over_histogram ? ImGuiWindowFlags_NoScrollWithMouse : 0;
    const ImGuiWindowFlags flags = (ImGuiWindowFlags_NoDecoration & ~scrollbar) | wheel;
    ui->isovalue.over_histogram = false;
    ImGui::Begin(
        "panel", nullptr,
        flags | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
            ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
    ui_section_file(ui, model);
    if (model->document) {
        ui_contents(ui, model, answer);
        ui_isovalue(ui, &ui->isovalue, model, answer);
        if (ui->isovalue.planes) {
            ui_planes(ui, model, answer);
        }
        ui_methods(ui, &ui->list, model, answer);
        ui_counts(ui, model, answer);
        if (model->settings->view.draw == DRAW_RAYS) {
            ui_cast_times(ui, model, &ui->cast_ms);
        } else {
            ui_times(ui, model, ui->list.scale_ms);
        }
    }
    ui_section_foot(ui, model);
    ImGui::End();
    ImGui::PopStyleVar();
    if (ui_at_edge(ui, model->settings, ImGui::GetIO().MousePos.x)) {
        const float edge = ui_panel_width(ui, model->settings);
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        ImGui::GetForegroundDrawList()->AddRectFilled(
            ImVec2(edge - 1, 0), ImVec2(edge + 1, display.y), ACCENT);
    }
}

// ---- boxes over the picture ----

static const ImGuiWindowFlags BOX = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_AlwaysAutoResize;

// Draws the message at the foot of the picture, until it is clicked, dismissed by Escape, or old.
// Without a volume, an error is in the middle and says why there is no picture.
static void ui_toast(struct ui *ui, const struct ui_model *model, struct ui_answer *answer)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float left = ui_panel_width(ui, model->settings), margin = floorf(14 * ui->scale);
    const float most = fminf(display.x - left - 2 * margin, 720 * ui->scale);
    const float pad = 12 * ui->scale;
    const float wrap = fmaxf(most - 2 * pad, 100);
    const ImVec2 text = ImGui::CalcTextSize(model->message, nullptr, false, wrap);
    if (model->document || !model->message_is_error || *model->box.title) {
        ImGui::SetNextWindowPos(
            ImVec2(left + margin, display.y - margin), ImGuiCond_Always, ImVec2(0, 1));
    } else {
        ImGui::SetNextWindowPos(
            ImVec2(floorf((left + display.x) / 2), floorf(display.y / 2)), ImGuiCond_Always,
            ImVec2(0.5f, 0.5f));
    }
    ImGui::SetNextWindowSize(ImVec2(text.x + 2 * pad, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, 8 * ui->scale));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("message", nullptr, BOX | ImGuiWindowFlags_NoFocusOnAppearing);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const ImU32 colour = model->message_is_error ? ERROR_TEXT : ACCENT;
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, ImVec2(at.x + 3 * ui->scale, at.y + size.y), colour, 2 * ui->scale);
    ImGui::PushStyleColor(ImGuiCol_Text, model->message_is_error ? ERROR_TEXT : BONE);
    ImGui::PushTextWrapPos(pad + text.x + 1);
    ImGui::TextUnformatted(model->message);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    answer->dismiss = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    ImGui::PopStyleVar(2);
}

static void ui_centre_box(struct ui *ui, const struct ui_model *model, float width)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float left = ui_panel_width(ui, model->settings);
    ImGui::SetNextWindowPos(
        ImVec2(floorf((left + display.x) / 2), floorf(display.y / 2)), ImGuiCond_Always,
        ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, display.y));
}

// Shows work in the background. True when the person cancels it.
static bool ui_work_box(struct ui *ui, const struct ui_model *model)
{
    const float room = ImGui::GetIO().DisplaySize.x - ui_panel_width(ui, model->settings);
    const float width = floorf(fmaxf(fminf(380 * ui->scale, room - 20), 180 * ui->scale));
    ui_centre_box(ui, model, width);
    ImGui::Begin("work", nullptr, BOX);
    const float inner = ImGui::GetContentRegionAvail().x;
    ImGui::PushFont(ui->bold);
    ui_fitted_text(model->box.title, inner);
    ImGui::PopFont();
    ImGui::ProgressBar((float)model->box.share, ImVec2(inner, floorf(8 * ui->scale)), "");
    ui_dim_text(model->box.state);
    const float button = ui_escape_width(ui, "Cancel");
    ImGui::SameLine(ImGui::GetCursorPosX() + inner - button);
    const bool cancelled = ui_escape_button("Cancel", button);
    ImGui::End();
    return cancelled;
}

static bool ui_contains(const char *text, const char *part)
{
    return !*part || strcasestr(text, part);
}

static bool ui_help_shows(const struct ui *ui, const struct key_row *row)
{
    return row->keys && (ui_contains(row->keys, ui->search) || ui_contains(row->text, ui->search) ||
                         ui_contains(row->group, ui->search));
}

static void
ui_help_rows(struct ui *ui, const struct ui_model *model, const char *group, float keys_width)
{
    bool titled = false;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        if (strcmp(row->group, group) != 0 || !ui_help_shows(ui, row)) {
            continue;
        }
        if (!titled) {
            ImGui::Dummy(ImVec2(0, 2 * ui->scale));
            ImGui::PushFont(ui->bold);
            ImGui::PushStyleColor(ImGuiCol_Text, ACCENT);
            ImGui::TextUnformatted(group);
            ImGui::PopStyleColor();
            ImGui::PopFont();
            titled = true;
        }
        const float left = ImGui::GetCursorPosX(),
                    state = key_row_switches(row) ? 36 * ui->scale : 0;
        const float right = left + ImGui::GetContentRegionAvail().x - state;
        ImGui::TextUnformatted(row->keys);
        ImGui::SameLine();
        ImGui::SetCursorPosX(left + keys_width + floorf(14 * ui->scale));
        ImGui::PushTextWrapPos(right);
        ui_dim_text(row->text);
        ImGui::PopTextWrapPos();
        if (key_row_switches(row)) {
            const bool on = key_row_is_on(row, model->settings);
            ImGui::SameLine();
            ImGui::PushStyleColor(ImGuiCol_Text, on ? ACCENT : DIM);
            ImGui::TextUnformatted(on ? "on" : "off");
            ImGui::PopStyleColor();
        }
    }
}

static void ui_help(struct ui *ui, const struct ui_model *model, struct ui_answer *answer)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = fminf(floorf(860 * ui->scale), display.x - 20);
    // Darkens everything behind the help.
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(display);
    ImGui::SetNextWindowBgAlpha(0.6f);
    if (!ui->helps) { // to the front, only once: again, it would end the text field's input
        ImGui::SetNextWindowFocus();
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin(
        "veil", nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
            ImGuiWindowFlags_NoNav);
    const bool beside = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    ImGui::PopStyleVar();
    // The help is in the middle. During a search its upper edge stays where it was.
    const bool whole = !ui->helps || !ui->search[0];
    ImGui::SetNextWindowPos(
        ImVec2(floorf(display.x / 2), whole ? floorf(display.y / 2) : ui->help_top),
        ImGuiCond_Always, ImVec2(0.5f, whole ? 0.5f : 0));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, display.y - 20));
    if (!ui->helps) {
        ImGui::SetNextWindowFocus();
    }
    ui->helps = true;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(22 * ui->scale, 18 * ui->scale));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * ui->scale, 3 * ui->scale));
    ImGui::Begin("help", nullptr, BOX & ~ImGuiWindowFlags_NoScrollbar);
    ui->help_top = whole ? ImGui::GetWindowPos().y : ui->help_top;
    ImGui::PushFont(ui->big);
    ImGui::TextUnformatted("Keys and mouse");
    ImGui::PopFont();
    const float field = floorf(200 * ui->scale), button = ui_escape_width(ui, "Close");
    const float start = ImGui::GetWindowContentRegionMax().x - field - button - 8 * ui->scale;
    if (start > ImGui::GetItemRectSize().x + 40 * ui->scale) {
        ImGui::SameLine(start); // otherwise it gets its own line
    }
    ImGui::SetNextItemWidth(field);
    if (!ImGui::IsAnyItemActive()) {
        ImGui::SetKeyboardFocusHere(); // typed text goes to the search field
    }
    ImGui::InputTextWithHint("##search", "search", ui->search, sizeof ui->search);
    ImGui::SameLine();
    if (ui_escape_button("Close", button) || beside) {
        answer->action = ACTION_HELP;
    }
    float keys_width = 0;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        keys_width = fmaxf(keys_width, row->keys ? ImGui::CalcTextSize(row->keys).x : 0);
    }
    const float column = keys_width + 230 * ui->scale;
    const int columns = ImGui::GetContentRegionAvail().x >= 2 * column ? 2 : 1;
    if (ImGui::BeginTable("columns", columns, ImGuiTableFlags_SizingStretchSame)) {
        ImGui::TableNextColumn();
        // Groups have the table's order. The second column begins when the first has half of the
        // rows.
        int rows = 0, done = 0;
        for (const struct key_row *row = bindings_rows(); row->text; row++) {
            rows += ui_help_shows(ui, row);
        }
        bool second = false;
        const char *group = "";
        for (const struct key_row *row = bindings_rows(); row->text; row++) {
            if (strcmp(row->group, group) != 0) {
                group = row->group;
                if (columns > 1 && !second && done > 0 && 2 * done >= rows) {
                    ImGui::TableNextColumn();
                    second = true;
                }
                ui_help_rows(ui, model, group, keys_width);
            }
            done += ui_help_shows(ui, row);
        }
        ImGui::EndTable();
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

// ---- one frame ----

static void ui_collect(struct ui *ui)
{
    const ImDrawData *data = ImGui::GetDrawData();
    const ImVec2 origin = data->DisplayPos, pixel = data->FramebufferScale;
    ui->commands.resize(0);
    ui->vertex_count = 0;
    ui->index_count = 0;
    for (int i = 0; i < data->CmdListsCount; i++) {
        const ImDrawList *list = data->CmdLists[i];
        for (const ImDrawCmd &from : list->CmdBuffer) {
            if (from.UserCallback || from.ElemCount == 0) {
                continue;
            }
            ui_command command;
            command.clip[0] = (from.ClipRect.x - origin.x) * pixel.x;
            command.clip[1] = (from.ClipRect.y - origin.y) * pixel.y;
            command.clip[2] = (from.ClipRect.z - origin.x) * pixel.x;
            command.clip[3] = (from.ClipRect.w - origin.y) * pixel.y;
            command.first_index = ui->index_count + from.IdxOffset;
            command.index_count = from.ElemCount;
            command.vertex_offset = (int32_t)(ui->vertex_count + from.VtxOffset);
            ui->commands.push_back(command);
        }
        ui->vertex_count += (uint32_t)list->VtxBuffer.Size;
        ui->index_count += (uint32_t)list->IdxBuffer.Size;
    }
}

void ui_frame(struct ui *ui, const struct ui_model *model, struct ui_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    answer->form.row = answer->form.focus = -1;
    if (ui->scale != ui->wanted_scale) {
        ui_rescale(ui);
    }
    ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700 // later versions handle events in order
    ImGuiIO &io = ImGui::GetIO();
    io.KeysDown[io.KeyMap[ImGuiKey_Enter]] |= ui->entered;
    io.KeysDown[io.KeyMap[ImGuiKey_Backspace]] |= ui->erased;
    ImGui::NewFrame();
    io.KeysDown[io.KeyMap[ImGuiKey_Enter]] &= !ui->entered;
    io.KeysDown[io.KeyMap[ImGuiKey_Backspace]] &= !ui->erased;
#else
    // A press and a release within one frame would leave no click, so they take a frame each.
    ImGui::GetIO().ConfigInputTrickleEventQueue = ui->turns > 0;
    ui->turns -= ui->turns > 0;
    ImGui::NewFrame();
#endif
    ui->entered = ui->erased = false;
    ui->isovalue.histogram = ImVec4(0, 0, 0, 0);
    for (ImVec4 &end : ui->ends) {
        end = ImVec4(0, 0, 0, 0);
    }
    if (model->settings->panel) {
        ui_panel(ui, model, answer);
    }
    if (model->measurement->shows) {
        ui_table(ui, model, ui_panel_width(ui, model->settings), &ui->table_in_order);
    }
    if (model->message) {
        ui_toast(ui, model, answer);
    }
    if (model->document) {
        ui_outlines(ui, model);
    }
    ui_over_picture(ui, model, ui_panel_width(ui, model->settings), ui->ends);
    if (*model->box.title && ui_work_box(ui, model)) {
        answer->action = ACTION_ESCAPE;
    }
    if (model->settings->help) {
        ui_help(ui, model, answer);
    } else {
        ui->search[0] = 0;
        ui->helps = false;
    }
    ui->form = model->form ? 2 : ui->form / 2;
    if (model->form) {
        ui_form(ui, &ui->early, model->form, &answer->form);
    }
    ui->isovalue.released = false;
    ImGui::Render();
    ui_form_type_again(&ui->early);
    ui_collect(ui);
}

void ui_enter(struct ui *ui)
{
    ui->entered = true;
}

void ui_erase(struct ui *ui)
{
    ui->erased = true;
}

void ui_release(struct ui *ui, float x)
{
    ui->isovalue.released = true;
    ui->turns += 2;
    ui->isovalue.release = x / fmaxf(ImGui::GetIO().DisplayFramebufferScale.x, 1);
}

int ui_axis_at(const struct ui *ui, float x, float y)
{
    const ImVec2 pixel = ImGui::GetIO().DisplayFramebufferScale;
    return ui_over_end(ui->ends, x / fmaxf(pixel.x, 1), y / fmaxf(pixel.y, 1));
}

void ui_scroll(struct ui *ui, float x, float y, float steps, int mods)
{
    const float pixel = fmaxf(ImGui::GetIO().DisplayFramebufferScale.x, 1);
    ui_isovalue_scroll(&ui->isovalue, x / pixel, y / pixel, steps, mods);
}

bool ui_wants_mouse(const struct ui *)
{
    return ImGui::GetIO().WantCaptureMouse;
}

bool ui_holds(const struct ui *)
{
    return ImGui::IsAnyItemActive() && ImGui::IsMouseDown(0);
}

bool ui_wants_text(const struct ui *)
{
    return ImGui::GetIO().WantTextInput;
}

bool ui_has_popup(const struct ui *)
{
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
}

bool ui_close_popup(struct ui *ui)
{
    const bool shown = ui_has_popup(ui);
    if (shown) {
        ImGui::SetWindowFocus(nullptr); // closes all popups
    }
    return shown;
}

bool ui_helps(const struct ui *ui)
{
    return ui->helps;
}

bool ui_has_form(const struct ui *ui)
{
    return ui->form > 0; // WantTextInput changes one frame later
}

static_assert(sizeof(ui_vertex) == sizeof(ImDrawVert), "one layout of vertices");
static_assert(offsetof(ui_vertex, place) == offsetof(ImDrawVert, uv), "one layout of vertices");
static_assert(offsetof(ui_vertex, tint) == offsetof(ImDrawVert, col), "one layout of vertices");
static_assert(sizeof(ImDrawIdx) == sizeof(uint16_t), "16-bit indices");

void ui_drawing_get(struct ui *ui, struct ui_drawing *out)
{
    const ImDrawData *data = ImGui::GetDrawData();
    out->origin[0] = data->DisplayPos.x;
    out->origin[1] = data->DisplayPos.y;
    out->size[0] = data->DisplaySize.x;
    out->size[1] = data->DisplaySize.y;
    out->vertex_count = ui->vertex_count;
    out->index_count = ui->index_count;
    out->command_count = (uint32_t)ui->commands.Size;
    out->commands = ui->commands.Data;
}

void ui_drawing_write(struct ui *, struct ui_vertex *vertices, uint16_t *indices)
{
    const ImDrawData *data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; i++) {
        const ImDrawList *list = data->CmdLists[i];
        memcpy(vertices, list->VtxBuffer.Data, (size_t)list->VtxBuffer.size_in_bytes());
        memcpy(indices, list->IdxBuffer.Data, (size_t)list->IdxBuffer.size_in_bytes());
        vertices += list->VtxBuffer.Size;
        indices += list->IdxBuffer.Size;
    }
}
