#include "app/viewer/forms/raw_form.h"

#include "app/base/number.h"
#include "app/viewer/work/document.h"
#include "volumes/formats/raw_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEPARATORS " x,;*\t"

// Splits at any separators. Returns the number of parts; most + 1 if there are more than `most`.
static size_t raw_form_split(const char *text, size_t most, const char **starts, size_t *lengths)
{
    size_t count = 0;
    text += strspn(text, SEPARATORS);
    while (*text) {
        if (count == most) {
            return most + 1;
        }
        starts[count] = text;
        lengths[count] = strcspn(text, SEPARATORS);
        text += lengths[count++];
        text += strspn(text, SEPARATORS);
    }
    return count;
}

static bool raw_form_spacing(const char *text, double spacing[3])
{
    const char *starts[3];
    size_t lengths[3];
    const size_t count = raw_form_split(text, 3, starts, lengths);
    for (size_t i = 0; i < 3 && (count == 1 || count == 3); i++) {
        const size_t k = count == 1 ? 0 : i;
        if (!number_parse(starts[k], lengths[k], &spacing[i]) || !(spacing[i] > 0)) {
            return false;
        }
    }
    memset(spacing, 0, count == 0 ? 3 * sizeof *spacing : 0); // 0: 1 along each axis
    return count == 0 || count == 1 || count == 3;
}

// Reads 2 or 3 numbers, each at least 2. Returns how many there are; 0: the text is wrong.
static size_t raw_form_dims(const char *text, uint64_t dim[3])
{
    const char *starts[3];
    size_t lengths[3];
    const size_t count = raw_form_split(text, 3, starts, lengths);
    bool fine = count == 2 || count == 3;
    for (size_t i = 0; i < count && fine; i++) {
        fine = whole_parse(starts[i], lengths[i], UINT32_MAX, &dim[i]) == WHOLE_OK && dim[i] >= 2;
    }
    return fine ? count : 0;
}

// The forms for remedies. A note says what the choice does.
static const struct {
    const char *option, *title, *label, *choices[3], *notes[2];
} raw_remedies[] = {
    [REMEDY_GAPS] = { " --gaps",
                      "How should the gaps between slices be filled?",
                      "Fill with",
                      { "the least value", "values between" },
                      { "A gap looks empty.", "The slices at both sides of a gap are mixed." } },
    [REMEDY_AXIS_INDEX] = { " --axis-index",
                            "How should this axis be shown?",
                            "Its steps",
                            { "0, 1, 2" },
                            { "Its samples are shown at equal distances." } },
};

static bool
raw_form_read_remedy(struct form *form, const struct raw_file *file, struct volume_params *params)
{
    const uint32_t choice = form->fields[0].choice;
    *params = file->params;
    params->pick.array = *file->array ? file->array : NULL;
    if (file->why.remedy == REMEDY_GAPS) {
        params->gaps = choice ? GAPS_RESAMPLE : GAPS_BLANK;
    } else {
        params->axis_index = "all"; // other axes may be like this one
    }
    form_set_note(form, false, "%s", raw_remedies[file->why.remedy].notes[choice]);
    return true;
}

bool raw_form_read(struct form *form, const struct raw_form *raw, struct volume_params *params)
{
    if (raw->file.why.remedy) {
        return raw_form_read_remedy(form, &raw->file, params);
    }
    const char *offset = form->fields[RAW_OFFSET].text;
    *params = (struct volume_params){
        .max_bytes = raw->given->max_bytes,
        .max_input = raw->given->max_input,
        .has_type = true,
        .type = (enum volume_type)form->fields[RAW_TYPE].choice,
        .order = form->fields[RAW_ORDER].choice ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE,
    };
    const uint64_t bytes = raw->file.bytes, each = volume_type_size(params->type);
    const char *type = volume_type_name(params->type);
    uint64_t dim[3] = { 0 };
    if (offset[strspn(offset, " ")] &&
        whole_parse(offset, strlen(offset), UINT64_MAX / 2, &params->offset) != WHOLE_OK) {
        form_set_note(form, true, "The header is a number of bytes: 0 where there is none.");
        return false;
    }
    if (!raw_form_spacing(form->fields[RAW_SPACING].text, params->spacing)) {
        form_set_note(form, true, "The spacing is one number, or three such as 1,1,2.5.");
        return false;
    }
    const size_t count = raw_form_dims(form->fields[RAW_DIMS].text, dim);
    if (count == 0) {
        form_set_note(form, true, "The size is three numbers, each at least 2: 256x256x128.");
        return false;
    }
    const uint64_t slice = raw_fit_bytes((uint64_t[3]){ dim[0], dim[1], 1 }, each, 0);
    if (count == 2) {
        const uint64_t samples = bytes > params->offset ? bytes - params->offset : 0;
        dim[2] = samples / slice;
        if (samples % slice != 0 || dim[2] < 2 || dim[2] > UINT32_MAX) {
            form_set_note(
                form, true, "No whole number of %" PRIu64 "x%" PRIu64 " slices of %s fits.", dim[0],
                dim[1], type);
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        params->dim[i] = (uint32_t)dim[i];
    }
    const uint64_t needed = raw_fit_bytes(dim, each, params->offset);
    const bool more = needed < bytes;
    if (needed == bytes) {
        form_set_note(
            form, false, "%ux%ux%u samples of %s fit the file exactly.", params->dim[0],
            params->dim[1], params->dim[2], type);
    } else if (needed == UINT64_MAX) {
        form_set_note(form, true, "So many samples fit no file.");
    } else {
        char apart[32], need[32];
        form_set_note(
            form, true, "The file has %s bytes %s than %s, which this needs.",
            number_thousands(more ? bytes - needed : needed - bytes, apart),
            more ? "more" : "fewer", number_thousands(needed, need));
    }
    return needed == bytes;
}

void raw_form_selected(struct form *form, const struct raw_form *raw)
{
    const struct raw_guess *guess = &raw->guesses[form->selected];
    struct volume_params params;
    char text[64];
    snprintf(text, sizeof text, "%ux%ux%u", guess->dim[0], guess->dim[1], guess->dim[2]);
    form_set_text(form, RAW_DIMS, text);
    snprintf(text, sizeof text, "%" PRIu64, guess->offset);
    form_set_text(form, RAW_OFFSET, text);
    form->fields[RAW_TYPE].choice = (uint32_t)guess->type;
    raw_form_read(form, raw, &params);
}

// Adds a row for each guess that fits the file. False: out of memory.
static bool raw_form_list(struct form *form, struct raw_form *raw)
{
    const uint32_t count = raw_guess(raw->file.bytes, raw->guesses, RAW_FORM_GUESSES);
    for (uint32_t i = 0; i < count; i++) {
        const struct raw_guess *guess = &raw->guesses[i];
        char label[64], detail[64], digits[32];
        snprintf(label, sizeof label, "%u x %u x %u", guess->dim[0], guess->dim[1], guess->dim[2]);
        snprintf(detail, sizeof detail, "%s", volume_type_name(guess->type));
        if (guess->offset > 0) {
            snprintf(
                detail, sizeof detail, "%s after %s bytes", volume_type_name(guess->type),
                number_thousands(guess->offset, digits));
        }
        if (!form_add_row(form, label, detail, "", 0)) {
            return false;
        }
    }
    return true;
}

// Asks by which option the file is opened. Its refusal stands without the names of options.
static bool raw_form_show_remedy(struct form *form, const struct raw_file *file)
{
    struct volume_params params;
    const enum problem_remedy remedy = file->why.remedy;
    const char *text = file->why.text, *option = strstr(text, raw_remedies[remedy].option);
    int shown = option ? (int)(option - text) : (int)strlen(text);
    while (option && shown > 0 && !strchr(":;", text[shown])) {
        shown--;
    }
    form_begin(form, raw_remedies[remedy].title, "Open");
    snprintf(form->question, sizeof form->question, "%.*s.", shown, text);
    form->field_count = 1;
    form->fields[0] = (struct form_field){ .label = raw_remedies[remedy].label,
                                           .choices = raw_remedies[remedy].choices };
    return raw_form_read_remedy(form, file, &params);
}

bool raw_form_show(struct form *form, struct raw_form *raw)
{
    static const char *const orders[] = { "little endian", "big endian", NULL };
    struct volume_params params;
    char bytes[32];
    if (raw->file.why.remedy) {
        return raw_form_show_remedy(form, &raw->file);
    }
    form_begin(form, "What is in this file?", "Open");
    for (int i = 0; i < VOLUME_TYPES; i++) {
        raw->types[i] = volume_type_name((enum volume_type)i);
    }
    form_set_line(
        form, "%s has %s bytes and does not say what they are.", document_file_name(raw->file.path),
        number_thousands(raw->file.bytes, bytes));
    form->field_count = RAW_FIELDS;
    form->fields[RAW_DIMS] =
        (struct form_field){ .label = "Size", .hint = "width x height x slices" };
    form->fields[RAW_TYPE] = (struct form_field){ .label = "Type", .choices = raw->types };
    form->fields[RAW_ORDER] = (struct form_field){ .label = "Byte order", .choices = orders };
    form->fields[RAW_SPACING] = (struct form_field){ .label = "Spacing", .hint = "1,1,1" };
    form->fields[RAW_OFFSET] = (struct form_field){ .label = "Header", .hint = "0 bytes" };
    form->least_rows = 6;
    if (!raw_form_list(form, raw)) {
        return false;
    }
    if (form_select(form, +1)) {
        raw_form_selected(form, raw);
    } else {
        raw_form_read(form, raw, &params);
    }
    return true;
}
