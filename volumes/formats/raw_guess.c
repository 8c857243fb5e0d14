#include "volumes/formats/raw_guess.h"

#include "volumes/base/size.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST 65536 // samples along an axis, at most
#define HEADER  65536 // bytes of a header, at most
#define REACH   16    // samples by which a given width and height are varied

const enum volume_type raw_types[4] = { VOLUME_UINT8, VOLUME_UINT16, VOLUME_FLOAT32,
                                        VOLUME_FLOAT64 };

struct raw_guesses {
    struct raw_guess *at;
    uint32_t count, capacity;
};

// How unusual this number of samples along an axis is; 0: usual.
static double raw_guess_odd(uint64_t n)
{
    static const struct {
        uint32_t divisor;
        double doubt;
    } rows[] = { { 32, 0.5 }, { 16, 0.75 }, { 10, 1 }, { 8, 1 }, { 2, 1.5 } };
    if ((n & (n - 1)) == 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (n % rows[i].divisor == 0) {
            return rows[i].doubt;
        }
    }
    return 2;
}

// How unusual a volume is. More slices than samples across a slice are rare.
static double raw_guess_doubt(const uint64_t dim[3], enum volume_type type, uint64_t offset)
{
    static const double types[VOLUME_TYPES] = {
        [VOLUME_UINT16] = 0.5,
        [VOLUME_FLOAT32] = 1,
        [VOLUME_FLOAT64] = 2.5,
    };
    const bool xy = dim[0] == dim[1], yz = dim[1] == dim[2], xz = dim[0] == dim[2];
    const double shape = xy && yz ? 0 : xy ? 1 : xz ? 2.5 : yz ? 3 : 4;
    const double width = sqrt((double)dim[0] * (double)dim[1]);
    const double depth = log2((double)dim[2] / width);
    const double slice = fabs(log2((double)dim[0] / (double)dim[1]));
    double doubt = shape + types[type] + (offset > 0 ? 3 : 0);
    doubt += raw_guess_odd(dim[0]) + (xy ? 0 : raw_guess_odd(dim[1]));
    doubt += xz || yz ? 0 : raw_guess_odd(dim[2]) / 2;
    doubt += (depth > 0 ? 1 : 0.4) * fabs(depth) + 1.5 * fmax(fabs(depth) - 2, 0);
    doubt += slice + 1.5 * fmax(slice - 1, 0);
    for (int i = 0; i < 3; i++) {
        doubt += dim[i] < 8 ? 4 : dim[i] < 16 ? 1 : 0;
    }
    return doubt;
}

// Adds a guess, sorted by doubt, unless it is in the list already.
static void raw_guess_put(struct raw_guesses *guesses, const struct raw_guess *guess)
{
    uint32_t at = guesses->count;
    for (uint32_t i = 0; i < guesses->count; i++) {
        const struct raw_guess *other = &guesses->at[i];
        if (memcmp(other->dim, guess->dim, sizeof guess->dim) == 0 && other->type == guess->type &&
            other->offset == guess->offset) {
            return;
        }
    }
    while (at > 0 && guesses->at[at - 1].doubt > guess->doubt) {
        at--;
    }
    if (at == guesses->capacity) {
        return;
    }
    guesses->count += guesses->count < guesses->capacity;
    for (uint32_t i = guesses->count - 1; i > at; i--) {
        guesses->at[i] = guesses->at[i - 1];
    }
    guesses->at[at] = *guess;
}

static void raw_guess_add(
    struct raw_guesses *guesses, uint64_t x, uint64_t y, uint64_t z, enum volume_type type,
    uint64_t offset)
{
    const uint64_t dim[3] = { x, y, z };
    if (x < 2 || y < 2 || z < 2 || x > LARGEST || y > LARGEST || z > LARGEST) {
        return;
    }
    const struct raw_guess guess = {
        .dim = { (uint32_t)x, (uint32_t)y, (uint32_t)z },
        .type = type,
        .offset = offset,
        .doubt = raw_guess_doubt(dim, type, offset),
    };
    raw_guess_put(guesses, &guess);
}

// Adds guesses of `count` samples: two dims are equal, or width and height are multiples of 16.
static void raw_guess_exact(struct raw_guesses *guesses, uint64_t count, enum volume_type type)
{
    for (uint64_t n = 2; n <= LARGEST && 2 * n * n <= count; n++) {
        if (count % (n * n) == 0) {
            const uint64_t m = count / (n * n);
            raw_guess_add(guesses, n, n, m, type, 0);
            raw_guess_add(guesses, n, m, n, type, 0);
            raw_guess_add(guesses, m, n, n, type, 0);
        }
    }
    for (uint64_t x = 16; x <= 4096 && 2 * x * 16 <= count; x += 16) {
        if (count % x != 0) {
            continue;
        }
        for (uint64_t y = 16; y <= 4096 && 2 * x * y <= count; y += 16) {
            if (count % (x * y) == 0) {
                raw_guess_add(guesses, x, y, count / (x * y), type, 0);
            }
        }
    }
}

static bool raw_guess_is_header(uint64_t bytes)
{
    static const uint16_t usual[] = { 64, 128, 256, 348, 352, 512, 540, 544, 1024, 2048, 4096 };
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (bytes == usual[i]) {
            return true;
        }
    }
    return false;
}

// Adds guesses of square slices after a header: a header of usual size, or any size before a cube.
static void
raw_guess_after_header(struct raw_guesses *guesses, uint64_t bytes, enum volume_type type)
{
    const uint64_t size = volume_type_size(type);
    for (uint64_t n = 16; n <= 4096; n += 16) {
        const uint64_t slice = n * n * size, cube = slice * n;
        if (bytes > cube && bytes - cube <= HEADER && bytes - cube < slice) {
            raw_guess_add(guesses, n, n, n, type, bytes - cube);
        }
        if (bytes >= 2 * slice && raw_guess_odd(n) <= 0.5 && raw_guess_is_header(bytes % slice)) {
            raw_guess_add(guesses, n, n, bytes / slice, type, bytes % slice);
        }
    }
}

uint32_t raw_guess(uint64_t bytes, struct raw_guess *out, uint32_t capacity)
{
    struct raw_guesses guesses = { .at = out, .capacity = capacity };
    for (int i = 0; i < 4 && capacity > 0; i++) {
        const size_t size = volume_type_size(raw_types[i]);
        if (bytes % size == 0) {
            raw_guess_exact(&guesses, bytes / size, raw_types[i]);
        }
        raw_guess_after_header(&guesses, bytes, raw_types[i]);
    }
    return guesses.count;
}

void raw_guess_text(const struct raw_guess *guess, char *out, size_t size)
{
    const int length = snprintf(
        out, size, "%ux%ux%u %s", guess->dim[0], guess->dim[1], guess->dim[2],
        volume_type_name(guess->type));
    if (guess->offset > 0 && (size_t)length < size) {
        snprintf(out + length, size - (size_t)length, " after %" PRIu64 " bytes", guess->offset);
    }
}

void raw_guess_list(const struct raw_guess *guesses, uint32_t count, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < count && at < size; i++) {
        char one[64];
        raw_guess_text(&guesses[i], one, sizeof one);
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", one);
    }
}

uint64_t raw_guess_bytes(struct source *source)
{
    uint32_t inflated = 0;
    return !source_is_gzip(source)               ? source->size
           : source_gzip_size(source, &inflated) ? inflated
                                                 : 0;
}

bool raw_guess_needed(const char *path, uint64_t *bytes)
{
    unsigned char buffer[READER_HEAD];
    struct source source;
    struct file_head head;
    struct raw_name name;
    struct problem problem;
    bool by_name;
    if (!source_open(path, &source, &problem)) {
        return false;
    }
    file_head_read(&source, buffer, &head);
    raw_name_parse(path, &name);
    *bytes = raw_guess_bytes(&source);
    const bool known = reader_pick(&head, &by_name) || !foreign_file_refuse(&head, &problem) ||
                       file_head_has(&head, 0, "\x89PNG\r\n\x1a\n", 8);
    source_close(&source);
    return *bytes > 0 && !name.has_dim && !known;
}

static uint64_t raw_fit_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

// Finds dims near `dim` with exactly `count` samples. The depth follows from width and height.
static void raw_fit_near_dims(
    struct raw_guesses *fits, uint64_t count, const uint64_t dim[3], enum volume_type type)
{
    for (int dy = -REACH; dy <= REACH; dy++) {
        for (int dx = -REACH; dx <= REACH; dx++) {
            const uint64_t w = dim[0] + (uint64_t)dx;
            const uint64_t h = dim[1] + (uint64_t)dy;
            if (w < 2 || h < 2 || w > UINT32_MAX || h > UINT32_MAX || count % (w * h) != 0) {
                continue;
            }
            const uint64_t d = count / (w * h);
            if (d < 2 || d > UINT32_MAX) {
                continue;
            }
            const uint64_t apart =
                raw_fit_apart(w, dim[0]) + raw_fit_apart(h, dim[1]) + raw_fit_apart(d, dim[2]);
            const struct raw_guess fit = {
                .dim = { (uint32_t)w, (uint32_t)h, (uint32_t)d },
                .type = type,
                .doubt = (double)apart,
            };
            raw_guess_put(fits, &fit);
        }
    }
}

void raw_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type, char *text, size_t size)
{
    struct raw_guess best[3];
    struct raw_guesses fits = { .at = best, .capacity = 3 };
    for (int i = 0; i < 4; i++) {
        // The likeliest case: the dims are right and the type is wrong.
        if (raw_fit_bytes(dim, volume_type_size(raw_types[i]), 0) == bytes && bytes < UINT64_MAX &&
            (dim[0] | dim[1] | dim[2]) <= UINT32_MAX) {
            const struct raw_guess same = {
                .dim = { (uint32_t)dim[0], (uint32_t)dim[1], (uint32_t)dim[2] },
                .type = raw_types[i],
            };
            raw_guess_put(&fits, &same);
        }
    }
    const size_t each = volume_type_size(type);
    if (bytes % each == 0 && dim[0] < UINT32_MAX && dim[1] < UINT32_MAX) {
        raw_fit_near_dims(&fits, bytes / each, dim, type);
    }
    raw_guess_list(best, fits.count, text, size);
}

uint64_t raw_fit_bytes(const uint64_t dim[3], size_t size, uint64_t offset)
{
    uint64_t total;
    if (!size_product(dim[0], dim[1], &total) || !size_product(total, dim[2], &total) ||
        !size_product(total, size, &total) || __builtin_add_overflow(total, offset, &total)) {
        return UINT64_MAX;
    }
    return total;
}

bool raw_fit_refuse(
    const char *path, const char *has, uint64_t bytes, uint64_t offset, const uint64_t dim[3],
    enum volume_type type, struct problem *problem)
{
    char text[200] = "";
    char skip[60] = "";
    const uint64_t need = raw_fit_bytes(dim, volume_type_size(type), 0);
    if (bytes >= offset) {
        raw_fit(bytes - offset, dim, type, text, sizeof text);
        if (offset == 0 && bytes > need && bytes - need <= 65536) {
            snprintf(
                skip, sizeof skip, "%s a header skipped by --offset %" PRIu64,
                *text ? ", or" : "; it would fit with", bytes - need);
        }
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %s%" PRIu64 " bytes, but %" PRIu64 "x%" PRIu64 "x%" PRIu64 " %s%s needs %" PRIu64
        "%s%s%s; check --dims and --type",
        path, has, bytes, dim[0], dim[1], dim[2], volume_type_name(type),
        offset ? " with its offset" : "", raw_fit_bytes(dim, volume_type_size(type), offset),
        *text ? "; it would fit " : "", text, skip);
}
