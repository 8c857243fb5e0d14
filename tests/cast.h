// Rays and small volumes, for tests of casters. Include cmocka.h before it.
#pragma once

#include "compute/reference/cast.h"

#include <math.h>
#include <string.h>

#define HITS 400 // more than any ray here has

static inline struct volume
make(uint32_t width, uint32_t height, uint32_t depth, enum volume_type type)
{
    struct volume volume;
    struct problem problem = { 0 };
    if (!volume_create((const uint32_t[]){ width, height, depth }, type, &volume, &problem)) {
        fail_msg("%s", problem.text);
    }
    return volume;
}

static inline float *sample(const struct volume *volume, uint32_t x, uint32_t y, uint32_t z)
{
    return (float *)volume->samples + ((size_t)z * volume->dim[1] + y) * volume->dim[0] + x;
}

static inline struct volume fill(uint32_t size, double (*value)(double x, double y, double z))
{
    struct volume volume = make(size, size, size, VOLUME_FLOAT32);
    for (uint32_t z = 0; z < size; z++) {
        for (uint32_t y = 0; y < size; y++) {
            for (uint32_t x = 0; x < size; x++) {
                *sample(&volume, x, y, z) = (float)value(x, y, z);
            }
        }
    }
    return volume;
}

static uint32_t seed; // of dice

static inline uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * sides >> 24);
}

static inline float number(float from, float to)
{
    return from + (to - from) * (float)dice(1 << 24) / 0x1p24f;
}

static inline struct reference_ray ray_of(const float start[3], const float direction[3])
{
    return (struct reference_ray){
        .start = { start[0], start[1], start[2] },
        .direction = { direction[0], direction[1], direction[2] },
        .begin = -INFINITY,
        .end = INFINITY,
    };
}

// A ray through two random points of the box from `low` to `high` along each axis; from outside.
static inline struct reference_ray random_ray(float low, float high)
{
    float a[3], d[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = number(low, high);
        d[axis] = number(low, high) - a[axis];
    }
    return ray_of(a, d);
}

static inline void point_at(const struct reference_ray *ray, double t, double p[3])
{
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = ray->start[axis] + ray->direction[axis] * t;
    }
}

static inline double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#define CENTRE 20.3 // of the ball, on each axis
#define RADIUS 15.0

// For fill: the distance from the ball's surface, above 0 inside.
static inline double ball(double x, double y, double z)
{
    return RADIUS - length((double[]){ x - CENTRE, y - CENTRE, z - CENTRE });
}

static inline double ray_length(const struct reference_ray *ray)
{
    return length((double[]){ ray->direction[0], ray->direction[1], ray->direction[2] });
}

static inline bool same_hit(const struct reference_hit *a, const struct reference_hit *b)
{
    return a->t == b->t && memcmp(a->cell, b->cell, sizeof a->cell) == 0 && a->front == b->front;
}

// Hits are in order, they change side by turns, and each lies in its cell.
static inline void assert_in_order(
    const struct volume *volume, const struct reference_ray *ray, const struct reference_hit *hits,
    uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double p[3];
        point_at(ray, hits[i].t, p);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(hits[i].cell[axis] + 1 < volume->dim[axis]);
            assert_true(fabs(p[axis] - hits[i].cell[axis] - 0.5) <= 0.5 + 1e-6);
        }
        assert_true(i == 0 || hits[i].t >= hits[i - 1].t);
        assert_true(i == 0 || hits[i].front != hits[i - 1].front);
    }
}
