// The reference caster, compared with Sturm chains and dense sampling, and with surfaces whose
// place is known.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cast.h"

// --- other root finders, on random cells -------------------------------------------------------

// Along the ray, the cell's interpolant is a polynomial of t: c[0] + c[1] t + c[2] t^2 + c[3] t^3.
static void
polynomial(const struct volume *cell, double iso, const struct reference_ray *ray, long double c[4])
{
    c[0] = -iso;
    c[1] = c[2] = c[3] = 0;
    for (int corner = 0; corner < 8; corner++) {
        long double product[4] = { volume_sample(cell, corner & 1, corner >> 1 & 1, corner >> 2) };
        for (int axis = 0; axis < 3; axis++) {
            const bool upper = corner >> axis & 1;
            const long double o = upper ? ray->start[axis] : 1.0L - ray->start[axis];
            const long double d = upper ? ray->direction[axis] : -ray->direction[axis];
            for (int i = 3; i >= 0; i--) {
                product[i] = product[i] * o + (i > 0 ? product[i - 1] * d : 0);
            }
        }
        for (int i = 0; i < 4; i++) {
            c[i] += product[i];
        }
    }
}

static long double value_at(const long double *c, int degree, long double t)
{
    long double value = 0;
    for (int i = degree; i >= 0; i--) {
        value = value * t + c[i];
    }
    return value;
}

// The Sturm chain of a cubic: itself, its derivative, and minus the remainders.
struct chain {
    long double c[4][4];
};

static struct chain chain_of(const long double c[4])
{
    struct chain chain = { { { c[0], c[1], c[2], c[3] }, { c[1], 2 * c[2], 3 * c[3] } } };
    for (int i = 2; i < 4; i++) {
        const int high = 4 - i + 1, low = 4 - i; // degrees
        const long double *divisor = chain.c[i - 1];
        long double rest[4];
        memcpy(rest, chain.c[i - 2], sizeof rest);
        for (int k = high; k >= low; k--) {
            const long double times = rest[k] / divisor[low];
            for (int j = 0; j <= low; j++) {
                rest[k - low + j] -= times * divisor[j];
            }
        }
        for (int k = 0; k < low; k++) {
            chain.c[i][k] = -rest[k];
        }
    }
    return chain;
}

static int chain_changes(const struct chain *chain, long double t)
{
    int changes = 0;
    bool positive = false;
    for (int i = 0; i < 4; i++) {
        const bool next = value_at(chain->c[i], 3 - i, t) > 0;
        changes += i > 0 && next != positive;
        positive = next;
    }
    return changes;
}

// The number of roots between two t.
static int chain_roots(const struct chain *chain, long double from, long double to)
{
    return chain_changes(chain, from) - chain_changes(chain, to);
}

static long double chain_first(const struct chain *chain, long double from, long double to)
{
    const long double start = from;
    for (int i = 0; i < 60; i++) {
        const long double middle = (from + to) / 2;
        if (chain_roots(chain, start, middle) > 0) {
            to = middle;
        } else {
            from = middle;
        }
    }
    return to;
}

// The number of changes of side among 1001 points, and the t after the first.
static uint32_t
sampled_changes(const struct chain *chain, long double from, long double to, long double *first)
{
    uint32_t changes = 0;
    bool inside = value_at(chain->c[0], 3, from) >= 0;
    *first = to;
    for (int i = 1; i <= 1000; i++) {
        const long double t = from + (to - from) * i / 1000;
        const bool next = value_at(chain->c[0], 3, t) >= 0;
        if (next != inside && changes++ == 0) {
            *first = t;
        }
        inside = next;
    }
    return changes;
}

// Where a ray crosses the unit cube. False: hardly at all.
static bool crosses(const struct reference_ray *ray, long double *from, long double *to)
{
    *from = -INFINITY;
    *to = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const long double a = (0.0L - ray->start[axis]) / ray->direction[axis];
        const long double b = (1.0L - ray->start[axis]) / ray->direction[axis];
        *from = fmaxl(*from, fminl(a, b));
        *to = fminl(*to, fmaxl(a, b));
    }
    return *to - *from > 1e-3L;
}

static void test_random_cells(void **state)
{
    (void)state;
    struct volume cell = make(2, 2, 2, VOLUME_FLOAT32);
    int found[4] = { 0 };
    seed = 1;
    for (int tests = 0; tests < 4000;) {
        for (int c = 0; c < 8; c++) {
            // Every second cell is nearly a saddle, so that a ray crosses its surface several
            // times.
            const bool odd = (c ^ c >> 1 ^ c >> 2) & 1;
            ((float *)cell.samples)[c] =
                tests % 2 ? number(-1, 1) : (odd ? 1 : -1) + number(-0.9f, 0.9f);
        }
        const double iso = number(-0.2f, 0.2f);
        const struct reference_ray ray = random_ray(-0.5f, 1.5f);
        long double from, to, c[4], first;
        if (!crosses(&ray, &from, &to)) {
            continue;
        }
        tests++;
        polynomial(&cell, iso, &ray, c);
        const struct chain chain = chain_of(c);
        const uint32_t roots = (uint32_t)chain_roots(&chain, from, to);
        struct reference_hit hits[4];
        const uint32_t count = reference_cast(&cell, iso, &ray, hits, 4);
        assert_int_equal(count, roots);
        assert_in_order(&cell, &ray, hits, count);
        found[count]++;
        const uint32_t sampled = sampled_changes(&chain, from, to, &first);
        assert_true(sampled <= count && (count - sampled) % 2 == 0);
        if (count > 0) {
            assert_true(fabsl(chain_first(&chain, from, to) - hits[0].t) < 1e-8L * (to - from));
            assert_true(hits[0].front == (value_at(c, 3, from) < 0));
        }
        if (sampled == count && count > 0) {
            assert_true(hits[0].t <= first && hits[0].t >= first - (to - from) / 1000);
        }
        // The first alone is the first of all.
        struct reference_hit one = { 0 };
        assert_int_equal(reference_cast(&cell, iso, &ray, &one, 1), count > 0);
        assert_true(count == 0 || same_hit(&one, &hits[0]));
    }
    assert_true(found[0] > 500 && found[1] > 500 && found[2] > 100 && found[3] > 10);
    volume_destroy(&cell);
}

// --- surfaces whose place is known -------------------------------------------------------------

// Linear interpolation errs by at most an eighth of the second derivative along each axis. For the
// distance from a centre these add up to 2 / r.
static void test_sphere(void **state)
{
    (void)state;
    struct volume volume = fill(41, ball);
    const double most = 2 / (8 * (RADIUS - 1)), turned = 0.05;
    uint32_t met = 0, passed = 0;
    seed = 2;
    for (int i = 0; i < 4000; i++) {
        const struct reference_ray ray = random_ray(0, 40);
        struct reference_hit hits[HITS];
        const uint32_t count = reference_cast(&volume, 0, &ray, hits, HITS);
        assert_in_order(&volume, &ray, hits, count);
        double to_centre[3], along = 0, closest[3];
        for (int axis = 0; axis < 3; axis++) {
            to_centre[axis] = CENTRE - ray.start[axis];
            along += to_centre[axis] * ray.direction[axis] / ray_length(&ray);
        }
        point_at(&ray, along / ray_length(&ray), closest);
        const double depth = ball(closest[0], closest[1], closest[2]);
        if (fabs(depth) < 2 * most) {
            continue; // it touches the sphere, or not
        }
        assert_int_equal(count, depth > 0 ? 2 : 0);
        passed += count == 0;
        met += count == 2;
        for (uint32_t k = 0; k < count; k++) {
            double p[3], normal[3], cosine = 0, facing = 0;
            point_at(&ray, hits[k].t, p);
            assert_true(fabs(ball(p[0], p[1], p[2])) <= most);
            const double half = sqrt(RADIUS * RADIUS - (RADIUS - depth) * (RADIUS - depth));
            const double t = (along + (k == 0 ? -half : half)) / ray_length(&ray);
            reference_normal(&volume, &ray, &hits[k], normal);
            for (int axis = 0; axis < 3; axis++) {
                cosine += normal[axis] * (p[axis] - CENTRE) / RADIUS;
                facing += normal[axis] * ray.direction[axis] / ray_length(&ray);
            }
            assert_true(fabs(length(normal) - 1) < 1e-12 && cosine > cos(turned));
            if (fabs(facing) > 0.5) {
                assert_true(fabs(t - hits[k].t) * ray_length(&ray) <= 2 * most / fabs(facing));
            }
            assert_true(hits[k].front == (k == 0) && hits[k].front == (facing < 0));
        }
    }
    assert_true(met > 1000 && passed > 300);
    volume_destroy(&volume);
}

static double slope(double x, double y, double z)
{
    return 0.75 * x - 0.5 * y + 0.25 * z - 3.125; // exact in a float
}

static void test_plane(void **state)
{
    (void)state;
    struct volume volume = fill(24, slope);
    const double direction[3] = { 0.75, -0.5, 0.25 };
    uint32_t met = 0;
    seed = 3;
    for (int i = 0; i < 4000; i++) {
        const struct reference_ray ray = random_ray(0, 23);
        double rise = 0, p[3];
        for (int axis = 0; axis < 3; axis++) {
            rise += direction[axis] * ray.direction[axis];
        }
        const double t = -slope(ray.start[0], ray.start[1], ray.start[2]) / rise;
        point_at(&ray, t, p);
        bool in = true, near_wall = false;
        for (int axis = 0; axis < 3; axis++) {
            in = in && p[axis] > 0 && p[axis] < 23;
            near_wall = near_wall || fabs(p[axis]) < 1e-5 || fabs(p[axis] - 23) < 1e-5;
        }
        struct reference_hit hits[HITS];
        const uint32_t count = reference_cast(&volume, 0, &ray, hits, HITS);
        assert_true(near_wall || count == in);
        if (count > 0) {
            double normal[3];
            met++;
            assert_true(fabs(hits[0].t - t) * ray_length(&ray) < 1e-5);
            assert_true(hits[0].front == (rise > 0));
            reference_normal(&volume, &ray, &hits[0], normal);
            for (int axis = 0; axis < 3; axis++) {
                assert_true(fabs(normal[axis] + direction[axis] / length(direction)) < 1e-6);
            }
        }
    }
    assert_true(met > 1000);
    volume_destroy(&volume);
}

static double checkers(double x, double y, double z)
{
    return fmod(x + y + z, 2) == 0 ? 1 : -1;
}

// Every cell is ambiguous. The interpolant is a product of three zigzag lines, so its surface is
// all planes half way between samples.
static void test_checkers(void **state)
{
    (void)state;
    struct volume volume = fill(20, checkers);
    seed = 4;
    for (int i = 0; i < 2000; i++) {
        const struct reference_ray ray = random_ray(1, 18);
        double ts[3 * 19];
        uint32_t expected = 0;
        double from = -INFINITY, to = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            const double a = -ray.start[axis] / (double)ray.direction[axis];
            const double b = (19 - ray.start[axis]) / (double)ray.direction[axis];
            from = fmax(from, fmin(a, b));
            to = fmin(to, fmax(a, b));
        }
        for (int axis = 0; axis < 3; axis++) {
            for (int plane = 0; plane < 19; plane++) {
                const double t = (plane + 0.5 - ray.start[axis]) / ray.direction[axis];
                if (t > from && t < to) {
                    uint32_t at = expected++;
                    for (; at > 0 && ts[at - 1] > t; at--) {
                        ts[at] = ts[at - 1];
                    }
                    ts[at] = t;
                }
            }
        }
        struct reference_hit hits[HITS];
        const uint32_t count = reference_cast(&volume, 0, &ray, hits, HITS);
        assert_int_equal(count, expected);
        assert_in_order(&volume, &ray, hits, count);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(fabs(hits[k].t - ts[k]) * ray_length(&ray) < 1e-7);
        }
    }
    volume_destroy(&volume);
}

// Central differences vanish in it. Then the normal is that of the cell, and where that vanishes,
// too, on the line where two of the planes meet, it is against the ray.
static void test_vanishing_normals(void **state)
{
    (void)state;
    struct volume volume = fill(8, checkers);
    const struct reference_ray across = ray_of((float[]){ 0, 3.25f, 3.125f }, (float[]){ 1, 0, 0 });
    const struct reference_ray diagonal = ray_of((float[]){ 0, 0, 3.25f }, (float[]){ 3, 3, 0 });
    struct reference_hit hits[HITS];
    double normal[3];
    assert_int_equal(reference_cast(&volume, 0, &across, hits, HITS), 7);
    reference_normal(&volume, &across, &hits[3], normal);
    assert_true(fabs(normal[0]) > 0.999);
    assert_true(hits[3].front == (normal[0] < 0));
    // Both planes at once: the side does not change. A hit is made by hand.
    assert_int_equal(reference_cast(&volume, 0, &diagonal, hits, HITS), 0);
    hits[0] = (struct reference_hit){ .t = 3.5 / 3, .cell = { 3, 3, 3 } };
    reference_normal(&volume, &diagonal, &hits[0], normal);
    assert_true(fabs(normal[0] + sqrt(0.5)) < 1e-6 && fabs(normal[1] + sqrt(0.5)) < 1e-6);
    assert_true(normal[2] == 0);
    volume_destroy(&volume);
}

#define WAVE 0.35 // radians per sample

static double gyroid(double x, double y, double z)
{
    x *= WAVE, y *= WAVE, z *= WAVE;
    return sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x);
}

// Up to a hit, no point of the ray is on the other side of the gyroid by more than interpolation
// errs; and at the hit, the gyroid is not farther than that.
static void test_gyroid(void **state)
{
    (void)state;
    struct volume volume = fill(48, gyroid);
    const double off = 3 * 2 * WAVE * WAVE / 8;
    uint32_t met = 0;
    seed = 5;
    for (int i = 0; i < 1000; i++) {
        struct reference_ray ray = random_ray(0, 47);
        ray.begin = 0;
        ray.end = 1;
        struct reference_hit hit = { .t = 1 };
        double p[3];
        const bool inside = gyroid(ray.start[0], ray.start[1], ray.start[2]) >= 0;
        if (fabs(gyroid(ray.start[0], ray.start[1], ray.start[2])) < off) {
            continue;
        }
        if (reference_cast(&volume, 0, &ray, &hit, 1)) {
            met++;
            point_at(&ray, hit.t, p);
            assert_true(fabs(gyroid(p[0], p[1], p[2])) <= off);
            assert_true(hit.front == !inside);
        }
        for (int k = 0; k < 1000; k++) {
            point_at(&ray, hit.t * k / 1000, p);
            const double value = gyroid(p[0], p[1], p[2]);
            assert_true(fabs(value) <= off || (value >= 0) == inside);
        }
    }
    assert_true(met > 400);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_cells),
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_checkers),
        cmocka_unit_test(test_vanishing_normals),
        cmocka_unit_test(test_gyroid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
