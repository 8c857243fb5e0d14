// OpenDX's regular grids (.dx), as APBS, AmberTools and VMD write them: gridpositions with an
// origin and three steps, and an array. z is fastest, so the axes of the volume are z, y, x of the
// file; directions say so.
#include "volumes/affine.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { DX_WORDS = 24 };

struct dx {
    struct text text;
    struct problem *problem;
    struct payload payload;
    bool has_grid;
    int places;         // how many of the origin and the steps were read
    double place[4][3]; // the origin, the steps along x, y, z of the file
};

bool dx_matches(const struct file_head *head)
{
    char text[READER_HEAD + 1];
    memcpy(text, head->bytes, head->size);
    text[head->size] = 0;
    return strstr(text, "object") && strstr(text, "class gridpositions counts");
}

static bool dx_read_place(struct dx *dx, char **words)
{
    for (int i = 0; i < 3; i++) {
        if (dx->places == 4 || !text_real(words[i], &dx->place[dx->places][i])) {
            return text_refuse(
                &dx->text, dx->problem, "expected an origin and three steps of three numbers");
        }
    }
    dx->places++;
    return true;
}

static bool dx_read_grid(struct dx *dx, char **words, size_t count)
{
    for (int a = 0; a < 3; a++) {
        if (count != 8 || !text_count(words[7 - a], &dx->payload.dim[a])) {
            return text_refuse(&dx->text, dx->problem, "expected three counts of positions");
        }
    }
    dx->has_grid = true;
    return true;
}

// "object 3 class array type double rank 0 items 27 data follows"
static bool dx_read_array(struct dx *dx, char **words, size_t count)
{
    static const struct {
        const char *name;
        enum volume_type type, with_unsigned;
    } types[] = { { "double", VOLUME_FLOAT64, VOLUME_FLOAT64 },
                  { "float", VOLUME_FLOAT32, VOLUME_FLOAT32 },
                  { "int", VOLUME_INT32, VOLUME_UINT32 },
                  { "short", VOLUME_INT16, VOLUME_UINT16 },
                  { "byte", VOLUME_INT8, VOLUME_UINT8 } };
    struct sample_format *format = &dx->payload.format;
    uint64_t items = 0, rank = 0, most = 1;
    bool typed = false, without_sign = false;
    format->type = VOLUME_FLOAT32;
    format->order = BYTE_ORDER_BIG;
    for (size_t i = 4; i < count; i++) {
        const char *next = i + 1 < count ? words[i + 1] : "";
        without_sign |= strcasecmp(words[i], "unsigned") == 0;
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            if (strcasecmp(words[i], types[k].name) == 0) {
                format->type = without_sign ? types[k].with_unsigned : types[k].type;
                typed = true;
            }
        }
        if ((strcasecmp(words[i], "items") == 0 && !text_count(next, &items)) ||
            (strcasecmp(words[i], "rank") == 0 && !text_count(next, &rank))) {
            return text_refuse(&dx->text, dx->problem, "%s: expected a number", words[i]);
        }
        if (text_is_one(words[i], "ieee|binary")) {
            dx->payload.encoding = PAYLOAD_RAW;
        } else if (strcasecmp(words[i], "lsb") == 0) {
            format->order = BYTE_ORDER_LITTLE;
        }
    }
    if (!typed || rank != 0 || strcasecmp(words[count - 1], "follows") != 0) {
        return text_refuse(
            &dx->text, dx->problem,
            "expected an array of double, float, int, short or byte, of rank 0, whose data follow");
    }
    bool fits = dx->has_grid;
    for (int a = 0; fits && a < 3; a++) {
        fits = !__builtin_mul_overflow(most, dx->payload.dim[a], &most);
    }
    if (!fits || items != most) {
        return text_refuse(
            &dx->text, dx->problem,
            "the array has %" PRIu64 " items, which are not those of a grid", items);
    }
    return true;
}

// Reads up to the array, whose samples begin at dx->text.next.
static bool dx_read_header(struct dx *dx)
{
    for (;;) {
        char *words[DX_WORDS];
        bool more;
        if (!text_next(&dx->text, &more, dx->problem)) {
            return false;
        }
        if (!more) {
            return problem_set(
                dx->problem, PROBLEM_INPUT,
                "'%s' is not a grid of OpenDX: it has no array of samples", dx->text.source->path);
        }
        for (char *at = dx->text.line; *at; at++) { // some writers quote the type
            *at = (char)(*at == '"' ? ' ' : *at);
        }
        const size_t count = text_words(dx->text.line, words, DX_WORDS);
        if (count == 0 || words[0][0] == '#') {
            continue;
        }
        if (count > DX_WORDS) {
            return text_refuse(&dx->text, dx->problem, "too many words");
        }
        const bool object =
            strcasecmp(words[0], "object") == 0 && count > 3 && strcasecmp(words[2], "class") == 0;
        if (object && strcasecmp(words[3], "array") == 0) {
            return dx_read_array(dx, words, count);
        }
        if (object && strcasecmp(words[3], "gridpositions") == 0) {
            if (!dx_read_grid(dx, words, count)) {
                return false;
            }
        } else if (count == 4 && text_is_one(words[0], "origin|delta")) {
            if (!dx_read_place(dx, words + 1)) {
                return false;
            }
        } else if (count == 3 && dx->has_grid) { // some writers leave the keywords away
            if (!dx_read_place(dx, words)) {
                return false;
            }
        } else if (!object || strcasecmp(words[3], "gridconnections") != 0) {
            return text_refuse(
                &dx->text, dx->problem,
                "'%.60s' does not belong to a regular grid: gridpositions, origin, delta, array",
                words[0]);
        }
    }
}

bool dx_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct dx dx = {
        .text.source = source,
        .problem = problem,
        .payload = { .encoding = PAYLOAD_TEXT, .tail = true },
        .place = { { 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    };
    if (!dx_read_header(&dx)) {
        return false;
    }
    if (dx.places != 4) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' has %d of the origin and three steps of its grid",
            source->path, dx.places);
    }
    double steps[3][3];
    for (int a = 0; a < 3; a++) {
        memcpy(steps[a], dx.place[3 - a], sizeof steps[a]);
    }
    dx.payload.offset = dx.text.next;
    if (!payload_open(source, &dx.payload, params, out, problem)) {
        return false;
    }
    // Programs write the same grids as OpenDX and CCP4: the first isovalue must not differ.
    out->volume.density = true;
    return affine_set(&out->volume, (const double(*)[3])steps, dx.place[0], source->path, problem);
}
