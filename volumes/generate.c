// Volumes made from formulas. They have the same bytes everywhere: the code uses only + - * / and
// sqrt, which IEEE 754 rounds exactly (this file is compiled without fused multiply-add), and its
// own sine, because the sines of C libraries differ in their last bits.
//
// Coordinates: the shortest axis runs from -1 to 1. The other axes have the same step, so that a
// sphere is a sphere at any dims.
#include "volumes/generate.h"

#include "volumes/base/size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// sin(2 pi t), with an error below 1e-9: t is reduced to a quarter turn, then a Taylor series
// follows.
static double generate_sine(double t)
{
    t -= (double)(int64_t)t;              // (-1, 1)
    t += t < -0.5 ? 1 : t > 0.5 ? -1 : 0; // [-1/2, 1/2]
    t = t > 0.25 ? 0.5 - t : t < -0.25 ? -0.5 - t : t;
    const double x = t * 6.283185307179586;
    const double s = x * x;
    return x * (1 + s * (-1.0 / 6 +
                         s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 +
                                                                  s * (-1.0 / 39916800 +
                                                                       s * (1.0 / 6227020800)))))));
}

static double generate_cosine(double t)
{
    return generate_sine(t + 0.25);
}

static double generate_clamp(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

// 0 at and below `low`, 1 at and above `high`, smooth between them.
static double generate_smooth_step(double low, double high, double v)
{
    const double t = generate_clamp((v - low) / (high - low));
    return t * t * (3 - 2 * t);
}

// The smaller of `a` and `b`. Where they cross, the corner is rounded over `width`.
static double generate_smooth_min(double a, double b, double width)
{
    const double h = generate_clamp(0.5 + 0.5 * (b - a) / width);
    return b + (a - b) * h - width * h * (1 - h);
}

// One axis: the coordinate of each sample, and its sine and cosine at the generator's frequency.
struct generate_axis {
    double *at, *sin, *cos;
};

// A value in 0..1 for the sample at (i, j, k).
typedef double field(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k);

static double
generate_gyroid_of(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    return axes[0].sin[i] * axes[1].cos[j] + axes[1].sin[j] * axes[2].cos[k] +
           axes[2].sin[k] * axes[0].cos[i];
}

static double
generate_sphere(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    const double x = axes[0].at[i], y = axes[1].at[j], z = axes[2].at[k];
    return 1 - sqrt(x * x + y * y + z * z);
}

static double generate_torus(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    const double x = axes[0].at[i], y = axes[1].at[j], z = axes[2].at[k];
    const double ring = sqrt(x * x + y * y) - 0.6;
    return 1 - sqrt(ring * ring + z * z) / 0.4;
}

static double
generate_gyroid(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    return 0.5 + generate_gyroid_of(axes, i, j, k) / 3;
}

// Marschner and Lobb 1994, "An evaluation of reconstruction filters for volume rendering":
// f_M = 6, alpha = 0.25.
static double
generate_marschner_lobb(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    const double x = axes[0].at[i], y = axes[1].at[j], z = axes[2].at[k];
    const double radius = sqrt(x * x + y * y);
    const double ripple = generate_cosine(6 * generate_cosine(radius / 4));
    return (1 - generate_sine(z / 4) + 0.25 * (1 + ripple)) / 2.5;
}

// Each sample is independent: no brick can be skipped, and no two triangles belong together.
static double generate_noise(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    (void)axes;
    uint32_t h = i * 0x9e3779b1u ^ j * 0x85ebca77u ^ k * 0xc2b2ae3du;
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return (h ^ h >> 16) / 4294967295.0;
}

// A ball with fine rings on one side. On the other side it dissolves into a gyroid, which shows a
// smooth core. The value falls to 0 well before the border of the volume, so that the surface is
// closed at any isovalue above 0. The edge of the shell is rounded over about four samples at 128
// samples an axis. Over fewer samples it would look jagged.
static double
generate_showpiece(const struct generate_axis axes[3], uint32_t i, uint32_t j, uint32_t k)
{
    const double x = axes[0].at[i], y = axes[1].at[j], z = axes[2].at[k];
    const double r2 = x * x + y * y + z * z;
    if (r2 >= 1) {
        return 0;
    }
    const double r = sqrt(r2);
    const double along = 0.48 * x + 0.36 * y + 0.80 * z; // from the ringed to the open side
    const double open = generate_smooth_step(-0.15, 0.25, along);
    const double rings =
        generate_sine(along * 8) * generate_smooth_step(0.05, -0.15, along) * 0.012;
    const double body = 0.76 - r + rings;
    const double g = generate_gyroid_of(axes, i, j, k);
    const double sheet = (0.5 - sqrt(g * g + 0.03)) * 0.14 + 0.6 * (1 - open);
    const double shell = generate_smooth_min(body, sheet, 0.12);
    const double core = 0.38 - r;
    return generate_clamp(0.42 - 2.2 * generate_smooth_min(-shell, -core, 0.04));
}

// The rows of `generators`, in the same order. `turns`: periods of the axes' sines in one unit of
// the coordinate.
static const struct {
    field *value;
    double turns;
} shapes[] = {
    { generate_showpiece, 2.0 }, { generate_sphere, 0 },         { generate_torus, 0 },
    { generate_gyroid, 1.3 },    { generate_marschner_lobb, 0 }, { generate_noise, 0 },
};

const struct generator generators[] = {
    { "default", "a ball with rings on one side that becomes a gyroid on the other" },
    { "sphere", "values fall with the distance from the centre: a sphere at every isovalue" },
    { "torus", "values fall with the distance from a ring: a torus at every isovalue" },
    { "gyroid", "a triply periodic surface, cut open by the border" },
    { "marschner-lobb", "the test signal of Marschner and Lobb, near the limit of sampling" },
    { "noise", "random samples: every brick has a part of the surface" },
    { 0 },
};
_Static_assert(sizeof generators / sizeof *generators == sizeof shapes / sizeof *shapes + 1, "");

static bool generate_axes_create(const uint32_t dim[3], double turns, struct generate_axis axes[3])
{
    uint32_t least = dim[0] < dim[1] ? dim[0] : dim[1];
    least = least < dim[2] ? least : dim[2];
    // Two samples at -1 and 1 would miss everything between them.
    const double half = least > 2 ? (double)(least - 1) : 2;
    for (int a = 0; a < 3; a++) {
        const size_t n = dim[a];
        axes[a].at = malloc(3 * n * sizeof(double));
        if (!axes[a].at) {
            return false;
        }
        axes[a].sin = axes[a].at + n;
        axes[a].cos = axes[a].sin + n;
        for (size_t i = 0; i < n; i++) {
            axes[a].at[i] = (2 * (double)i - (double)(n - 1)) / half;
            axes[a].sin[i] = generate_sine(axes[a].at[i] * turns);
            axes[a].cos[i] = generate_cosine(axes[a].at[i] * turns);
        }
    }
    return true;
}

// A volume while it is generated.
struct generation {
    field *value;
    struct generate_axis axes[3];
    uint32_t width, height;
    enum volume_type type; // type of the samples in memory
};

struct generation *generation_create(
    const char *name, const uint32_t dim[3], enum volume_type type, uint64_t max_bytes,
    struct problem *problem)
{
    const uint64_t wide[3] = { dim[0], dim[1], dim[2] };
    uint64_t bytes;
    if (!size_check(
            "the volume", wide, volume_type_size(volume_type_in_memory(type)), max_bytes, &bytes,
            problem)) {
        return NULL;
    }
    size_t row = 0;
    while (generators[row].name && strcmp(generators[row].name, name) != 0) {
        row++;
    }
    if (!generators[row].name) {
        char known[200] = "";
        size_t at = 0;
        for (const struct generator *g = generators; g->name && at < sizeof known; g++) {
            at += (size_t)snprintf(known + at, sizeof known - at, " %s", g->name);
        }
        problem_set(
            problem, PROBLEM_USAGE, "no generator is called '%s'; the generators are:%s", name,
            known);
        return NULL;
    }
    struct generation *generation = calloc(1, sizeof *generation);
    if (!generation || !generate_axes_create(dim, shapes[row].turns, generation->axes)) {
        generation_destroy(generation);
        problem_no_memory(problem, "generating", name);
        return NULL;
    }
    generation->value = shapes[row].value;
    generation->width = dim[0];
    generation->height = dim[1];
    generation->type = volume_type_in_memory(type);
    return generation;
}

void generation_destroy(struct generation *generation)
{
    for (int a = 0; generation && a < 3; a++) {
        free(generation->axes[a].at);
    }
    free(generation);
}

void generation_make_slice(void *user, uint32_t z, void *samples)
{
    const struct generation *generation = user;
    const struct volume_limits limits = volume_limits[generation->type];
    uint64_t i = 0;
    for (uint32_t y = 0; y < generation->height; y++) {
        for (uint32_t x = 0; x < generation->width; x++) {
            // 0..1 become the range of the type: the lowest value is 0, the highest 1.
            double value = generate_clamp(generation->value(generation->axes, x, y, z));
            if (generation->type != VOLUME_FLOAT32) {
                const double steps = value * (limits.most - limits.least) + 0.5;
                value = (double)(int64_t)steps + limits.least;
            }
            volume_type_put(generation->type, samples, i++, value);
        }
    }
}

bool volume_generate(
    const char *name, const uint32_t dim[3], enum volume_type type, struct volume *out,
    struct problem *problem)
{
    *out = (struct volume){ 0 };
    struct generation *generation = generation_create(name, dim, type, 0, problem);
    const bool fine = generation && volume_create(dim, type, out, problem);
    const size_t slice = (size_t)dim[0] * dim[1] * volume_type_size(volume_type_in_memory(type));
    for (uint32_t z = 0; fine && z < dim[2]; z++) {
        generation_make_slice(generation, z, (char *)out->samples + z * slice);
    }
    generation_destroy(generation);
    return fine;
}

bool volume_generate_default(struct volume *out, struct problem *problem)
{
    return volume_generate(
        "default", (const uint32_t[3]){ 128, 128, 128 }, VOLUME_UINT16, out, problem);
}
