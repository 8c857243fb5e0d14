// The surface that rays find is the one that marching cubes extract: rays against the triangles of
// the reference hit as often, and as far as a cell allows at the same place.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cast.h"
#include "compute/reference/reference.h"

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Where a line meets a triangle; INFINITY: nowhere. *cosine: between the line and the normal.
static double triangle_hit(
    const struct mesh *mesh, const uint32_t corners[3], const double start[3],
    const double direction[3], double *cosine)
{
    double at[3][3], sides[2][3], from[3], across[3], along[3], normal[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            at[k][i] = mesh->positions[corners[k]][i];
        }
    }
    subtract(at[1], at[0], sides[0]);
    subtract(at[2], at[0], sides[1]);
    subtract(start, at[0], from);
    cross(direction, sides[1], across);
    cross(from, sides[0], along);
    cross(sides[0], sides[1], normal);
    const double determinant = dot(sides[0], across);
    const double u = dot(from, across) / determinant, v = dot(direction, along) / determinant;
    if (!(u >= 0 && v >= 0 && u + v <= 1)) {
        return INFINITY;
    }
    *cosine = fabs(dot(normal, direction)) / length(normal) / length(direction);
    return dot(sides[1], along) / determinant;
}

static double mesh_hit(const struct mesh *mesh, const struct reference_ray *ray, double *cosine)
{
    double start[3], direction[3], first = INFINITY;
    for (int i = 0; i < 3; i++) {
        start[i] = ray->start[i];
        direction[i] = ray->direction[i];
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        double across = 0;
        const double t = triangle_hit(mesh, mesh->triangles[i], start, direction, &across);
        if (t < first) {
            first = t;
            *cosine = across;
        }
    }
    return first;
}

static double waves(double x, double y, double z)
{
    return sin(0.5 * x) * cos(0.4 * y) + sin(0.45 * y) * cos(0.5 * z) + sin(0.4 * z);
}

static void test_mesh(void **state)
{
    (void)state;
    enum { RAYS = 2000 };
    struct volume volume = fill(20, waves);
    struct mesh mesh;
    struct problem problem;
    assert_true(reference_extract(&volume, 0.25, NULL, &mesh, &problem));
    uint32_t hits = 0, misses = 0, differ = 0, near = 0;
    seed = 1;
    for (int i = 0; i < RAYS; i++) {
        const struct reference_ray ray = random_ray(0, 19);
        struct reference_hit hit;
        double cosine = 0;
        const bool met = reference_cast(&volume, 0.25, &ray, &hit, 1);
        const double t = mesh_hit(&mesh, &ray, &cosine);
        const double off = met ? fabs(t - hit.t) * ray_length(&ray) : 0;
        if (met != (t < INFINITY) || (met && off > 1.75 / cosine)) {
            differ++; // it touches one of the two, or meets it beside the volume's border
            continue;
        }
        hits += met;
        misses += !met;
        near += met && off < 0.5;
    }
    assert_true(differ * 100 < RAYS);
    assert_true(hits > RAYS / 2 && misses > RAYS / 20);
    assert_true(near * 100 >= hits * 99);
    mesh_destroy(&mesh);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_mesh) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
