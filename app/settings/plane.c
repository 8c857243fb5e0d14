#include "app/settings/plane.h"

#include "app/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const plane_names[] = {
    [PLANE_X] = "x", [PLANE_Y] = "y", [PLANE_Z] = "z",       [PLANE_I] = "i",
    [PLANE_J] = "j", [PLANE_K] = "k", [PLANE_VIEW] = "view", [PLANE_NORMAL] = "normal",
};

// ---- text ----

// Reads V or V%.
static bool plane_parse_value(const char *text, size_t length, double *value, bool *is_percent)
{
    *is_percent = length > 0 && text[length - 1] == '%';
    return number_parse(text, length - *is_percent, value);
}

// Reads a value, or A:B.
static bool plane_parse_values(const char *text, size_t length, struct plane *out)
{
    const char *colon = memchr(text, ':', length);
    const size_t first = colon ? (size_t)(colon - text) : length;
    bool is_percent = false;
    out->moves = colon;
    return plane_parse_value(text, first, &out->value, &out->is_percent) &&
           (!colon || (plane_parse_value(colon + 1, length - first - 1, &out->end, &is_percent) &&
                       is_percent == out->is_percent));
}

// Reads NX,NY,NZ,D.
static bool plane_parse_normal(const char *text, size_t length, struct plane *out)
{
    out->kind = PLANE_NORMAL;
    for (int i = 0; i < 3; i++) {
        const char *comma = memchr(text, ',', length);
        if (!comma || !number_parse(text, (size_t)(comma - text), &out->normal[i])) {
            return false;
        }
        length -= (size_t)(comma + 1 - text);
        text = comma + 1;
    }
    const double size = hypot(hypot(out->normal[0], out->normal[1]), out->normal[2]);
    return size > 0 && isfinite(size) && plane_parse_values(text, length, out);
}

// Reads the numbers of contours, from 1 on, as bits.
static bool plane_parse_contours(const char *text, size_t length, uint8_t *out)
{
    for (size_t i = 0; i < length; i += 2) {
        if (text[i] < '1' || text[i] > '8' || (i + 1 < length && text[i + 1] != ',')) {
            return false;
        }
        *out |= (uint8_t)(1u << (text[i] - '1'));
    }
    return length % 2 == 1;
}

static const char *plane_parse(const char *text, size_t length, struct plane *out)
{
    const char *at = memchr(text, '@', length);
    const size_t whole = length;
    length = at ? (size_t)(at - text) : length;
    if (at && !plane_parse_contours(at + 1, whole - length - 1, &out->only)) {
        return "numbers of contours behind the @, 1 to 8, such as x=50%@1,3";
    }
    const char *equals = memchr(text, '=', length);
    if (!equals) {
        return plane_parse_normal(text, length, out)
                   ? NULL
                   : "an axis, = and a place such as x=50%, or four numbers NX,NY,NZ,D, the first "
                     "three not all 0; several planes as in x=50%,k=40";
    }
    out->flipped = *text == '-';
    const char *name = text + out->flipped;
    const size_t letters = (size_t)(equals - name);
    unsigned kind = PLANE_X;
    while (kind <= PLANE_VIEW && (strlen(plane_names[kind]) != letters ||
                                  memcmp(plane_names[kind], name, letters) != 0)) {
        kind++;
    }
    out->kind = (enum plane_kind)kind;
    return kind > PLANE_VIEW ? "one of the axes x, y, z, i, j, k and view before the ="
           : !plane_parse_values(equals + 1, length - (size_t)(equals + 1 - text), out)
               ? "a number or a percentage behind the =, such as x=12.5 or x=50%"
           : kind == PLANE_VIEW && !out->is_percent ? "a percentage of view, such as view=50%"
                                                    : NULL;
}

// The length of the first plane of a list.
static size_t planes_first(const char *text)
{
    size_t length = strcspn(text, ",;");
    while (text[length] == ',') {
        const size_t next = strcspn(text + length + 1, ",;");
        if (memchr(text + length + 1, '=', next)) {
            break;
        }
        length += 1 + next;
    }
    return length;
}

const char *planes_parse(const char *text, struct plane out[PLANES_MOST])
{
    memset(out, 0, PLANES_MOST * sizeof *out);
    for (int i = 0; i < PLANES_MOST; i++) {
        const size_t length = planes_first(text);
        const char *expected = plane_parse(text, length, &out[i]);
        if (expected || out[i].only != out[0].only) {
            return expected ? expected : "the same @ behind each plane";
        }
        text += length;
        if (!*text++) {
            return NULL;
        }
    }
    return "at most 3 planes";
}

void planes_forget_places(struct plane planes[PLANES_MOST])
{
    bool some = false;
    for (int i = 0; i < PLANES_MOST; i++) {
        some = some || (planes[i].kind && planes[i].kind != PLANE_VIEW && !planes[i].is_percent);
    }
    if (some) {
        memset(planes, 0, PLANES_MOST * sizeof *planes);
    }
}

bool planes_only_show(const struct plane planes[PLANES_MOST])
{
    bool plain = true;
    for (int i = 0; i < PLANES_MOST; i++) {
        plain = plain && !planes[i].flipped && !planes[i].only;
    }
    return plain;
}

static void plane_put_value(double value, bool is_percent, FILE *out)
{
    char text[32];
    fprintf(out, "%s%s", number_text(value, text), is_percent ? "%" : "");
}

static void plane_put(const struct plane *plane, FILE *out)
{
    if (plane->kind == PLANE_NORMAL) {
        for (int i = 0; i < 3; i++) {
            plane_put_value(plane->normal[i], false, out);
            fputc(',', out);
        }
    } else {
        fprintf(out, "%s%s=", plane->flipped ? "-" : "", plane_names[plane->kind]);
    }
    plane_put_value(plane->value, plane->is_percent, out);
    if (plane->moves) {
        fputc(':', out);
        plane_put_value(plane->end, plane->is_percent, out);
    }
    for (unsigned bit = 0, some = 0; bit < 8; bit++) {
        if (plane->only >> bit & 1) {
            fprintf(out, "%c%u", some++ ? ',' : '@', bit + 1);
        }
    }
}

const char *planes_text(const struct plane planes[PLANES_MOST], char text[PLANES_TEXT])
{
    FILE *out = fmemopen(text, PLANES_TEXT, "w");
    bool some = false;
    text[0] = 0;
    for (int i = 0; out && i < PLANES_MOST; i++) {
        if (planes[i].kind) {
            fputs(!some ? "" : planes[i].kind == PLANE_NORMAL ? ";" : ",", out);
            plane_put(&planes[i], out);
            some = true;
        }
    }
    if (out) {
        fclose(out);
    }
    return text;
}

// ---- change ----

const char *plane_name(const struct plane *plane)
{
    return plane_names[plane->kind];
}

uint32_t planes_count(const struct plane planes[PLANES_MOST])
{
    uint32_t count = 0;
    while (count < PLANES_MOST && planes[count].kind) {
        count++;
    }
    return count;
}

bool planes_add(struct plane planes[PLANES_MOST])
{
    const uint32_t count = planes_count(planes);
    if (count < PLANES_MOST) {
        planes[count] = (struct plane){
            .kind = PLANE_X + count,
            .value = 50,
            .is_percent = true,
            .only = planes[0].only,
        };
    }
    return count < PLANES_MOST;
}

void planes_remove(struct plane planes[PLANES_MOST], uint32_t which)
{
    memmove(&planes[which], &planes[which + 1], (PLANES_MOST - 1 - which) * sizeof *planes);
    planes[PLANES_MOST - 1] = (struct plane){ 0 };
}

// ---- place ----

void plane_flip(struct plane *plane)
{
    if (plane->kind != PLANE_NORMAL) {
        plane->flipped = !plane->flipped;
        return;
    }
    for (int i = 0; i < 3; i++) {
        plane->normal[i] = 0 - plane->normal[i]; // no -0
    }
    plane->value = (plane->is_percent ? 100 : 0) - plane->value;
    plane->end = (plane->is_percent ? 100 : 0) - plane->end;
}

bool planes_move(const struct plane planes[PLANES_MOST])
{
    return planes[0].moves || planes[1].moves || planes[2].moves;
}

void planes_at(struct plane planes[PLANES_MOST], double share)
{
    for (int i = 0; i < PLANES_MOST; i++) {
        if (planes[i].moves) {
            planes[i].value = planes[i].value * (1 - share) + planes[i].end * share;
        }
    }
}

// Finds the coordinate along the plane's axis: at a point p of the grid it is way * p + *begin.
static void plane_axis(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    double way[3], double *begin)
{
    double axis[3] = { 0 }; // in the file's coordinates, or in the scene
    struct camera_matrices matrices;
    memcpy(axis, plane->normal, sizeof axis);
    if (plane->kind == PLANE_VIEW) {
        camera_matrices(camera, 1, 1, &matrices);
        for (int r = 0; r < 3; r++) {
            axis[r] = -(double)matrices.view[r][2];
        }
    } else if (plane->kind >= PLANE_I && plane->kind <= PLANE_K) {
        memset(way, 0, 3 * sizeof *way);
        way[plane->kind - PLANE_I] = 1;
        *begin = 0;
        return;
    } else if (plane->kind != PLANE_NORMAL) {
        axis[plane->kind - PLANE_X] = 1;
    }
    for (int c = 0; c < 4; c++) {
        double sum = 0;
        for (int r = 0; r < 3; r++) {
            sum += axis[r] * (plane->kind == PLANE_VIEW ? (double)placement->model[c][r]
                                                        : placement->world[c][r]);
        }
        *(c < 3 ? &way[c] : begin) = sum;
    }
}

// Finds `way` and `begin` of plane_axis, too.
static void plane_measure(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    double way[3], double *begin, struct plane_span *out)
{
    plane_axis(plane, placement, camera, way, begin);
    *out = (struct plane_span){ *begin, *begin, hypot(hypot(way[0], way[1]), way[2]) };
    for (int c = 0; c < 3; c++) {
        const double far = way[c] * (placement->dim[c] - 1);
        out->low += fmin(far, 0);
        out->high += fmax(far, 0);
    }
}

void plane_span(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    struct plane_span *out)
{
    double way[3], begin;
    plane_measure(plane, placement, camera, way, &begin, out);
}

double plane_at(const struct plane *plane, const struct plane_span *span)
{
    const double share = plane->value / 100;
    return plane->is_percent ? span->low * (1 - share) + span->high * share : plane->value;
}

const char *plane_remark(const struct plane *plane, const struct plane_span *span, bool cuts)
{
    const double at = plane_at(plane, span);
    if (!cuts) {
        return at < span->low || at > span->high ? "is outside of the volume" : NULL;
    }
    return at > span->low && at < span->high     ? NULL
           : (at <= span->low) == plane->flipped ? "keeps nothing of the volume"
                                                 : "removes nothing of the volume";
}

void plane_place(struct plane *plane, const struct plane_span *span, double at, double step)
{
    struct plane_span in = *span;
    plane->is_percent = plane->kind == PLANE_VIEW;
    if (plane->is_percent) {
        in = (struct plane_span){ .high = 100 };
        at = 100 * (at - span->low) / (span->high - span->low);
        step *= 100 / (span->high - span->low);
    }
    const double digits = pow(10, ceil(-log10(step)));
    plane->value = fmin(fmax(rint(at * digits) / digits, in.low), in.high);
}

void plane_turn(struct plane *plane, const struct placement *placement, const struct camera *camera)
{
    const bool listed = plane->kind == PLANE_X || plane->kind == PLANE_Y;
    struct plane_span span;
    plane_span(plane, placement, camera, &span);
    plane->away[plane->kind] =
        100 * (plane_at(plane, &span) - span.low) / (span.high - span.low) - 50;
    plane->kind = listed ? plane->kind + 1 : plane->kind == PLANE_Z ? PLANE_VIEW : PLANE_X;
    plane->value = 50 + plane->away[plane->kind];
    plane->is_percent = true;
    plane->moves = false;
    if (plane->value != 50) {
        plane_span(plane, placement, camera, &span);
        plane_place(plane, &span, plane_at(plane, &span), span.sample * 1e-3);
    }
}

void plane_resolve(
    const struct plane *plane, const struct placement *placement, const struct camera *camera,
    float out[4])
{
    double way[3], begin;
    struct plane_span span;
    plane_measure(plane, placement, camera, way, &begin, &span);
    const double factor = (plane->flipped ? -1 : 1) / span.sample;
    for (int c = 0; c < 3; c++) {
        out[c] = (float)(way[c] * factor);
    }
    out[3] = (float)((begin - plane_at(plane, &span)) * factor);
}

void planes_resolve(
    const struct plane planes[PLANES_MOST], const struct placement *placement,
    const struct camera *camera, struct cuts *out)
{
    *out = (struct cuts){ .contours = planes[0].only ? planes[0].only : UINT32_MAX };
    for (int i = 0; i < PLANES_MOST; i++) {
        if (planes[i].kind) {
            plane_resolve(&planes[i], placement, camera, out->at[out->count++]);
        }
    }
}
