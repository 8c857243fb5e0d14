// ctest: heavy
// The reference, compared with counting by brute force, analytic surfaces, and facts about real
// data that were computed independently (CUBIST_DATA/INDEX.md).

#include "compute/mesh/mesh_facts.h"
#include "compute/reference/reference.h"
#include "compute/reference/tables.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/address_space.h"

static const enum volume_type TYPES[] = {
    VOLUME_UINT8,  VOLUME_INT8,  VOLUME_UINT16,  VOLUME_INT16,
    VOLUME_UINT32, VOLUME_INT32, VOLUME_FLOAT32,
};
#define TYPE_COUNT (sizeof TYPES / sizeof *TYPES)

static struct volume make(uint32_t width, uint32_t height, uint32_t depth, enum volume_type type)
{
    struct volume volume;
    struct problem problem = { 0 };
    const uint32_t dim[3] = { width, height, depth };
    if (!volume_create(dim, type, &volume, &problem)) {
        fail_msg("%s", problem.text);
    }
    return volume;
}

static void put(struct volume *volume, uint32_t x, uint32_t y, uint32_t z, double value)
{
    const size_t at = ((size_t)z * volume->dim[1] + y) * volume->dim[0] + x;
    switch (volume->type) {
    case VOLUME_UINT8:
        ((uint8_t *)volume->samples)[at] = (uint8_t)value;
        break;
    case VOLUME_INT8:
        ((int8_t *)volume->samples)[at] = (int8_t)value;
        break;
    case VOLUME_UINT16:
        ((uint16_t *)volume->samples)[at] = (uint16_t)value;
        break;
    case VOLUME_INT16:
        ((int16_t *)volume->samples)[at] = (int16_t)value;
        break;
    case VOLUME_UINT32:
        ((uint32_t *)volume->samples)[at] = (uint32_t)value;
        break;
    case VOLUME_INT32:
        ((int32_t *)volume->samples)[at] = (int32_t)value;
        break;
    default:
        ((float *)volume->samples)[at] = (float)value;
        break;
    }
}

// Fills a volume from a function of the sample's place.
static struct volume fill(
    uint32_t width, uint32_t height, uint32_t depth, enum volume_type type,
    double (*value)(double x, double y, double z))
{
    struct volume volume = make(width, height, depth, type);
    for (uint32_t z = 0; z < depth; z++) {
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x++) {
                put(&volume, x, y, z, value(x, y, z));
            }
        }
    }
    return volume;
}

struct surface {
    struct cell_list cells;
    struct mesh mesh;
    struct mesh_facts facts;
};

static struct surface extract(const struct volume *volume, double iso)
{
    struct surface surface;
    struct problem problem = { 0 };
    if (!reference_extract(volume, iso, &surface.cells, &surface.mesh, &problem) ||
        !mesh_facts(&surface.mesh, volume->dim, &surface.facts, &problem)) {
        fail_msg("%s", problem.text);
    }
    return surface;
}

static void surface_free(struct surface *surface)
{
    cell_list_destroy(&surface->cells);
    mesh_destroy(&surface->mesh);
}

static void assert_empty(const struct volume *volume, double iso)
{
    struct surface surface = extract(volume, iso);
    assert_int_equal(surface.cells.count, 0);
    assert_int_equal(surface.mesh.vertex_count, 0);
    assert_int_equal(surface.mesh.triangle_count, 0);
    assert_true(surface.facts.watertight && surface.facts.closed);
    surface_free(&surface);
}

static void assert_same(const struct mesh *a, const struct mesh *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->edges, b->edges, a->vertex_count * sizeof *a->edges);
    assert_memory_equal(a->positions, b->positions, a->vertex_count * sizeof *a->positions);
    assert_memory_equal(a->normals, b->normals, a->vertex_count * sizeof *a->normals);
    assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
}

static uint32_t dice(uint32_t *state, uint32_t sides)
{
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(*state >> 8) * sides >> 24);
}

// --- counting by brute force -----------------------------------------------------------------

static bool cell_whole(const struct volume *volume, const int64_t cell[3])
{
    for (int k = 0; k < 3; k++) {
        if (cell[k] < 0 || cell[k] + 1 >= volume->dim[k]) {
            return false;
        }
    }
    for (int c = 0; c < 8; c++) {
        if (!isfinite(volume_sample(
                volume, (uint32_t)cell[0] + (c & 1), (uint32_t)cell[1] + (c >> 1 & 1),
                (uint32_t)cell[2] + (c >> 2)))) {
            return false;
        }
    }
    return true;
}

// Whether any of the four cells around an edge exists and has only finite corners.
static bool edge_in_a_cell(const struct volume *volume, const uint32_t from[3], int axis)
{
    for (int i = 0; i < 4; i++) {
        int64_t cell[3] = { from[0], from[1], from[2] };
        cell[(axis + 1) % 3] -= i & 1;
        cell[(axis + 2) % 3] -= i >> 1;
        if (cell_whole(volume, cell)) {
            return true;
        }
    }
    return false;
}

// Compares a surface with the definitions, sample by sample.
static void
assert_by_definition(const struct volume *volume, double iso, const struct surface *surface)
{
    const uint32_t *dim = volume->dim;
    const struct mesh *mesh = &surface->mesh;
    uint64_t cell_index = 0, cells = 0, vertices = 0;
    for (uint32_t z = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            for (uint32_t x = 0; x < dim[0]; x++) {
                const uint32_t from[3] = { x, y, z };
                const double a = volume_sample(volume, x, y, z);
                for (int axis = 0; axis < 3; axis++) {
                    uint32_t to[3] = { x, y, z };
                    if (++to[axis] == dim[axis]) {
                        continue;
                    }
                    const double b = volume_sample(volume, to[0], to[1], to[2]);
                    if ((a >= iso) == (b >= iso) || !edge_in_a_cell(volume, from, axis)) {
                        continue;
                    }
                    // The next vertex of the mesh is here: vertices are sorted by edge.
                    assert_true(vertices < mesh->vertex_count);
                    const uint64_t edge = 3 * (((uint64_t)z * dim[1] + y) * dim[0] + x) + axis;
                    assert_true(mesh->edges[vertices] == edge);
                    const float *at = mesh->positions[vertices], *n = mesh->normals[vertices];
                    for (int k = 0; k < 3; k++) {
                        const double t = k == axis ? (iso - a) / (b - a) : 0;
                        assert_true(at[k] == (float)(from[k] + t));
                    }
                    assert_true(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-6);
                    vertices++;
                }
                const int64_t cell[3] = { x, y, z };
                if (x + 1 == dim[0] || y + 1 == dim[1] || z + 1 == dim[2]) {
                    continue;
                }
                int inside = 0;
                for (int c = 0; c < 8; c++) {
                    inside +=
                        volume_sample(volume, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)) >= iso;
                }
                if (cell_whole(volume, cell) && inside != 0 && inside != 8) {
                    assert_true(cells < surface->cells.count);
                    assert_true(surface->cells.cells[cells] == cell_index);
                    cells++;
                }
                cell_index++;
            }
        }
    }
    assert_int_equal(surface->cells.count, cells);
    assert_int_equal(mesh->vertex_count, vertices);

    bool *used = calloc(vertices + 1, 1);
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            used[mesh->triangles[i][k]] = true;
        }
    }
    for (uint64_t i = 0; i < vertices; i++) {
        assert_true(used[i]);
    }
    free(used);
    assert_int_equal(surface->facts.bad_edges, 0);
}

static void test_noise(void **state)
{
    (void)state;
    uint32_t seed = 1;
    uint64_t gaps = 0, surfaces = 0;
    for (int round = 0; round < 1500; round++) {
        const enum volume_type type = TYPES[round % TYPE_COUNT];
        struct volume volume =
            make(2 + dice(&seed, 6), 2 + dice(&seed, 5), 2 + dice(&seed, 4), type);
        const bool with_gaps = type == VOLUME_FLOAT32 && round % 2;
        bool finite = true;
        for (uint32_t z = 0; z < volume.dim[2]; z++) {
            for (uint32_t y = 0; y < volume.dim[1]; y++) {
                for (uint32_t x = 0; x < volume.dim[0]; x++) {
                    double value = dice(&seed, 6);
                    if (with_gaps && dice(&seed, 20) == 0) {
                        value = ((const double[]){ NAN, INFINITY, -INFINITY })[dice(&seed, 3)];
                        finite = false;
                        gaps++;
                    }
                    put(&volume, x, y, z, value);
                }
            }
        }
        // On a sample's value and between values.
        for (double iso = 0; iso <= 5.5; iso += 0.5) {
            struct surface surface = extract(&volume, iso);
            assert_by_definition(&volume, iso, &surface);
            if (finite) {
                assert_true(surface.facts.watertight);
            }
            surfaces += surface.mesh.vertex_count > 0;
            surface_free(&surface);
        }
        volume_destroy(&volume);
    }
    assert_true(gaps > 100 && surfaces > 1000);
}

// Each case alone: it has as many triangles as its row says, with vertices in the middle of edges.
static void test_every_case(void **state)
{
    (void)state;
    struct marching_cubes_case cases[CASES];
    marching_cubes_derive(cases);
    for (size_t t = 0; t < TYPE_COUNT; t++) {
        for (int corners = 0; corners < CASES; corners++) {
            struct volume volume = make(2, 2, 2, TYPES[t]);
            for (int c = 0; c < 8; c++) {
                put(&volume, c & 1, c >> 1 & 1, c >> 2, corners >> c & 1 ? 100 : 20);
            }
            struct surface surface = extract(&volume, 60);
            assert_by_definition(&volume, 60, &surface);
            assert_int_equal(surface.mesh.triangle_count, cases[corners].triangle_count);
            assert_int_equal(surface.cells.count, corners != 0 && corners != CASES - 1);
            assert_true(surface.facts.watertight);
            surface_free(&surface);
            volume_destroy(&volume);
        }
    }
}

// --- analytic surfaces -----------------------------------------------------------------------

static double centre, radius; // of the sphere, in samples

static double ball(double x, double y, double z)
{
    x -= centre, y -= centre, z -= centre;
    return radius - sqrt(x * x + y * y + z * z);
}

static void test_sphere(void **state)
{
    (void)state;
    double area_off[3], volume_off[3];
    for (int i = 0; i < 3; i++) {
        const uint32_t size = 16u << i;
        centre = (size - 1) / 2.0 + 0.1; // off the grid's symmetry
        radius = 0.4 * size;
        struct volume volume = fill(size, size, size, VOLUME_FLOAT32, ball);
        struct surface s = extract(&volume, 0);

        assert_true(s.facts.watertight && s.facts.closed);
        assert_int_equal(s.facts.open_edges, 0);
        // One closed surface without a hole: V - E + F = 2, and E is 3 F / 2.
        assert_int_equal((int64_t)s.mesh.vertex_count - (int64_t)s.mesh.triangle_count / 2, 2);
        area_off[i] = fabs(s.facts.area / (4 * M_PI * radius * radius) - 1);
        volume_off[i] = fabs(s.facts.volume / (4 * M_PI / 3 * radius * radius * radius) - 1);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(s.facts.bounds[0][k] - (centre - radius)) < 0.05);
            assert_true(fabs(s.facts.bounds[1][k] - (centre + radius)) < 0.05);
        }
        for (uint64_t v = 0; v < s.mesh.vertex_count; v++) {
            const float *p = s.mesh.positions[v], *n = s.mesh.normals[v];
            double out = 0; // outside is away from the centre
            for (int k = 0; k < 3; k++) {
                out += n[k] * (p[k] - centre) / radius;
            }
            assert_true(out > 0.99);
        }
        surface_free(&s);
        volume_destroy(&volume);
    }
    // The error falls with the square of the spacing.
    assert_true(area_off[0] < 0.01 && area_off[2] < 0.001);
    assert_true(volume_off[0] < 0.02 && volume_off[2] < 0.002);
    assert_true(area_off[1] < area_off[0] / 3 && area_off[2] < area_off[1] / 3);
    assert_true(volume_off[1] < volume_off[0] / 3 && volume_off[2] < volume_off[1] / 3);
}

static double ramp(double x, double y, double z)
{
    return 2 * x + 3 * y - z;
}

// A linear field: every difference is exact, on the border too.
static void test_plane(void **state)
{
    (void)state;
    struct volume volume = fill(6, 7, 8, VOLUME_FLOAT32, ramp);
    struct surface s = extract(&volume, 9.25);
    assert_true(s.mesh.vertex_count > 50);
    assert_true(s.facts.watertight && !s.facts.closed);
    assert_true(s.facts.open_edges > 10);
    assert_int_equal(s.facts.open_inside, 0);
    const double length = sqrt(14), towards_lower[3] = { -2 / length, -3 / length, 1 / length };
    for (uint64_t v = 0; v < s.mesh.vertex_count; v++) {
        const float *p = s.mesh.positions[v];
        assert_true(fabs(ramp(p[0], p[1], p[2]) - 9.25) < 1e-5);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(s.mesh.normals[v][k] - towards_lower[k]) < 1e-6);
        }
    }
    // Each triangle faces lower values.
    for (uint64_t i = 0; i < s.mesh.triangle_count; i++) {
        const float *a = s.mesh.positions[s.mesh.triangles[i][0]],
                    *b = s.mesh.positions[s.mesh.triangles[i][1]],
                    *c = s.mesh.positions[s.mesh.triangles[i][2]];
        double dot = 0;
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, w = (k + 2) % 3;
            dot += towards_lower[k] * (((double)b[u] - a[u]) * ((double)c[w] - a[w]) -
                                       ((double)b[w] - a[w]) * ((double)c[u] - a[u]));
        }
        assert_true(dot > -1e-6);
    }
    surface_free(&s);
    volume_destroy(&volume);
}

static double bumps(double x, double y, double z)
{
    return floor(100 + 60 * sin(0.9 * x) * cos(0.7 * y + 1) + 40 * sin(0.8 * z + 0.3 * x));
}

static double bumps_around_0(double x, double y, double z)
{
    return bumps(x, y, z) - 100;
}

static bool is_signed(enum volume_type type)
{
    return type == VOLUME_INT8 || type == VOLUME_INT16 || type == VOLUME_INT32;
}

// The same values in every type give the same surface to the last bit.
static void test_types_agree(void **state)
{
    (void)state;
    const double isos[] = { 0.5, 3, -17.25 };
    for (size_t i = 0; i < 3; i++) {
        struct volume floats = fill(9, 11, 10, VOLUME_FLOAT32, bumps_around_0);
        struct surface want = extract(&floats, isos[i]);
        assert_true(want.mesh.triangle_count > 100);
        for (size_t t = 0; t < TYPE_COUNT; t++) {
            const bool negative = is_signed(TYPES[t]);
            struct volume volume = fill(9, 11, 10, TYPES[t], negative ? bumps_around_0 : bumps);
            struct surface got = extract(&volume, negative ? isos[i] : isos[i] + 100);
            assert_same(&want.mesh, &got.mesh);
            assert_int_equal(want.cells.count, got.cells.count);
            assert_memory_equal(
                want.cells.cells, got.cells.cells, want.cells.count * sizeof *want.cells.cells);
            surface_free(&got);
            volume_destroy(&volume);
        }
        surface_free(&want);
        volume_destroy(&floats);
    }
}

// Neighbouring values at the limits of the wide types, which a float could not distinguish.
static void test_wide_integers(void **state)
{
    (void)state;
    const struct {
        enum volume_type type;
        double low, high;
    } rows[] = {
        { VOLUME_UINT32, 4294967294.0, 4294967295.0 },
        { VOLUME_INT32, 2147483646.0, 2147483647.0 },
        { VOLUME_INT32, -2147483648.0, -2147483647.0 },
        { VOLUME_UINT32, 0, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct volume volume = make(3, 2, 2, rows[i].type);
        for (int c = 0; c < 12; c++) {
            put(&volume, c % 3, c / 3 % 2, c / 6, c % 3 ? rows[i].high : rows[i].low);
        }
        assert_empty(&volume, rows[i].low);
        assert_empty(&volume, rows[i].high + 0.25);
        const double isos[] = { 0.25, 0.5, 1 };
        for (int k = 0; k < 3; k++) {
            struct surface s = extract(&volume, rows[i].low + isos[k]);
            assert_int_equal(s.cells.count, 1);
            assert_int_equal(s.mesh.vertex_count, 4);
            assert_true(s.mesh.positions[0][0] == (float)isos[k]);
            surface_free(&s);
        }
        volume_destroy(&volume);
    }
}

// --- corners of the rules --------------------------------------------------------------------

static void test_constant(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPE_COUNT; t++) {
        struct volume volume = make(4, 3, 5, TYPES[t]);
        for (int i = 0; i < 60; i++) {
            put(&volume, i % 4, i / 4 % 3, i / 12, 7);
        }
        const double isos[] = { 6.5, 7, 7.5, -1e300, 1e300, INFINITY, -INFINITY, NAN };
        for (size_t i = 0; i < sizeof isos / sizeof *isos; i++) {
            assert_empty(&volume, isos[i]);
        }
        volume_destroy(&volume);
    }
}

// One sample inside that equals the isovalue: a surface without area, but complete.
static void test_iso_on_a_sample(void **state)
{
    (void)state;
    struct volume volume = make(3, 3, 3, VOLUME_UINT8);
    put(&volume, 1, 1, 1, 5);
    struct surface s = extract(&volume, 5);
    assert_int_equal(s.cells.count, 8);
    assert_int_equal(s.mesh.vertex_count, 6);
    assert_int_equal(s.mesh.triangle_count, 8);
    assert_true(s.facts.closed);
    assert_true(s.facts.area == 0 && s.facts.volume == 0);
    for (int v = 0; v < 6; v++) {
        for (int k = 0; k < 3; k++) {
            assert_true(s.mesh.positions[v][k] == 1);
        }
    }
    surface_free(&s);

    assert_empty(&volume, nextafter(5, 6));
    assert_empty(&volume, 0);

    // An octahedron with its corners half-way: area 8 * sqrt(3) / 4 / 2, volume 4 / 3 * 0.5^3.
    s = extract(&volume, 2.5);
    assert_true(fabs(s.facts.area - sqrt(3)) < 1e-6);
    assert_true(fabs(s.facts.volume - 1 / 6.0) < 1e-6);
    surface_free(&s);
    volume_destroy(&volume);
}

static double along_x(double x, double y, double z)
{
    (void)y, (void)z;
    return x;
}

static void test_not_finite(void **state)
{
    (void)state;
    const double strange[] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; i++) {
        struct volume volume = fill(5, 5, 5, VOLUME_FLOAT32, along_x);
        put(&volume, 2, 2, 2, strange[i]);
        struct surface s = extract(&volume, 2.5);
        assert_by_definition(&volume, 2.5, &s);
        assert_int_equal(s.cells.count, 16 - 4);       // four of the layer's cells touch it
        assert_int_equal(s.mesh.vertex_count, 25 - 1); // its own edge has no cell left
        assert_int_equal(s.mesh.triangle_count, 2 * 12);
        assert_int_equal(s.facts.open_inside, 8); // round the hole of 2 x 2 squares
        assert_int_equal(s.facts.open_edges, 8 + 16);
        assert_false(s.facts.watertight);
        for (uint64_t v = 0; v < s.mesh.vertex_count; v++) {
            assert_true(s.mesh.normals[v][0] == -1);
            assert_true(s.mesh.normals[v][1] == 0 && s.mesh.normals[v][2] == 0);
        }
        surface_free(&s);
        volume_destroy(&volume);

        struct volume none = make(3, 3, 3, VOLUME_FLOAT32);
        for (int k = 0; k < 27; k++) {
            put(&none, k % 3, k / 3 % 3, k / 9, strange[i]);
        }
        assert_empty(&none, 0);
        volume_destroy(&none);
    }
}

// The largest and the smallest floats: no overflow in between.
static void test_far_floats(void **state)
{
    (void)state;
    const double values[] = { FLT_MAX, FLT_MIN, FLT_TRUE_MIN };
    for (int i = 0; i < 3; i++) {
        struct volume volume = make(3, 2, 2, VOLUME_FLOAT32);
        for (int k = 0; k < 12; k++) {
            put(&volume, k % 3, k / 3 % 2, k / 6, k % 3 ? values[i] : -values[i]);
        }
        struct surface s = extract(&volume, 0);
        assert_int_equal(s.mesh.vertex_count, 4);
        for (int v = 0; v < 4; v++) {
            assert_true(s.mesh.positions[v][0] == 0.5f);
            assert_true(s.mesh.normals[v][0] == -1);
        }
        surface_free(&s);
        volume_destroy(&volume);
    }
}

// 3 0 1 2 along x: at 0.5 between 0 and 1 the gradients -1 and 1 of the ends cancel. The normal is
// the edge's direction towards the lower value. The same a hair beside, where rounding is all that
// would be left; and not where something is.
static void test_gradient_vanishes(void **state)
{
    (void)state;
    const float rows[2][4] = { { 3, 0, 1, 2 }, { 2, 1, 0, 3 } };
    for (int r = 0; r < 2; r++) {
        struct volume volume = make(4, 2, 2, VOLUME_FLOAT32);
        for (int k = 0; k < 16; k++) {
            put(&volume, k % 4, k / 4 % 2, k / 8, rows[r][k % 4]);
        }
        const struct {
            double iso;
            int sign; // of the normal on the edge from sample 1 to sample 2
        } isos[] = { { 0.5, r ? 1 : -1 },
                     { 0.5001, r ? 1 : -1 },
                     { 0.4999, r ? 1 : -1 },
                     { 0.51, -1 + 2 * r },
                     { 0.49, 1 - 2 * r } };
        for (size_t i = 0; i < sizeof isos / sizeof *isos; i++) {
            struct surface s = extract(&volume, isos[i].iso);
            int seen = 0;
            for (uint64_t v = 0; v < s.mesh.vertex_count; v++) {
                if (s.mesh.edges[v] / 3 % 4 == 1) {
                    assert_true(s.mesh.normals[v][0] == isos[i].sign);
                    assert_true(s.mesh.normals[v][1] == 0 && s.mesh.normals[v][2] == 0);
                    seen++;
                }
            }
            assert_int_equal(seen, 4);
            surface_free(&s);
        }
        volume_destroy(&volume);
    }
}

// Either output may be left out; the other one is in canonical order.
static void test_outputs(void **state)
{
    (void)state;
    struct volume volume = fill(9, 11, 10, VOLUME_UINT8, bumps);
    struct surface both = extract(&volume, 100.5);
    struct problem problem = { 0 };
    struct cell_list cells;
    struct mesh mesh;
    assert_true(reference_extract(&volume, 100.5, &cells, NULL, &problem));
    assert_int_equal(cells.count, both.cells.count);
    assert_memory_equal(cells.cells, both.cells.cells, cells.count * sizeof *cells.cells);
    assert_true(reference_extract(&volume, 100.5, NULL, &mesh, &problem));
    assert_same(&mesh, &both.mesh);
    assert_true(mesh_canonicalize(&mesh, &problem));
    assert_same(&mesh, &both.mesh);
    cell_list_destroy(&cells);
    mesh_destroy(&mesh);
    surface_free(&both);
    volume_destroy(&volume);
}

// --- little memory ---

// Each allocation fails in turn, until none fails.
static void test_out_of_memory(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: AddressSanitizer needs the address space itself\n");
    skip();
#endif
    struct volume volume = make(40, 40, 40, VOLUME_UINT8);
    uint32_t seed = 9;
    for (int i = 0; i < 40 * 40 * 40; i++) {
        ((uint8_t *)volume.samples)[i] = (uint8_t)dice(&seed, 200);
    }
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    int refused = 0;
    bool done = false;
    for (uint64_t room = 0; !done; room += 128 << 10) {
        assert_true(room < 256 << 20);
        struct surface s;
        struct problem problem = { 0 };
        struct rlimit tight = before;
        tight.rlim_cur = address_space() + room;
        assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
        const bool extracted = reference_extract(&volume, 100, &s.cells, &s.mesh, &problem);
        done = extracted && mesh_facts(&s.mesh, volume.dim, &s.facts, &problem);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        if (!done) {
            assert_int_equal(problem.kind, PROBLEM_HOST_MEMORY);
            assert_non_null(strstr(problem.text, "out of memory"));
            refused++;
        }
        if (!extracted) {
            assert_null(s.cells.cells);
            assert_null(s.mesh.positions);
            assert_int_equal(s.mesh.vertex_count, 0);
        }
        surface_free(&s);
    }
    assert_true(refused > 5);
    volume_destroy(&volume);
}

// --- real data -------------------------------------------------------------------------------

// Reads a little-endian raw file whose name states its size. Returns false if it is not one of
// ours.
static bool read_raw(const char *folder, const char *name, struct volume *out)
{
    const char *size = strstr(name, "_");
    unsigned width, height, depth;
    char type_name[16];
    while (size &&
           sscanf(size, "_%ux%ux%u_%15[a-z0-9].raw", &width, &height, &depth, type_name) != 4) {
        size = strstr(size + 1, "_");
    }
    enum volume_type type;
    if (!size || !volume_type_parse(type_name, &type)) {
        return false;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    *out = make(width, height, depth, type);
    const bool whole = fread(out->samples, volume_bytes(out), 1, file) == 1;
    fclose(file);
    return whole;
}

static void test_real_data(void **state)
{
    (void)state;
    const char *folder = getenv("CUBIST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/INDEX.md", folder ? folder : "");
    FILE *index = folder ? fopen(path, "r") : NULL;
    if (!index) {
        print_message("skipped: no real data (CUBIST_DATA is %s)\n", folder ? folder : "not set");
        skip();
    }
    char line[1000], name[200];
    int rows = 0;
    while (fgets(line, sizeof line, index)) {
        double iso;
        uint64_t inside, active, vertices;
        if (sscanf(
                line, "| %199s | %lf | %" SCNu64 " | %" SCNu64 " | %" SCNu64 " |", name, &iso,
                &inside, &active, &vertices) != 5) {
            continue;
        }
        struct volume volume;
        if (!read_raw(folder, name, &volume)) {
            fail_msg("%s stands in INDEX.md but cannot be read", name);
        }
        struct surface s = extract(&volume, iso);
        if (s.cells.count != active || s.mesh.vertex_count != vertices) {
            fail_msg(
                "%s at %g: expected %" PRIu64 " active cells and %" PRIu64
                " vertices, found %" PRIu64 " and %" PRIu64,
                name, iso, active, vertices, s.cells.count, s.mesh.vertex_count);
        }
        assert_true(s.facts.watertight);
        assert_true(s.facts.area > 0);
        surface_free(&s);
        volume_destroy(&volume);
        rows++;
    }
    fclose(index);
    assert_true(rows > 0);
    print_message("%d rows of INDEX.md\n", rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_every_case),
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_types_agree),
        cmocka_unit_test(test_wide_integers),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_iso_on_a_sample),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_far_floats),
        cmocka_unit_test(test_gradient_vanishes),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_real_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
