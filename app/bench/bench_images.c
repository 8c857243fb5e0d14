#include "app/bench/bench_images.h"

#include "app/cli/bench_plan.h"
#include "volumes/formats/slice_image.h"
#include "volumes/formats/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.28318530717958648

// A value from 0 to 1 for each point of a lattice.
static double image_lattice(int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)(h ^ h >> 15) / UINT32_MAX;
}

// Smooth values between the points of the lattice.
static double image_noise(double x, double y)
{
    const double fx = floor(x), fy = floor(y);
    const int32_t ix = (int32_t)fx, iy = (int32_t)fy;
    const double u = (x - fx) * (x - fx) * (3 - 2 * (x - fx));
    const double v = (y - fy) * (y - fy) * (3 - 2 * (y - fy));
    const double low = image_lattice(ix, iy) * (1 - u) + image_lattice(ix + 1, iy) * u;
    const double high = image_lattice(ix, iy + 1) * (1 - u) + image_lattice(ix + 1, iy + 1) * u;
    return low * (1 - v) + high * v;
}

// A fingertip: curved ridges within an oval.
static double image_finger(double x, double y)
{
    const double bend = 0.12 * image_noise(3 * x + 5.1, 3 * y + 1.9);
    const double from_core = hypot(x - 0.48, 1.3 * (y - 0.6)) + bend;
    const bool inside = hypot((x - 0.5) / 0.42, (y - 0.56) / 0.54) < 1;
    return inside ? 0.5 + 0.5 * sin(TURN * 34 * from_core) - 0.05 : 0;
}

// A line as thick as 2 * radius, with round ends.
struct stroke {
    double from[2], to[2], radius;
};

// White where the point is in a stroke, else black.
static double image_strokes(const struct stroke *strokes, size_t count, double x, double y)
{
    for (size_t i = 0; i < count; i++) {
        const struct stroke *stroke = &strokes[i];
        const double *from = stroke->from;
        const double along[2] = { stroke->to[0] - from[0], stroke->to[1] - from[1] };
        const double length = along[0] * along[0] + along[1] * along[1];
        double at = ((x - from[0]) * along[0] + (y - from[1]) * along[1]) / length;
        at = at < 0 ? 0 : at > 1 ? 1 : at;
        if (hypot(x - from[0] - at * along[0], y - from[1] - at * along[1]) < stroke->radius) {
            return 1;
        }
    }
    return 0;
}

static double image_hand(double x, double y)
{
    static const struct stroke strokes[] = {
        { { 0.42, 0.68 }, { 0.56, 0.68 }, 0.14 },  // palm
        { { 0.48, 0.8 }, { 0.48, 1.1 }, 0.09 },    // wrist
        { { 0.34, 0.72 }, { 0.14, 0.5 }, 0.047 },  // thumb
        { { 0.38, 0.58 }, { 0.32, 0.22 }, 0.042 }, // fingers
        { { 0.46, 0.55 }, { 0.45, 0.13 }, 0.044 }, { { 0.54, 0.56 }, { 0.58, 0.18 }, 0.042 },
        { { 0.61, 0.6 }, { 0.72, 0.32 }, 0.036 },
    };
    return image_strokes(strokes, sizeof strokes / sizeof *strokes, x, y);
}

static double image_bunny(double x, double y)
{
    static const struct stroke strokes[] = {
        { { 0.42, 0.72 }, { 0.6, 0.74 }, 0.2 },                                           // body
        { { 0.3, 0.42 }, { 0.36, 0.5 }, 0.13 },                                           // head
        { { 0.3, 0.34 }, { 0.26, 0.08 }, 0.04 },                                          // ears
        { { 0.36, 0.34 }, { 0.42, 0.1 }, 0.04 },  { { 0.8, 0.7 }, { 0.84, 0.7 }, 0.055 }, // tail
        { { 0.3, 0.92 }, { 0.64, 0.92 }, 0.045 },                                         // feet
    };
    return image_strokes(strokes, sizeof strokes / sizeof *strokes, x, y);
}

// Brightness, 0 to 1, at a point of the unit square.
typedef double image_at(double x, double y);

static image_at *const images_at[IMAGES] = {
    [IMAGE_FINGER] = image_finger,
    [IMAGE_HAND] = image_hand,
    [IMAGE_BUNNY] = image_bunny,
};

// Brightness by Rec. 601, in 8 bits.
static uint8_t image_brightness(const struct slice_image *image, size_t pixel)
{
    const size_t n = image->channels, at = pixel * n;
    const uint8_t *bytes = image->pixels;
    const uint16_t *shorts = image->pixels;
    uint32_t rgb[3];
    for (size_t c = 0; c < 3; c++) {
        const size_t channel = at + (n >= 3 ? c : 0);
        rgb[c] = image->bits == 16 ? shorts[channel] >> 8 : bytes[channel];
    }
    return (uint8_t)((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
}

bool bench_image_open(const char *name, struct bench_image *out, struct problem *problem)
{
    *out = (struct bench_image){ 0 };
    const int made = word_find(NULL, word_image, name);
    if (made >= 0) {
        out->at = images_at[made];
        return true;
    }
    struct source source;
    struct slice_image image;
    if (!source_open(name, &source, problem)) {
        return false;
    }
    const bool fine = slice_image_read(&source, 0, &image, problem);
    source_close(&source);
    if (!fine) {
        return false;
    }
    const size_t pixels = (size_t)image.width * image.height;
    out->width = image.width;
    out->height = image.height;
    out->grey = malloc(pixels);
    for (size_t i = 0; out->grey && i < pixels; i++) {
        out->grey[i] = image_brightness(&image, i);
    }
    slice_image_destroy(&image);
    return out->grey ||
           problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", name);
}

void bench_image_close(struct bench_image *image)
{
    free(image->grey);
    *image = (struct bench_image){ 0 };
}

// Divides `length` pixels into `side` parts: the pixels that part `at` covers, at least one.
static void image_cover(uint32_t length, uint32_t side, uint32_t at, uint32_t *from, uint32_t *to)
{
    *from = (uint32_t)((uint64_t)at * length / side);
    *to = (uint32_t)(((uint64_t)at + 1) * length / side);
    *to = *to > *from ? *to : *from + 1;
}

static double image_mean(const struct bench_image *image, uint32_t side, uint32_t x, uint32_t y)
{
    uint32_t x0, x1, y0, y1;
    image_cover(image->width, side, x, &x0, &x1);
    image_cover(image->height, side, y, &y0, &y1);
    uint64_t sum = 0;
    for (uint32_t v = y0; v < y1; v++) {
        for (uint32_t u = x0; u < x1; u++) {
            sum += image->grey[(size_t)v * image->width + u];
        }
    }
    return (double)sum / ((double)(x1 - x0) * (y1 - y0) * 255);
}

void bench_image_mask(
    const struct bench_image *image, uint32_t side, double percent, bool negative, uint8_t *mask)
{
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            const double value = image->at ? image->at((x + 0.5) / side, (y + 0.5) / side)
                                           : image_mean(image, side, x, y);
            mask[(size_t)y * side + x] = (value * 100 >= percent) != negative;
        }
    }
}
