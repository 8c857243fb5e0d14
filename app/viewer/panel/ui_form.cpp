// Forms with Dear ImGui. ImGui handles the keys that edit a text. forms.c handles all others in
// the order in which they were pressed, after this file has put the typed text into the form.
#include <imgui.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/viewer/panel/ui_form.h"

namespace {

const float WIDTH = 600, MOST_ROWS = 12;
const ImGuiWindowFlags FLAGS = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                               ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

} // namespace

void ui_fitted_text(const char *text, float width)
{
    if (ImGui::CalcTextSize(text).x <= width) {
        ImGui::TextUnformatted(text);
        return;
    }
    const int length = (int)strlen(text);
    char cut[512] = "";
    for (int keep = length < 400 ? length : 400; keep > 4; keep--) {
        int head = keep / 2, tail = keep - head;
        while (head > 0 && ((unsigned char)text[head] & 0xc0) == 0x80) {
            head--; // never inside a UTF-8 sequence
        }
        while (tail > 0 && ((unsigned char)text[length - tail] & 0xc0) == 0x80) {
            tail--;
        }
        snprintf(cut, sizeof cut, "%.*s\xe2\x80\xa6%s", head, text, text + length - tail);
        if (ImGui::CalcTextSize(cut).x <= width) {
            break;
        }
    }
    ImGui::TextUnformatted(cut);
    if (ImGui::IsItemHovered()) {
        ImGui::SetTooltip("%s", text);
    }
}

static void ui_form_text(ImU32 colour, const char *text, float width)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ui_fitted_text(text, width);
    ImGui::PopStyleColor();
}

// Darkens everything behind the form, and receives clicks there.
static void ui_form_veil(bool first)
{
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::SetNextWindowBgAlpha(0.35f);
    if (first) { // to the front, only once: again, it would end the text field's input
        ImGui::SetNextWindowFocus();
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("form's veil", nullptr, FLAGS);
    ImGui::End();
    ImGui::PopStyleVar();
}

// With a callback for completion, a text field does not use Tab itself: forms.c handles it.
static int ui_form_edits(ImGuiInputTextCallbackData *data)
{
    const struct form *form = (const struct form *)data->UserData;
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && form->at_end) {
        data->CursorPos = data->BufTextLen;
        data->ClearSelection();
    }
    return 0;
}

// Gives the keyboard to the field in focus. `early` gets text typed before the field is ready.
static void ui_form_field_text(
    ImVector<ImWchar> *early, struct form *form, uint32_t i, float width,
    struct form_answer *answer)
{
    struct form_field *field = &form->fields[i];
    const bool focus = i == form->focus;
    ImGui::PushID((int)(FORM_FIELDS * form->version + i));
    ImGui::SetNextItemWidth(width);
    if (focus && (form->drawn != form->version || !ImGui::IsAnyItemActive())) {
        ImGui::SetKeyboardFocusHere();
    }
    ImVector<ImWchar> queue;
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
        queue.push_back(c);
    }
    answer->typed |= ImGui::InputTextWithHint(
        "##text", field->hint ? field->hint : "", field->text, sizeof field->text,
        ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways, ui_form_edits,
        form);
    const bool active = ImGui::IsItemActive();
    if (focus) {
        // In its first active frame the field drops typed text. Enter makes it inactive.
        form->ready = (active && !ImGui::IsItemActivated()) || ImGui::IsItemDeactivated();
        form->at_end &= !form->ready;
        if (!form->ready && queue.Size < 1000) {
            early->swap(queue);
        }
    } else if (active) {
        answer->focus = (int)i;
    }
    ImGui::PopID();
}

// Draws the choices side by side.
static void ui_form_field_choices(
    const struct ui_kit *kit, struct form *form, uint32_t i, struct form_answer *answer)
{
    struct form_field *field = &form->fields[i];
    const bool focus = i == form->focus;
    const float right = ImGui::GetWindowContentRegionMax().x, left = ImGui::GetCursorPosX();
    const ImGuiStyle *style = &ImGui::GetStyle();
    for (uint32_t k = 0; field->choices[k]; k++) {
        const float wide = ImGui::CalcTextSize(field->choices[k]).x + 2 * style->FramePadding.x;
        if (k > 0) {
            ImGui::SameLine(0, 4 * kit->scale);
            if (ImGui::GetCursorPosX() + wide > right) {
                ImGui::NewLine();
                ImGui::SetCursorPosX(left);
            }
        }
        const bool chosen = k == field->choice;
        if (chosen) {
            ImGui::PushStyleColor(ImGuiCol_Button, ImGui::ColorConvertU32ToFloat4(LIT));
        }
        ImGui::PushID((int)(1000 * (i + 1) + k));
        if (ImGui::Button(field->choices[k])) {
            field->choice = k;
            answer->typed = true;
            answer->focus = (int)i;
        }
        ImGui::PopID();
        if (chosen) {
            ImGui::PopStyleColor();
        }
        if (chosen && focus) {
            ImGui::GetWindowDrawList()->AddRect(
                ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ACCENT, style->FrameRounding);
        }
    }
    form->ready |= focus;
}

static void ui_form_fields(
    const struct ui_kit *kit, ImVector<ImWchar> *early, struct form *form,
    struct form_answer *answer)
{
    float labels = 0;
    for (uint32_t i = 0; i < form->field_count; i++) {
        labels = fmaxf(labels, ImGui::CalcTextSize(form->fields[i].label).x);
    }
    form->ready = false;
    for (uint32_t i = 0; i < form->field_count; i++) {
        const float left = ImGui::GetCursorPosX();
        ImGui::AlignTextToFramePadding();
        ui_form_text(DIM, form->fields[i].label, labels);
        ImGui::SameLine(left + labels + 12 * kit->scale);
        if (form->fields[i].choices) {
            ui_form_field_choices(kit, form, i, answer);
        } else {
            ui_form_field_text(early, form, i, ImGui::GetContentRegionAvail().x, answer);
        }
    }
    form->drawn = form->version;
}

static void ui_form_row(
    const struct ui_kit *kit, const struct form *form, uint32_t i, float width,
    struct form_answer *answer)
{
    const struct form_row *row = &form->rows[i];
    const float s = kit->scale, inset = floorf(8 * s);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight() + floorf(4 * s);
    const ImVec2 end(at.x + width, at.y + height);
    ImGui::Dummy(ImVec2(width, height));
    // ImGui's test for items fails here: after a click the text field takes the focus again, and
    // then no item counts as hovered until the mouse moves.
    const bool hovered = ImGui::IsMouseHoveringRect(at, end);
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        answer->row = (int)i;
        answer->accepts |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    const bool selected = (int)i == form->selected;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    if (selected) {
        draw->AddRectFilled(at, end, CHOSEN, 3 * s);
        draw->AddRectFilled(at, ImVec2(at.x + 3 * s, end.y), ACCENT, 1.5f * s);
    } else if (hovered) {
        draw->AddRectFilled(at, end, FAINT, 3 * s);
    }
    // If label and detail are both long, the label gets the larger part. Cut text shows dots.
    const ImVec2 next = ImGui::GetCursorScreenPos();
    const float whole = width - 2 * inset, label = ImGui::CalcTextSize(row->label).x;
    ImGui::PushFont(kit->small);
    const float detail = ImGui::CalcTextSize(row->detail).x;
    const float room = fmaxf(whole - label - 2 * inset, floorf(whole * 0.35f));
    const float shown = fminf(detail, room);
    ImGui::SetCursorScreenPos(ImVec2(end.x - inset - shown, at.y + floorf(3.5f * s)));
    ui_form_text(QUIET, row->detail, shown + 1);
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(ImVec2(at.x + inset, at.y + floorf(2 * s)));
    ui_form_text(
        selected ? ACCENT : TEXT, row->label, whole - (detail > 0 ? shown + 2 * inset : 0) + 1);
    ImGui::SetCursorScreenPos(next);
}

// Draws as many rows as fit, and scrolls to the selected row when it changes.
static void
ui_form_rows(const struct ui_kit *kit, struct form *form, float most, struct form_answer *answer)
{
    const float s = kit->scale, pad = floorf(3 * s);
    const float row = ImGui::GetTextLineHeight() + floorf(4 * s);
    const float wanted = fminf(fmaxf((float)form->row_count, (float)form->least_rows), MOST_ROWS);
    const float rows = fmaxf(fminf(wanted, floorf((most - 2 * pad) / row)), 2);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::ColorConvertU32ToFloat4(WELL));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 4 * s);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild(
        "rows", ImVec2(0, rows * row + 2 * pad), false,
        ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
    if (form->selected >= 0 && form->scrolled != form->selected) {
        const float top = (float)form->selected * row, scroll = ImGui::GetScrollY();
        if (top < scroll || top + row > scroll + rows * row) {
            ImGui::SetScrollY(top < scroll ? top : top - (rows - 1) * row);
        }
        form->scrolled = form->selected;
    }
    const float width = ImGui::GetContentRegionAvail().x;
    ImGuiListClipper clipper;
    clipper.Begin((int)form->row_count, row);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
            ui_form_row(kit, form, (uint32_t)i, width, answer);
        }
    }
    clipper.End();
    ImGui::EndChild();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

// Draws the note, which says what will happen, and the buttons.
static void
ui_form_foot(const struct ui_kit *kit, const struct form *form, struct form_answer *answer)
{
    ImGui::Dummy(ImVec2(0, floorf(2 * kit->scale)));
    const float button = floorf(110 * kit->scale), gap = ImGui::GetStyle().ItemSpacing.x;
    ImGui::PushStyleColor(ImGuiCol_Text, form->note_is_error ? ERROR_TEXT : DIM);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(form->note);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SetCursorPosX(right - 2 * button - gap);
    answer->cancels = ImGui::Button("Cancel  Esc", ImVec2(button, 0));
    ImGui::SameLine();
    char text[64];
    snprintf(text, sizeof text, "%s  Enter", form->accept);
    answer->accepts |= ImGui::Button(text, ImVec2(button, 0));
}

void ui_form(
    const struct ui_kit *kit, ImVector<ImWchar> *early, struct form *form,
    struct form_answer *answer)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float s = kit->scale, width = fminf(floorf(WIDTH * s), display.x - 20);
    const bool first = form->drawn == 0;
    ui_form_veil(first);
    ImGui::SetNextWindowPos(
        ImVec2(floorf(display.x / 2), floorf(display.y / 2)), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, display.y - 20));
    if (first) {
        ImGui::SetNextWindowFocus();
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(18 * s, 14 * s));
    // A form that is higher than the window scrolls.
    ImGui::Begin(
        "form", nullptr,
        (FLAGS | ImGuiWindowFlags_AlwaysAutoResize) & ~ImGuiWindowFlags_NoScrollbar);
    const float inner = ImGui::GetContentRegionAvail().x;
    ImGui::PushFont(kit->big);
    ImGui::TextUnformatted(form->title);
    ImGui::PopFont();
    const float top = ImGui::GetCursorPosY();
    if (form->question[0]) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(form->question);
        ImGui::PopTextWrapPos();
    }
    const float question = ImGui::GetCursorPosY() - top;
    if (form->line[0]) {
        ui_form_text(DIM, form->line, inner);
    }
    const float above = ImGui::GetCursorPosY();
    ui_form_fields(kit, early, form, answer);
    const float rest = question + ImGui::GetCursorPosY() - above + 190 * s;
    if (form->row_count > 0 || form->least_rows > 0) {
        ui_form_rows(kit, form, display.y - rest, answer);
    }
    ui_form_foot(kit, form, answer);
    ImGui::End();
    ImGui::PopStyleVar();
}

void ui_form_type_again(ImVector<ImWchar> *early)
{
    for (const ImWchar c : *early) {
        ImGui::GetIO().AddInputCharacter((unsigned)c);
    }
    early->clear();
}
