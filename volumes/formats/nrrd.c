// NRRD: a text header, with the samples after it or in other files. Grammar: the teem page
// "Definition of NRRD File Format", versions 1 to 5. All fields are collected first and interpreted
// when the header is complete. So their order matters only where the grammar says so (per-axis
// fields come after `dimension`). Of more than three axes, those with one sample are dropped. A
// further, slower axis means several volumes; the first is read. The first three axes must be
// directions in space.
//
// Without a space, axis mins, axis maxs and centerings give the position of the samples, as in teem
// (nrrdOriginCalculate, nrrdAxisInfoSpacingSet).
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AXES 16 // NRRD_DIM_MAX

static const struct {
    const char *name, *alias;
    unsigned dimension;
    double flip[2]; // factors of x and y that convert to LPS; 0: no patient's frame
} spaces[] = {
    { "left-posterior-superior", "LPS", 3, { 1, 1 } },
    { "right-anterior-superior", "RAS", 3, { -1, -1 } },
    { "left-anterior-superior", "LAS", 3, { 1, -1 } },
    { "left-posterior-superior-time", "LPST", 4, { 1, 1 } },
    { "right-anterior-superior-time", "RAST", 4, { -1, -1 } },
    { "left-anterior-superior-time", "LAST", 4, { 1, -1 } },
    { "scanner-xyz", "scanner-xyz", 3, { 0, 0 } },
    { "scanner-xyz-time", "scanner-xyz-time", 4, { 0, 0 } },
    { "3D-right-handed", "3D-right-handed", 3, { 0, 0 } },
    { "3D-left-handed", "3D-left-handed", 3, { 0, 0 } },
    { "3D-right-handed-time", "3D-right-handed-time", 4, { 0, 0 } },
    { "3D-left-handed-time", "3D-left-handed-time", 4, { 0, 0 } },
};

struct nrrd_axis {
    uint64_t size;
    unsigned number; // number of the axis in the file, from 1
    const char *kind;
    bool scalar;   // by its kind it does not hold colours, vectors or matrices
    bool apart;    // by its kind it is not a direction in space
    bool has_step; // `step`, in the file's space, is known
    double step[3];
    double spacing, min, max; // NAN: unknown
    bool node;                // the end samples lie at min and max, not half a step inside
};

struct nrrd {
    const char *path;
    // Values of fields; NULL: the header lacks the field.
    char *dimension, *type, *sizes, *encoding, *endian, *data_file, *line_skip, *byte_skip;
    char *spacings, *kinds, *mins, *maxs, *centerings;
    char *space, *space_dimension, *space_directions, *space_origin;
    unsigned axes;
    struct nrrd_axis axis[AXES];
    struct sidecar_list files;
    uint64_t data_at; // offset of the end of an attached header
    bool attached;
    struct payload payload;
    bool has_origin;
    double steps[3][3], origin[3];
    enum volume_frame frame;
    bool labels; // the samples are segments of 3D Slicer
};

// Required fields come first. Blanks in names are removed, because both spellings occur ("data
// file", "datafile").
static const struct text_field fields[] = {
    { "dimension", offsetof(struct nrrd, dimension), true },
    { "type", offsetof(struct nrrd, type), true },
    { "sizes", offsetof(struct nrrd, sizes), true },
    { "encoding", offsetof(struct nrrd, encoding), true },
    { "endian", offsetof(struct nrrd, endian), false },
    { "datafile", offsetof(struct nrrd, data_file), false },
    { "lineskip", offsetof(struct nrrd, line_skip), false },
    { "byteskip", offsetof(struct nrrd, byte_skip), false },
    { "spacings", offsetof(struct nrrd, spacings), false },
    { "kinds", offsetof(struct nrrd, kinds), false },
    { "axismins", offsetof(struct nrrd, mins), false },
    { "axismaxs", offsetof(struct nrrd, maxs), false },
    { "centers|centerings", offsetof(struct nrrd, centerings), false },
    { "space", offsetof(struct nrrd, space), false },
    { "spacedimension", offsetof(struct nrrd, space_dimension), false },
    { "spacedirections", offsetof(struct nrrd, space_directions), false },
    { "spaceorigin", offsetof(struct nrrd, space_origin), false },
    { 0 },
};
// Fields that are known but not used.
#define PASSED_OVER                                                                                \
    "thicknesses|labels|units|spaceunits|measurementframe|content|sampleunits|number|blocksize|"   \
    "min|max|oldmin|oldmax"
// Fields that must come after `dimension`.
#define PER_AXIS                                                                                   \
    "sizes|spacings|kinds|spacedirections|thicknesses|axismins|axismaxs|centers|centerings|"       \
    "labels|units"

bool nrrd_matches(const struct file_head *head)
{
    return !head->gzip && file_head_has(head, 0, "NRRD000", 7);
}

static bool
nrrd_refuse(const struct nrrd *nrrd, struct problem *problem, const char *what, const char *value)
{
    return problem_set(problem, PROBLEM_INPUT, "'%s': %s '%s'", nrrd->path, what, value);
}

static bool nrrd_is_list(const char *value)
{
    return strncmp(value, "LIST", 4) == 0 && (!value[4] || isspace((unsigned char)value[4]));
}

// Reads one line of the header that is neither empty nor a comment.
static bool nrrd_read_field(struct nrrd *nrrd, struct text *text, struct problem *problem)
{
    char *colon = strchr(text->line, ':');
    if (!colon) {
        return text_refuse(
            text, problem,
            "'%.60s' is not a field; expected 'field: value', or an empty line before "
            "the samples",
            text->line);
    }
    if (colon[1] == '=') {
        // A key and a value for another program. Those of 3D Slicer describe segments.
        nrrd->labels |=
            strncmp(text->line, "Segmentation_", 13) == 0 ||
            (strncmp(text->line, "Segment", 7) == 0 && isdigit((unsigned char)text->line[7]));
        return true;
    }
    char name[32] = "";
    size_t length = 0;
    for (const char *at = text->line; at < colon && length < sizeof name - 1; at++) {
        if (*at != ' ' && *at != '\t') {
            name[length++] = (char)tolower((unsigned char)*at);
        }
    }
    char **value = text_field(fields, nrrd, name);
    if (!value && !text_is_one(name, PASSED_OVER)) {
        log_warn(
            "'%s' line %u: the field '%s' is not known and is ignored", nrrd->path, text->number,
            name);
        return true;
    }
    if (!nrrd->dimension && text_is_one(name, PER_AXIS)) {
        return text_refuse(text, problem, "'%s' comes before 'dimension'", name);
    }
    if (!value) {
        return true;
    }
    if (*value) {
        return text_refuse(text, problem, "'%s' is given twice", name);
    }
    *value = strdup(text_trim(colon + 1));
    return *value || problem_no_memory(problem, "reading", nrrd->path);
}

static bool nrrd_read_header(struct nrrd *nrrd, struct text *text, struct problem *problem)
{
    bool more;
    if (!text_next(text, &more, problem)) {
        return false;
    }
    if (strncmp(text->line, "NRRD000", 7) != 0 || text->length != 8 || text->line[7] < '1' ||
        text->line[7] > '5') {
        return text_refuse(
            text, problem, "'%.20s' is not an NRRD magic; expected NRRD0001 to NRRD0005",
            text->line);
    }
    for (;;) {
        if (!text_next(text, &more, problem)) {
            return false;
        }
        if (!more || text->length == 0) {
            nrrd->attached = more;
            nrrd->data_at = text->next;
            return true;
        }
        if (text->line[0] == '#') {
            continue;
        }
        if (!nrrd_read_field(nrrd, text, problem)) {
            return false;
        }
        // The names after LIST are the rest of the file, with no empty line between.
        if (nrrd->data_file && nrrd_is_list(nrrd->data_file)) {
            return sidecar_list_read(&nrrd->files, text, problem);
        }
    }
}

#define SCALAR_KINDS "domain|space|time|list|???|none|stub|scalar"
// An axis of time or of a list is not a direction in space. An axis without a kind may be one.
#define SPATIAL_KINDS "domain|space|???|none"

// Splits a per-axis field into its words. There must be one word for each axis.
static bool nrrd_axis_words(
    const struct nrrd *nrrd, char *value, const char *name, char **words, struct problem *problem)
{
    const size_t count = text_words(value, words, AXES);
    return count == nrrd->axes ||
           problem_set(
               problem, PROBLEM_INPUT, "'%s': '%s' has %zu values for %u axes", nrrd->path, name,
               count, nrrd->axes);
}

// Reads one number for each axis. Teem writes NaN for an unknown number.
static bool
nrrd_read_axis_reals(struct nrrd *nrrd, char *value, const char *name, struct problem *problem)
{
    char *words[AXES];
    if (!value) {
        return true;
    }
    if (!nrrd_axis_words(nrrd, value, name, words, problem)) {
        return false;
    }
    for (unsigned i = 0; i < nrrd->axes; i++) {
        struct nrrd_axis *axis = &nrrd->axis[i];
        double *out = value == nrrd->mins   ? &axis->min
                      : value == nrrd->maxs ? &axis->max
                                            : &axis->spacing;
        if (!text_real(words[i], out)) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': %s has '%s'; expected a number", nrrd->path, name,
                words[i]);
        }
        if (out != &axis->spacing && isinf(*out)) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': %s has '%s', which is not finite; expected a number, or nan for unknown",
                nrrd->path, name, words[i]);
        }
    }
    return true;
}

static bool nrrd_read_axes(struct nrrd *nrrd, struct problem *problem)
{
    char *words[AXES];
    uint64_t axes;
    if (!text_count(nrrd->dimension, &axes) || axes < 3 || axes > AXES) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': dimension '%s'; expected 3 (or more, of one sample each)", nrrd->path,
            nrrd->dimension);
    }
    nrrd->axes = (unsigned)axes;
    if (!nrrd_axis_words(nrrd, nrrd->sizes, "sizes", words, problem)) {
        return false;
    }
    for (unsigned i = 0; i < nrrd->axes; i++) {
        struct nrrd_axis *axis = &nrrd->axis[i];
        *axis = (struct nrrd_axis){ .number = i + 1, .scalar = true, .kind = "???" };
        axis->spacing = axis->min = axis->max = (double)NAN;
        if (!text_count(words[i], &axis->size) || axis->size == 0) {
            return nrrd_refuse(nrrd, problem, "sizes has", words[i]);
        }
    }
    if (nrrd->kinds) {
        if (!nrrd_axis_words(nrrd, nrrd->kinds, "kinds", words, problem)) {
            return false;
        }
        for (unsigned i = 0; i < nrrd->axes; i++) {
            nrrd->axis[i].kind = words[i];
            nrrd->axis[i].scalar = text_is_one(words[i], SCALAR_KINDS);
            nrrd->axis[i].apart = !text_is_one(words[i], SPATIAL_KINDS);
        }
    }
    if (nrrd->centerings) {
        if (!nrrd_axis_words(nrrd, nrrd->centerings, "centerings", words, problem)) {
            return false;
        }
        for (unsigned i = 0; i < nrrd->axes; i++) {
            nrrd->axis[i].node = strcasecmp(words[i], "node") == 0;
        }
    }
    return nrrd_read_axis_reals(nrrd, nrrd->spacings, "spacings", problem) &&
           nrrd_read_axis_reals(nrrd, nrrd->mins, "axis mins", problem) &&
           nrrd_read_axis_reals(nrrd, nrrd->maxs, "axis maxs", problem);
}

// Reads "(a,b,c)", with blanks anywhere, into `out` and moves *at past it. False where it is not a
// vector of `size` numbers.
static bool nrrd_read_vector(const char **at, unsigned size, double *out)
{
    const char *s = *at + strspn(*at, " \t");
    for (unsigned i = 0; i < size; i++) {
        char word[64];
        if (*s != (i ? ',' : '(')) {
            return false;
        }
        s++;
        s += strspn(s, " \t");
        const size_t length = strcspn(s, " \t,)");
        if (length >= sizeof word) {
            return false;
        }
        memcpy(word, s, length);
        word[length] = 0;
        if (!text_real(word, &out[i])) {
            return false;
        }
        s += length;
        s += strspn(s, " \t");
    }
    if (*s != ')') {
        return false;
    }
    *at = s + 1;
    return true;
}

// The number of entries in the first vector of `s`; 0 where there is none.
static unsigned nrrd_vector_size(const char *s)
{
    const char *open = strchr(s, '(');
    unsigned size = open ? 1 : 0;
    for (const char *at = open; at && *at && *at != ')'; at++) {
        size += *at == ',';
    }
    return size;
}

static bool
nrrd_read_space(struct nrrd *nrrd, double flip[2], unsigned *dimension, struct problem *problem)
{
    const char *directions = nrrd->space_directions;
    const char *space = nrrd->space;
    *dimension = directions ? nrrd_vector_size(directions) : 3;
    flip[0] = flip[1] = 0;
    if (nrrd->space_dimension) {
        uint64_t said;
        if (!text_count(nrrd->space_dimension, &said) || said == 0 || said > AXES) {
            return nrrd_refuse(nrrd, problem, "space dimension is", nrrd->space_dimension);
        }
        *dimension = (unsigned)said;
    }
    bool known = !space;
    for (size_t i = 0; !known && i < sizeof spaces / sizeof spaces[0]; i++) {
        known = strcasecmp(space, spaces[i].name) == 0 || strcasecmp(space, spaces[i].alias) == 0;
        if (known) {
            *dimension = spaces[i].dimension;
            memcpy(flip, spaces[i].flip, sizeof spaces[i].flip);
        }
    }
    if (!known) {
        log_warn("'%s': the space '%s' is not known; it is used as it is", nrrd->path, space);
    }
    return true;
}

static bool nrrd_all_nan(const double *v)
{
    return isnan(v[0]) && isnan(v[1]) && isnan(v[2]);
}

// Reads space, space directions and space origin, in the file's space.
static bool nrrd_read_directions(struct nrrd *nrrd, double flip[2], struct problem *problem)
{
    unsigned dimension;
    double vector[AXES];
    if (!nrrd_read_space(nrrd, flip, &dimension, problem)) {
        return false;
    }
    const char *directions = nrrd->space_directions;
    const char *origin = nrrd->space_origin;
    if ((directions || origin) && (dimension < 3 || dimension > 4)) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': its space has %u dimensions; expected 3", nrrd->path,
            dimension);
    }
    const char *at = directions;
    for (unsigned i = 0; directions && i < nrrd->axes; i++) {
        at += strspn(at, " \t");
        if (strncasecmp(at, "none", 4) == 0) {
            at += 4;
        } else if (!nrrd_read_vector(&at, dimension, vector)) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': space directions '%s'; expected %u vectors of %u numbers, or 'none'",
                nrrd->path, directions, nrrd->axes, dimension);
        } else if (!nrrd_all_nan(vector)) {
            nrrd->axis[i].has_step = true;
            memcpy(nrrd->axis[i].step, vector, sizeof nrrd->axis[i].step);
        }
    }
    if (directions && at[strspn(at, " \t")]) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': space directions '%s' are more than its %u axes",
            nrrd->path, directions, nrrd->axes);
    }
    at = origin;
    if (origin && (!nrrd_read_vector(&at, dimension, vector) || at[strspn(at, " \t")])) {
        return nrrd_refuse(nrrd, problem, "expected '(x,y,z)' as the space origin, not", origin);
    }
    if (origin && !nrrd_all_nan(vector)) {
        memcpy(nrrd->origin, vector, sizeof nrrd->origin);
        nrrd->has_origin = true;
    }
    return true;
}

static void nrrd_drop_axis(struct nrrd *nrrd, unsigned i)
{
    nrrd->axes--;
    memmove(&nrrd->axis[i], &nrrd->axis[i + 1], (nrrd->axes - i) * sizeof nrrd->axis[0]);
}

// Selects an axis of one sample to drop: the slowest that is not a direction in space, otherwise
// the slowest. -1: none.
static int nrrd_stub_axis(const struct nrrd *nrrd)
{
    bool steps = false;
    for (unsigned i = 0; i < nrrd->axes; i++) {
        steps |= nrrd->axis[i].has_step;
    }
    int best = -1;
    bool best_apart = false;
    for (unsigned i = 0; i < nrrd->axes; i++) {
        const struct nrrd_axis *axis = &nrrd->axis[i];
        const bool apart = axis->apart || (steps && !axis->has_step);
        if (axis->size == 1 && (apart || !best_apart)) {
            best = (int)i;
            best_apart = apart;
        }
    }
    return best;
}

static bool
nrrd_refuse_values(const struct nrrd *nrrd, const struct nrrd_axis *axis, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %" PRIu64 " values per sample (kind %s), which cubist does not read; make one "
        "volume of it (unu slice, or one channel in 3D Slicer)",
        nrrd->path, axis->size, axis->kind);
}

// Reduces the axes to the three of the volume.
static bool nrrd_reduce_axes(struct nrrd *nrrd, struct problem *problem)
{
    struct payload *payload = &nrrd->payload;
    payload->frames = 1;
    while (nrrd->axes > 3) {
        const int stub = nrrd_stub_axis(nrrd);
        if (stub < 0) {
            break;
        }
        nrrd_drop_axis(nrrd, (unsigned)stub);
    }
    bool steps = false;
    for (unsigned i = 0; i < nrrd->axes; i++) {
        steps |= nrrd->axis[i].has_step;
        if (!nrrd->axis[i].scalar) {
            return nrrd_refuse_values(nrrd, &nrrd->axis[i], problem);
        }
    }
    // A short first axis without a kind probably holds colours.
    const struct nrrd_axis *first = &nrrd->axis[0], *last = &nrrd->axis[nrrd->axes - 1];
    const bool said = nrrd->kinds || steps;
    if (nrrd->axes > 3 && !said && first->size <= 4 && last->size > 4) {
        return nrrd_refuse_values(nrrd, first, problem);
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct nrrd_axis *axis = &nrrd->axis[i];
        if (axis->apart || (nrrd->axes > 3 && steps && !axis->has_step)) {
            return i == 0 ? nrrd_refuse_values(nrrd, axis, problem)
                          : problem_set(
                                problem, PROBLEM_INPUT,
                                "'%s': its axis %u of %" PRIu64
                                " (kind %s) is not a direction in space, and %s",
                                nrrd->path, axis->number, axis->size, axis->kind,
                                nrrd->axes > 3 ? "comes before another axis; make one volume of it "
                                                 "(unu slice, or one volume in 3D Slicer)"
                                               : "a volume needs three; if it is one, correct "
                                                 "'kinds'");
        }
    }
    while (nrrd->axes > 3) {
        const uint64_t size = nrrd->axis[nrrd->axes - 1].size;
        if (__builtin_mul_overflow(payload->frames, size, &payload->frames)) {
            return problem_set(
                problem, PROBLEM_LIMIT, "'%s': its sizes take more than 64 bits", nrrd->path);
        }
        nrrd_drop_axis(nrrd, nrrd->axes - 1);
    }
    payload->frames_how = "";
    return true;
}

// The distance between samples. Without `spacings` it follows from the axis' min and max.
static double nrrd_axis_spacing(const struct nrrd_axis *axis)
{
    if (!isnan(axis->spacing)) {
        return axis->spacing;
    }
    const uint64_t steps = axis->node ? axis->size - 1 : axis->size;
    const double spacing = (axis->max - axis->min) / (double)steps;
    return isnan(spacing) ? 1 : spacing;
}

// Derives the origin from the axis mins where there is no space origin. With centering `node` a min
// is the position of the first sample; otherwise the min lies half a step before the first sample.
// `directed`: an axis has a direction, so the mins are not used.
static void nrrd_set_origin(struct nrrd *nrrd, bool directed)
{
    bool any = false, all = true;
    for (int a = 0; a < 3; a++) {
        const struct nrrd_axis *axis = &nrrd->axis[a];
        any |= !isnan(axis->min);
        all &= !isnan(axis->min) && !(isnan(axis->max) && isnan(axis->spacing));
    }
    if (!any) {
        return;
    }
    if (directed || nrrd->has_origin || !all) {
        log_warn(
            "'%s': its axis mins are ignored: %s", nrrd->path,
            directed || nrrd->has_origin
                ? "its space says where it lies"
                : "expected one for each axis, with spacings or axis maxs");
        return;
    }
    for (int a = 0; a < 3; a++) {
        const struct nrrd_axis *axis = &nrrd->axis[a];
        nrrd->origin[a] = axis->min + (axis->node ? 0 : nrrd_axis_spacing(axis) / 2);
    }
}

// Sets the steps of the three axes that remain, from directions, or from spacings if there are
// none, and converts them to LPS.
static void nrrd_set_steps(struct nrrd *nrrd, const double flip[2])
{
    bool all = true, any = false;
    for (int a = 0; a < 3; a++) {
        all &= nrrd->axis[a].has_step;
        any |= nrrd->axis[a].has_step;
    }
    if (any && !all) {
        log_warn(
            "'%s': one of its axes has no direction; the other directions are ignored", nrrd->path);
    }
    for (int a = 0; a < 3; a++) {
        const struct nrrd_axis *axis = &nrrd->axis[a];
        if (all) {
            memcpy(nrrd->steps[a], axis->step, sizeof axis->step);
        } else {
            nrrd->steps[a][a] = axis->has_step
                                    ? hypot(hypot(axis->step[0], axis->step[1]), axis->step[2])
                                    : nrrd_axis_spacing(axis);
        }
    }
    nrrd_set_origin(nrrd, any);
    if (flip[0] != 0) {
        affine_flip(nrrd->steps, nrrd->origin, flip);
    }
    nrrd->frame = flip[0] != 0 ? VOLUME_FRAME_LPS : VOLUME_FRAME_UNSAID;
}

static bool nrrd_read_type(struct nrrd *nrrd, struct problem *problem)
{
    const char *value = nrrd->type;
    return sample_format_named(WORDS_NRRD, value, &nrrd->payload.format) ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s': type '%s' is not supported; expected an integer of 8 to 64 bits, float or "
               "double",
               nrrd->path, value);
}

static bool nrrd_read_encoding(struct nrrd *nrrd, struct problem *problem)
{
    const char *value = nrrd->encoding;
    const bool gzip = text_is_one(value, "gzip|gz"), plain = text_is_one(value, "ascii|text|txt");
    const bool hex = text_is_one(value, "hex"),
               known = gzip || plain || hex || text_is_one(value, "raw");
    nrrd->payload.encoding = gzip    ? PAYLOAD_DEFLATE
                             : plain ? PAYLOAD_TEXT
                             : hex   ? PAYLOAD_HEX
                                     : PAYLOAD_RAW;
    if (!known) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': encoding '%s' is not read; expected raw, gzip, ascii or hex (convert it with "
            "unu save -f nrrd -e gzip)",
            nrrd->path, value);
    }
    const char *endian = nrrd->endian;
    if (endian && strcasecmp(endian, "little") != 0 && strcasecmp(endian, "big") != 0) {
        return nrrd_refuse(nrrd, problem, "expected endian little or big, not", endian);
    }
    if (!endian && sample_size(&nrrd->payload.format) > 1 &&
        nrrd->payload.encoding != PAYLOAD_TEXT) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' does not say its byte order; expected a field 'endian: little' or 'endian: big'",
            nrrd->path);
    }
    nrrd->payload.format.order =
        endian && strcasecmp(endian, "big") == 0 ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
    return true;
}

static bool nrrd_read_skips(struct nrrd *nrrd, struct problem *problem)
{
    struct payload *payload = &nrrd->payload;
    int64_t lines = 0, bytes = 0;
    const char *line_skip = nrrd->line_skip, *byte_skip = nrrd->byte_skip;
    if (line_skip && (!text_whole(line_skip, &lines) || lines < 0)) {
        return nrrd_refuse(nrrd, problem, "expected a number of lines, not line skip", line_skip);
    }
    if (byte_skip && (!text_whole(byte_skip, &bytes) || bytes < -1)) {
        return nrrd_refuse(
            nrrd, problem, "expected a number of bytes or -1, not byte skip", byte_skip);
    }
    if (bytes == -1 && payload->encoding != PAYLOAD_RAW && payload->encoding != PAYLOAD_DEFLATE) {
        return nrrd_refuse(
            nrrd, problem, "byte skip -1 is for raw or gzip samples, not for encoding",
            nrrd->encoding);
    }
    payload->line_skip = bytes == -1 ? 0 : (uint64_t)lines;
    payload->at_end = bytes == -1;
    payload->byte_skip = bytes == -1 ? 0 : (uint64_t)bytes;
    return true;
}

// Checks that the number of data files fits the sizes. `word` says how many axes each file holds;
// NULL: all but the last.
static bool nrrd_check_files(
    const struct nrrd *nrrd, const uint64_t sizes[], unsigned axes, const char *word,
    struct problem *problem)
{
    uint64_t per_file = axes - 1, expected = 1;
    if (word && (!text_count(word, &per_file) || per_file == 0 || per_file > axes)) {
        return nrrd_refuse(
            nrrd, problem, "expected 1 to its dimension as axes of a data file, not", word);
    }
    for (unsigned i = (unsigned)per_file; i < axes; i++) {
        if (__builtin_mul_overflow(expected, sizes[i], &expected)) {
            expected = UINT64_MAX;
        }
    }
    // Where each file holds all axes, the files are ranges along the last axis.
    const uint64_t count = nrrd->files.count;
    if (per_file == axes ? count == 0 || sizes[axes - 1] % count != 0 : count != expected) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' names %" PRIu64 " data files, but its sizes ask for %" PRIu64, nrrd->path, count,
            per_file == axes ? sizes[axes - 1] : expected);
    }
    return true;
}

// Call this before the axes are reduced: `data file` counts all of them.
static bool nrrd_read_data_file(struct nrrd *nrrd, struct problem *problem)
{
    uint64_t sizes[AXES];
    char *words[5];
    const char *value = nrrd->data_file;
    for (unsigned i = 0; i < nrrd->axes; i++) {
        sizes[i] = nrrd->axis[i].size;
    }
    if (!value) {
        return nrrd->attached ||
               problem_set(
                   problem, PROBLEM_INPUT,
                   "'%s' ends with its header: no samples, and no 'data file' that has them",
                   nrrd->path);
    }
    if (nrrd_is_list(value)) {
        const char *word = value + 4 + strspn(value + 4, " \t");
        return nrrd_check_files(nrrd, sizes, nrrd->axes, *word ? word : NULL, problem);
    }
    char copy[4200];
    snprintf(copy, sizeof copy, "%s", value);
    const size_t count = text_words(copy, words, 5);
    int64_t first, last, step;
    if ((count == 4 || count == 5) && strchr(words[0], '%') && text_whole(words[1], &first) &&
        text_whole(words[2], &last) && text_whole(words[3], &step)) {
        return sidecar_list_pattern(
                   &nrrd->files, nrrd->path, words[0], first, last, step, problem) &&
               nrrd_check_files(nrrd, sizes, nrrd->axes, count == 5 ? words[4] : NULL, problem);
    }
    return sidecar_list_add(&nrrd->files, value, strlen(value), problem);
}

static bool nrrd_plan(struct nrrd *nrrd, struct problem *problem)
{
    const char *missing = text_field_missing(fields, nrrd);
    if (missing) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': its header has no field '%s'", nrrd->path, missing);
    }
    double flip[2];
    if (!nrrd_read_axes(nrrd, problem) || !nrrd_read_directions(nrrd, flip, problem) ||
        !nrrd_read_type(nrrd, problem) || !nrrd_read_encoding(nrrd, problem) ||
        !nrrd_read_skips(nrrd, problem) || !nrrd_read_data_file(nrrd, problem) ||
        !nrrd_reduce_axes(nrrd, problem)) {
        return false;
    }
    nrrd->payload.files = nrrd->data_file ? &nrrd->files : NULL;
    nrrd->payload.offset = nrrd->payload.files ? 0 : nrrd->data_at;
    nrrd_set_steps(nrrd, flip);
    for (int a = 0; a < 3; a++) {
        nrrd->payload.dim[a] = nrrd->axis[a].size;
    }
    return true;
}

bool nrrd_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct text text = { .source = source };
    struct nrrd nrrd = { .path = source->path };
    const bool ok = nrrd_read_header(&nrrd, &text, problem) && nrrd_plan(&nrrd, problem) &&
                    payload_open(source, &nrrd.payload, params, out, problem) &&
                    affine_set(&out->volume, nrrd.steps, nrrd.origin, source->path, problem);
    if (ok) {
        out->volume.frame = nrrd.frame;
        out->volume.labels = nrrd.labels;
    }
    text_fields_free(fields, &nrrd);
    sidecar_list_destroy(&nrrd.files);
    return ok;
}
