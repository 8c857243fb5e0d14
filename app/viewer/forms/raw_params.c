#include "app/viewer/forms/raw_params.h"

#include "app/base/number.h"
#include "volumes/formats/raw_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEPARATORS " x,;*\t"

// Splits at any separators; more than `most` parts: most + 1.
static size_t raw_params_split(const char *text, size_t most, const char **starts, size_t *lengths)
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

static bool raw_params_say(char *note, size_t size, const char *text)
{
    snprintf(note, size, "%s", text);
    return false;
}

static bool raw_params_spacing(const char *text, double spacing[3])
{
    const char *starts[3];
    size_t lengths[3];
    const size_t count = raw_params_split(text, 3, starts, lengths);
    for (size_t i = 0; i < 3 && (count == 1 || count == 3); i++) {
        const size_t k = count == 1 ? 0 : i;
        if (!number_parse(starts[k], lengths[k], &spacing[i]) || !(spacing[i] > 0)) {
            return false;
        }
    }
    memset(spacing, 0, count == 0 ? 3 * sizeof *spacing : 0); // 1 along each axis
    return count == 0 || count == 1 || count == 3;
}

// The numbers that are there: 2 or 3 of them, each at least 2; 0: other texts.
static size_t raw_params_dims(const char *text, uint64_t dim[3])
{
    const char *starts[3];
    size_t lengths[3];
    const size_t count = raw_params_split(text, 3, starts, lengths);
    bool fine = count == 2 || count == 3;
    for (size_t i = 0; i < count && fine; i++) {
        fine = whole_parse(starts[i], lengths[i], UINT32_MAX, &dim[i]) == WHOLE_OK && dim[i] >= 2;
    }
    return fine ? count : 0;
}

bool raw_params_read(
    const struct raw_texts *texts, uint64_t bytes, struct volume_params *params, char *note,
    size_t size)
{
    uint64_t dim[3] = { 0 };
    const uint64_t each = volume_type_size(params->type);
    const char *type = volume_type_name(params->type);
    const size_t blank = strspn(texts->offset, " ");
    params->offset = 0;
    if (texts->offset[blank] &&
        whole_parse(texts->offset, strlen(texts->offset), UINT64_MAX / 2, &params->offset) !=
            WHOLE_OK) {
        return raw_params_say(
            note, size, "The header is a number of bytes: 0 where there is none.");
    }
    if (!raw_params_spacing(texts->spacing, params->spacing)) {
        return raw_params_say(note, size, "The spacing is one number, or three such as 1,1,2.5.");
    }
    const size_t count = raw_params_dims(texts->dims, dim);
    if (count == 0) {
        return raw_params_say(
            note, size, "The size is three numbers, each at least 2: 256x256x128.");
    }
    const uint64_t slice = raw_fit_bytes((uint64_t[3]){ dim[0], dim[1], 1 }, each, 0);
    if (count == 2) {
        const uint64_t samples = bytes > params->offset ? bytes - params->offset : 0;
        dim[2] = samples / slice;
        if (samples % slice != 0 || dim[2] < 2 || dim[2] > UINT32_MAX) {
            snprintf(
                note, size, "No whole number of %" PRIu64 "x%" PRIu64 " slices of %s fits.", dim[0],
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
        snprintf(
            note, size, "%ux%ux%u samples of %s fit the file exactly.", params->dim[0],
            params->dim[1], params->dim[2], type);
    } else if (needed == UINT64_MAX) {
        snprintf(note, size, "So many samples fit no file.");
    } else {
        snprintf(
            note, size, "The file has %" PRIu64 " bytes %s than %" PRIu64 ", which this needs.",
            more ? bytes - needed : needed - bytes, more ? "more" : "fewer", needed);
    }
    return needed == bytes;
}
