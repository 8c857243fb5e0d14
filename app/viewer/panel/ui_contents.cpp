// The part of the panel for the contents of a file, with Dear ImGui.
#include <imgui.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/viewer/panel/ui_contents.h"

extern "C" {
#include "volumes/base/printable.h"
}

// "/entry/data  uint16  512 x 512 x 200"
static void ui_array_text(const struct contents_array *array, char *out, size_t size)
{
    printable_copy(array->path, out, size);
    size_t at = strlen(out);
    at += (size_t)snprintf(out + at, size - at, "  %s ", array->type);
    for (size_t i = 0; i < array->axes && at < size; i++) {
        at += (size_t)snprintf(
            out + at, size - at, i ? " \xc3\x97 %" PRIu64 : " %" PRIu64, array->axis[i].size);
    }
}

static void ui_arrays(const struct contents *contents, struct ui_answer *answer)
{
    char text[1200];
    ui_array_text(&contents->arrays[contents->chosen], text, sizeof text);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (!ImGui::BeginCombo("##array", text)) {
        return;
    }
    for (size_t i = 0; i < contents->count; i++) {
        ui_array_text(&contents->arrays[i], text, sizeof text);
        ImGui::PushID((int)i);
        if (ImGui::Selectable(text, i == contents->chosen) && i != contents->chosen) {
            answer->has_pick = true;
            answer->pick = { contents->arrays[i].path, 0, 0, 0 };
        }
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

// Draws the lines that were printed about the file, without "cubist: note: 'PATH': ". Leaves out
// lines that name an option, which only helps on the command line.
static void ui_notes(const char *notes)
{
    for (const char *line = notes; *line; line += strcspn(line, "\n"), line += *line != 0) {
        const char *end = line + strcspn(line, "\n"), *begin = line;
        static const char *const marks[] = { "note: ", "warning: ", "': " };
        for (const char *mark : marks) {
            const char *at = strstr(begin, mark);
            begin = at && at < end ? at + strlen(mark) : begin;
        }
        const char *option = strstr(begin, "--");
        if (option && option < end) {
            continue;
        }
        ImGui::PushStyleColor(ImGuiCol_Text, DIM);
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(begin, end);
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
}

void ui_contents(const struct ui_kit *kit, const struct ui_model *model, struct ui_answer *answer)
{
    const struct contents *contents = &model->document->contents;
    struct pick pick = model->document->params.pick;
    uint32_t *const numbers[CONTENTS_CHOICES] = { &pick.time, &pick.channel, &pick.level };
    if (model->document->notes) {
        ImGui::PushFont(kit->small);
        ui_notes(model->document->notes);
        ImGui::PopFont();
    }
    if (contents->stretched) {
        const bool given = model->document->params.spacing[0] > 0;
        if (ImGui::Button(given ? "Spacing of the file" : "Spacing 1, 1, 1")) {
            answer->has_pick = answer->turns_spacing = true;
            answer->pick = pick;
        }
        ui_explain(kit, "The axes have different units, so one is far longer than another.");
    }
    if (contents->count > 1) {
        ui_arrays(contents, answer);
        ui_explain(kit, "What the file holds. Click to read another array.");
    }
    for (int i = 0; i < CONTENTS_CHOICES; i++) {
        const uint64_t count = contents->choice[i].count;
        if (count <= 1) {
            continue;
        }
        const uint32_t step = 1;
        uint32_t number = (uint32_t)contents->choice[i].at;
        char text[64];
        ImGui::PushID(i);
        ImGui::AlignTextToFramePadding();
        ui_dim_text(contents_word((enum contents_choice)i));
        ImGui::SameLine(floorf(72 * kit->scale));
        ImGui::SetNextItemWidth(floorf(120 * kit->scale));
        const bool set = ImGui::InputScalar(
            "##number", ImGuiDataType_U32, &number, &step, nullptr, "%u",
            ImGuiInputTextFlags_EnterReturnsTrue);
        ui_explain(kit, "Which one is read, from 0 on. Press Enter after typing a number.");
        ImGui::SameLine();
        snprintf(text, sizeof text, "0 to %" PRIu64, count - 1);
        ui_dim_text(text);
        ImGui::PopID();
        if (set && number < count && number != contents->choice[i].at) {
            *numbers[i] = number + 1;
            answer->has_pick = true;
            answer->pick = pick;
        }
    }
}
