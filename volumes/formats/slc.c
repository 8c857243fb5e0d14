// VolVis's volumes (.slc): numbers in text, a picture of the volume in colours, then slices of
// bytes, each compressed in runs or as it is.
#include "volumes/affine.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#include <stdio.h>
#include <string.h>

enum {
    SLC_DIM = 1, // indices of the numbers
    SLC_BITS = 4,
    SLC_SPACING = 5,
    SLC_COMPRESSION = 11,
    SLC_ICON = 12,
    SLC_NUMBERS = 14,
};

bool slc_matches(const struct file_head *head)
{
    return file_head_has(head, 0, "11111\n", 6) || file_head_has(head, 0, "11111 ", 6);
}

// Reads the numbers, and sets *end to the offset behind the X that follows them.
static bool slc_read_header(struct source *source, double numbers[SLC_NUMBERS], uint64_t *end)
{
    char text[READER_HEAD + 1];
    text[source_peek(source, text, READER_HEAD)] = 0;
    const char *at = text;
    for (int i = 0; i < SLC_NUMBERS; i++) {
        char word[32];
        at += strspn(at, " \r\n\t");
        const size_t length = strcspn(at, " \r\n\t");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length >= sizeof word || !text_real(word, &numbers[i])) {
            return false;
        }
        const bool whole = i < SLC_SPACING || i >= SLC_SPACING + 3;
        if (whole &&
            !(numbers[i] >= 0 && numbers[i] <= 1e6 && numbers[i] == (double)(uint32_t)numbers[i])) {
            return false;
        }
        at += length;
    }
    at += strspn(at, " \r\n\t");
    *end = (uint64_t)(at + 1 - text);
    return *at == 'X' && numbers[0] == 11111;
}

bool slc_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    double numbers[SLC_NUMBERS];
    struct payload payload = { .format.type = VOLUME_UINT8 };
    if (!slc_read_header(source, numbers, &payload.offset)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not an SLC volume: expected 11111, the sizes and the other numbers of its "
            "header, and an X",
            source->path);
    }
    if (numbers[SLC_BITS] != 8 || numbers[SLC_COMPRESSION] > 1) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has samples of %g bits in compression %g; expected 8 bits, compression 0 (none) "
            "or 1 (runs)",
            source->path, numbers[SLC_BITS], numbers[SLC_COMPRESSION]);
    }
    for (int i = 0; i < 3; i++) {
        payload.dim[i] = (uint64_t)numbers[SLC_DIM + i];
    }
    payload.encoding = numbers[SLC_COMPRESSION] == 1 ? PAYLOAD_RUNS : PAYLOAD_RAW;
    payload.offset += 3 * (uint64_t)numbers[SLC_ICON] * (uint64_t)numbers[SLC_ICON + 1];
    return payload_open(source, &payload, params, out, problem) &&
           affine_set_spacing(&out->volume, numbers + SLC_SPACING, source->path, problem);
}
