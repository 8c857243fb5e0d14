// A mesh on the host: canonical order, facts, its place in space, writing, and comparison.

#include "compute/mesh/mesh.h"
#include "compute/mesh/mesh_compare.h"
#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_writer.h"
#include "compute/reference/reference.h"

#include <dirent.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/address_space.h"

static uint32_t dice(uint32_t *state, uint32_t sides)
{
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(*state >> 8) * sides >> 24);
}

static struct volume make_volume(uint32_t size)
{
    struct volume volume;
    struct problem problem = { 0 };
    assert_true(
        volume_create((const uint32_t[3]){ size, size, size }, VOLUME_FLOAT32, &volume, &problem));
    return volume;
}

static struct mesh extract(const struct volume *volume, double iso)
{
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(reference_extract(volume, iso, NULL, &mesh, &problem));
    return mesh;
}

static struct mesh noise_mesh(struct volume *volume)
{
    uint32_t seed = 7;
    *volume = make_volume(12);
    for (int i = 0; i < 12 * 12 * 12; i++) {
        ((float *)volume->samples)[i] = dice(&seed, 100);
    }
    return extract(volume, 40.5);
}

// A ball off the centre of 20^3 samples.
static struct mesh ball_mesh(struct volume *volume)
{
    *volume = make_volume(20);
    for (int i = 0; i < 20 * 20 * 20; i++) {
        const double x = i % 20 - 9.3, y = i / 20 % 20 - 9.8, z = i / 400 - 10.1;
        ((float *)volume->samples)[i] = (float)(7 - sqrt(x * x + y * y + z * z));
    }
    return extract(volume, 0);
}

static struct mesh copy(const struct mesh *mesh)
{
    struct mesh out;
    struct problem problem = { 0 };
    assert_true(mesh_create(mesh->vertex_count, mesh->triangle_count, &out, &problem));
    memcpy(out.positions, mesh->positions, mesh->vertex_count * sizeof *out.positions);
    memcpy(out.normals, mesh->normals, mesh->vertex_count * sizeof *out.normals);
    memcpy(out.edges, mesh->edges, mesh->vertex_count * sizeof *out.edges);
    memcpy(out.triangles, mesh->triangles, mesh->triangle_count * sizeof *out.triangles);
    return out;
}

static bool same(const struct mesh *a, const struct mesh *b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           !memcmp(a->edges, b->edges, a->vertex_count * sizeof *a->edges) &&
           !memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) &&
           !memcmp(a->normals, b->normals, a->vertex_count * sizeof *a->normals) &&
           !memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
}

// A mesh from corners and triangles; vertex i claims grid edge `edges[i]`, or 3 i without.
static struct mesh build(
    uint64_t vertices, const float (*positions)[3], const uint64_t *edges, uint64_t triangles,
    const uint32_t (*corners)[3])
{
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(mesh_create(vertices, triangles, &mesh, &problem));
    for (uint64_t i = 0; i < vertices; i++) {
        memcpy(mesh.positions[i], positions[i], sizeof *mesh.positions);
        mesh.normals[i][0] = 1;
        mesh.normals[i][1] = mesh.normals[i][2] = 0;
        mesh.edges[i] = edges ? edges[i] : 3 * i;
    }
    memcpy(mesh.triangles, corners, triangles * sizeof *corners);
    return mesh;
}

static struct mesh_facts measure(const struct mesh *mesh, const uint32_t dim[3])
{
    struct mesh_facts facts;
    struct problem problem = { 0 };
    assert_true(mesh_facts(mesh, dim, &facts, &problem));
    return facts;
}

static const uint32_t ANY_DIM[3] = { 100, 100, 100 };

static const float TETRAHEDRON[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const uint32_t TETRAHEDRON_CORNERS[][3] = {
    { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 }
};

// --- creating and the one order --------------------------------------------------------------

static void test_create(void **state)
{
    (void)state;
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(mesh_create(0, 0, &mesh, &problem));
    mesh_destroy(&mesh);
    mesh_destroy(&mesh); // takes an empty one

    assert_false(mesh_create(UINT64_MAX / 2, 1, &mesh, &problem));
    assert_int_equal(problem.kind, PROBLEM_HOST_MEMORY);
    assert_non_null(strstr(problem.text, "out of memory"));
    assert_null(mesh.positions);
    assert_int_equal(mesh.vertex_count, 0);
}

static void shuffle(struct mesh *mesh, uint32_t *seed)
{
    struct mesh from = copy(mesh);
    uint32_t *place = malloc((mesh->vertex_count + 1) * sizeof *place);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const uint32_t k = dice(seed, i + 1);
        place[i] = place[k];
        place[k] = i;
    }
    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        memcpy(mesh->positions[place[i]], from.positions[i], sizeof *mesh->positions);
        memcpy(mesh->normals[place[i]], from.normals[i], sizeof *mesh->normals);
        mesh->edges[place[i]] = from.edges[i];
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const int turn = (int)dice(seed, 3);
        uint32_t triangle[3];
        for (int k = 0; k < 3; k++) {
            triangle[k] = place[from.triangles[i][(k + turn) % 3]];
        }
        const uint64_t k = dice(seed, (uint32_t)i + 1);
        memcpy(mesh->triangles[i], mesh->triangles[k], sizeof triangle);
        memcpy(mesh->triangles[k], triangle, sizeof triangle);
    }
    free(place);
    mesh_destroy(&from);
}

static void test_canonical(void **state)
{
    (void)state;
    struct volume volume;
    struct problem problem = { 0 };
    struct mesh want = noise_mesh(&volume);
    assert_true(want.triangle_count > 3000);
    uint32_t seed = 3;
    for (int round = 0; round < 50; round++) {
        struct mesh mesh = copy(&want);
        shuffle(&mesh, &seed);
        assert_false(same(&mesh, &want));
        assert_true(mesh_canonicalize(&mesh, &problem));
        assert_true(same(&mesh, &want));
        assert_true(mesh_canonicalize(&mesh, &problem));
        assert_true(same(&mesh, &want));
        mesh_destroy(&mesh);
    }
    // What the order is, said once more.
    for (uint64_t i = 1; i < want.vertex_count; i++) {
        assert_true(want.edges[i - 1] < want.edges[i]);
    }
    for (uint64_t i = 0; i < want.triangle_count; i++) {
        const uint32_t *t = want.triangles[i];
        assert_true(t[0] < t[1] && t[0] < t[2]);
        if (i > 0) {
            const uint32_t *s = want.triangles[i - 1];
            assert_true(
                s[0] < t[0] || (s[0] == t[0] && (s[1] < t[1] || (s[1] == t[1] && s[2] < t[2]))));
        }
    }
    mesh_destroy(&want);
    volume_destroy(&volume);
}

// Grid edges beyond 32 bits, in all digits of the sort.
static void test_canonical_far_edges(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    struct mesh mesh;
    struct problem problem = { 0 };
    uint32_t seed = 5;
    assert_true(mesh_create(COUNT, 0, &mesh, &problem));
    for (int i = 0; i < COUNT; i++) {
        mesh.edges[i] = 0;
        for (int k = 0; k < 8; k++) {
            mesh.edges[i] = mesh.edges[i] << 8 | dice(&seed, 256);
        }
        for (int k = 0; k < 3; k++) {
            mesh.positions[i][k] = (float)(mesh.edges[i] % 1000);
            mesh.normals[i][k] = (float)(mesh.edges[i] % 999);
        }
    }
    assert_true(mesh_canonicalize(&mesh, &problem));
    for (int i = 0; i < COUNT; i++) {
        assert_true(i == 0 || mesh.edges[i - 1] < mesh.edges[i]);
        assert_true(mesh.positions[i][2] == (float)(mesh.edges[i] % 1000));
        assert_true(mesh.normals[i][0] == (float)(mesh.edges[i] % 999));
    }
    mesh_destroy(&mesh);
}

// Many triangles at one vertex: the slow path of both sorts.
static void test_wheel(void **state)
{
    (void)state;
    enum { SPOKES = 1000 };
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(mesh_create(SPOKES + 1, SPOKES, &mesh, &problem));
    for (uint32_t i = 0; i <= SPOKES; i++) {
        const double turn = 2 * M_PI * i / SPOKES;
        mesh.positions[i][0] = i == 0 ? 0 : (float)cos(turn);
        mesh.positions[i][1] = i == 0 ? 0 : (float)sin(turn);
        mesh.positions[i][2] = 0;
        mesh.normals[i][0] = mesh.normals[i][1] = mesh.normals[i][2] = 0;
        mesh.edges[i] = 3 * (500 + i);
    }
    for (uint32_t i = 0; i < SPOKES; i++) {
        mesh.triangles[i][0] = 1 + i;
        mesh.triangles[i][1] = 1 + (i + 1) % SPOKES;
        mesh.triangles[i][2] = 0;
    }
    struct mesh want = copy(&mesh);
    uint32_t seed = 11;
    shuffle(&mesh, &seed);
    assert_true(mesh_canonicalize(&mesh, &problem));
    assert_true(mesh_canonicalize(&want, &problem));
    assert_true(same(&mesh, &want));
    for (uint32_t i = 0; i < SPOKES; i++) {
        assert_int_equal(mesh.triangles[i][0], 0);
        assert_int_equal(mesh.triangles[i][1], i + 1);
    }
    const struct mesh_facts facts = measure(&mesh, ANY_DIM);
    assert_int_equal(facts.open_edges, SPOKES);
    assert_int_equal(facts.bad_edges, 0);
    assert_true(fabs(facts.area - M_PI) < 1e-3);
    mesh_destroy(&mesh);
    mesh_destroy(&want);
}

static bool count_down(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

// Stopped at each call of `progress`, and not called again.
static void test_canonical_cancelled(void **state)
{
    (void)state;
    struct volume volume;
    struct problem problem = { 0 };
    struct mesh want = noise_mesh(&volume);
    uint32_t seed = 5;
    int asked = 1;
    for (bool done = false; !done; asked++) {
        struct mesh mesh = copy(&want);
        shuffle(&mesh, &seed);
        int left = asked;
        done = mesh_canonicalize_while(&mesh, &(struct progress){ count_down, &left }, &problem);
        assert_int_equal(left, done);
        assert_int_equal(problem.kind, done && asked == 1 ? PROBLEM_NONE : PROBLEM_INTERRUPTED);
        assert_true(!done || same(&mesh, &want));
        mesh_destroy(&mesh);
        assert_true(asked < 100);
    }
    assert_true(asked > 4);
    mesh_destroy(&want);
    volume_destroy(&volume);
}

// Where memory is short, the order is made in place: it needs less, and is the same.
static void test_canonical_in_little_memory(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: AddressSanitizer needs the address space itself\n");
    skip();
#endif
    enum { VERTICES = 100000, TRIANGLES = 3 * VERTICES, STEP = 64 << 10 };
    struct mesh want;
    struct problem problem = { 0 };
    uint32_t seed = 17;
    assert_true(mesh_create(VERTICES, TRIANGLES, &want, &problem));
    for (uint32_t i = 0; i < VERTICES; i++) {
        want.edges[i] = UINT64_C(5) * i;
        memset(want.normals[i], 0, sizeof want.normals[i]);
        memset(want.positions[i], 0, sizeof want.positions[i]);
        want.positions[i][0] = (float)i;
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        for (int k = 0; k < 3; k++) {
            want.triangles[i][k] = dice(&seed, VERTICES);
        }
    }
    assert_true(mesh_canonicalize(&want, &problem));
    assert_int_equal(mallopt(M_MMAP_THRESHOLD, 32 << 10), 1); // what is freed leaves the process
    uint64_t least = 0;
    for (bool done = false; !done; least += STEP) {
        struct mesh mesh = copy(&want);
        shuffle(&mesh, &seed);
        struct rlimit before, tight;
        assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
        tight = before;
        tight.rlim_cur = address_space() + least;
        assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
        done = mesh_canonicalize(&mesh, &problem);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        assert_true(done ? same(&mesh, &want) : problem.kind == PROBLEM_HOST_MEMORY);
        mesh_destroy(&mesh);
        assert_true(least < TRIANGLES * sizeof *mesh.triangles);
    }
    assert_true(least > VERTICES * sizeof(uint64_t));
    mesh_destroy(&want);
}

static void test_wild_index(void **state)
{
    (void)state;
    struct mesh mesh = build(4, TETRAHEDRON, NULL, 4, TETRAHEDRON_CORNERS);
    struct problem problem = { 0 };
    struct mesh_facts facts;
    mesh.triangles[2][1] = 4;
    assert_false(mesh_canonicalize(&mesh, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERNAL);
    assert_string_equal(problem.text, "triangle 2 of the mesh names vertex 4, but it has 4 vertices");
    problem.kind = PROBLEM_NONE;
    assert_false(mesh_facts(&mesh, ANY_DIM, &facts, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERNAL);
    mesh_destroy(&mesh);
}

// --- facts -----------------------------------------------------------------------------------

static void test_tetrahedron(void **state)
{
    (void)state;
    struct mesh mesh = build(4, TETRAHEDRON, NULL, 4, TETRAHEDRON_CORNERS);
    struct mesh_facts facts = measure(&mesh, ANY_DIM);
    assert_true(fabs(facts.area - (1.5 + sqrt(3) / 2)) < 1e-12);
    assert_true(fabs(facts.volume - 1 / 6.0) < 1e-12);
    assert_true(facts.closed && facts.watertight);
    assert_int_equal(facts.open_edges, 0);
    for (int k = 0; k < 3; k++) {
        assert_true(facts.bounds[0][k] == 0 && facts.bounds[1][k] == 1);
    }

    // Inside out.
    for (int i = 0; i < 4; i++) {
        const uint32_t kept = mesh.triangles[i][0];
        mesh.triangles[i][0] = mesh.triangles[i][1];
        mesh.triangles[i][1] = kept;
    }
    facts = measure(&mesh, ANY_DIM);
    assert_true(fabs(facts.volume + 1 / 6.0) < 1e-12);
    assert_true(facts.closed);

    // One triangle turned over: its three sides run the same way as their partners.
    const uint32_t kept = mesh.triangles[3][0];
    mesh.triangles[3][0] = mesh.triangles[3][1];
    mesh.triangles[3][1] = kept;
    facts = measure(&mesh, ANY_DIM);
    assert_int_equal(facts.bad_edges, 3);
    assert_false(facts.closed || facts.watertight);

    // One triangle gone.
    mesh.triangle_count = 3;
    facts = measure(&mesh, ANY_DIM);
    assert_int_equal(facts.open_edges, 3);
    assert_int_equal(facts.bad_edges, 0);
    assert_false(facts.closed);
    mesh_destroy(&mesh);
}

static void test_box(void **state)
{
    (void)state;
    static const uint32_t corners[12][3] = {
        { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
        { 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 },
    };
    // Far away too, along x, where a float has no more than its whole numbers. The tetrahedra
    // from the origin to its two ends would nearly cancel, and leave rounding.
    const float size[3] = { 1, 1 / 3.0f, 0.7f };
    const float far[] = { 0, 8388608 };
    for (int f = 0; f < 2; f++) {
        float positions[8][3];
        for (int i = 0; i < 8; i++) {
            positions[i][0] = far[f] + (float)(i & 1) * size[0];
            positions[i][1] = (float)(i >> 1 & 1) * size[1];
            positions[i][2] = (float)(i >> 2) * size[2];
        }
        struct mesh mesh = build(8, positions, NULL, 12, corners);
        const struct mesh_facts facts = measure(&mesh, ANY_DIM);
        const double x = size[0], y = size[1], z = size[2];
        assert_true(fabs(facts.area / (2 * (x * y + y * z + z * x)) - 1) < 1e-13);
        assert_true(fabs(facts.volume / (x * y * z) - 1) < 1e-13);
        assert_true(facts.closed);
        mesh_destroy(&mesh);
    }
}

static uint64_t edge_at(uint32_t x, uint32_t y, uint32_t z, int axis, const uint32_t dim[3])
{
    return 3 * (((uint64_t)z * dim[1] + y) * dim[0] + x) + (uint64_t)axis;
}

// A square patch: which of its sides lie on the border is a matter of the grid's edges alone.
static void test_open_patch(void **state)
{
    (void)state;
    static const float square[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
    static const uint32_t corners[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
    const uint32_t dim[3] = { 4, 5, 6 };
    const struct {
        uint64_t edges[4];
        uint64_t open_inside;
    } rows[] = {
        // On z edges that stand in a column of cells in the middle of the grid.
        { { edge_at(1, 1, 2, 2, dim), edge_at(2, 1, 2, 2, dim), edge_at(2, 2, 2, 2, dim),
            edge_at(1, 2, 2, 2, dim) },
          4 },
        // Along the side x = 0: the side between the first and the last vertex is on it.
        { { edge_at(0, 1, 2, 2, dim), edge_at(1, 1, 2, 2, dim), edge_at(1, 2, 2, 2, dim),
            edge_at(0, 2, 2, 2, dim) },
          3 },
        // In the corner where x and y are largest: two sides.
        { { edge_at(2, 3, 2, 2, dim), edge_at(3, 3, 2, 2, dim), edge_at(3, 4, 2, 2, dim),
            edge_at(2, 4, 2, 2, dim) },
          2 },
        // On four x edges that start on the side x = 0 or end on x = 3, but do not lie on it.
        { { edge_at(0, 1, 1, 0, dim), edge_at(0, 2, 1, 0, dim), edge_at(2, 2, 2, 0, dim),
            edge_at(2, 1, 2, 0, dim) },
          4 },
        // Each side's ends on different faces of the border.
        { { edge_at(0, 1, 1, 2, dim), edge_at(1, 0, 1, 2, dim), edge_at(3, 1, 1, 2, dim),
            edge_at(1, 4, 1, 2, dim) },
          4 },
        // All on the side z = 5.
        { { edge_at(0, 1, 5, 0, dim), edge_at(1, 1, 5, 1, dim), edge_at(1, 2, 5, 0, dim),
            edge_at(1, 2, 5, 1, dim) },
          0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mesh mesh = build(4, square, rows[i].edges, 2, corners);
        const struct mesh_facts facts = measure(&mesh, dim);
        assert_int_equal(facts.open_edges, 4);
        assert_int_equal(facts.open_inside, rows[i].open_inside);
        assert_int_equal(facts.bad_edges, 0);
        assert_int_equal(facts.watertight, rows[i].open_inside == 0);
        assert_false(facts.closed);
        assert_true(facts.area == 1);
        mesh_destroy(&mesh);
    }
}

static void test_bad_edges(void **state)
{
    (void)state;
    static const float places[5][3] = {
        { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }
    };
    const struct {
        uint64_t triangles;
        uint32_t corners[4][3];
        uint64_t open, bad;
    } rows[] = {
        // A bowtie: two triangles that share a vertex only. Open, but not bad.
        { 2, { { 0, 1, 2 }, { 0, 3, 4 } }, 6, 0 },
        // Two that share an edge and agree.
        { 2, { { 0, 1, 2 }, { 1, 0, 3 } }, 4, 0 },
        // Two that share an edge and do not agree.
        { 2, { { 0, 1, 2 }, { 0, 1, 3 } }, 4, 1 },
        // Three at one edge.
        { 3, { { 0, 1, 2 }, { 1, 0, 3 }, { 0, 1, 4 } }, 6, 1 },
        // Four at one edge, two each way.
        { 4, { { 0, 1, 2 }, { 1, 0, 3 }, { 0, 1, 4 }, { 1, 0, 2 } }, 4, 1 },
        // One triangle twice.
        { 2, { { 0, 1, 2 }, { 1, 2, 0 } }, 0, 3 },
        // One triangle and its back: closed, around nothing.
        { 2, { { 0, 1, 2 }, { 0, 2, 1 } }, 0, 0 },
        // A vertex used twice: an edge to itself, and one that goes there and back.
        { 1, { { 0, 1, 1 } }, 0, 1 },
        { 1, { { 2, 2, 2 } }, 0, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mesh mesh = build(5, places, NULL, rows[i].triangles, rows[i].corners);
        const struct mesh_facts facts = measure(&mesh, ANY_DIM);
        assert_int_equal(facts.open_edges, rows[i].open);
        assert_int_equal(facts.bad_edges, rows[i].bad);
        assert_int_equal(facts.closed, rows[i].open + rows[i].bad == 0);
        mesh_destroy(&mesh);
    }
}

static void test_empty(void **state)
{
    (void)state;
    struct mesh mesh = { 0 };
    struct mesh_facts facts = measure(&mesh, ANY_DIM);
    struct problem problem = { 0 };
    assert_true(facts.watertight && facts.closed);
    assert_true(facts.area == 0 && facts.volume == 0);
    assert_true(facts.bounds[0][0] == 0 && facts.bounds[1][2] == 0);
    assert_true(mesh_canonicalize(&mesh, &problem));
}

// --- its place -------------------------------------------------------------------------------

// The largest difference of a triangle's normal from the mean normal of its corners: 1 is none.
static double worst_agreement(const struct mesh *mesh, double least_area)
{
    double worst = 1;
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        const float *a = mesh->positions[t[0]], *b = mesh->positions[t[1]],
                    *c = mesh->positions[t[2]];
        double normal[3], mean[3], dot = 0, size = 0, mean_size = 0;
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] = ((double)b[u] - a[u]) * ((double)c[v] - a[v]) -
                        ((double)b[v] - a[v]) * ((double)c[u] - a[u]);
            mean[k] = mesh->normals[t[0]][k] + mesh->normals[t[1]][k] + mesh->normals[t[2]][k];
            dot += normal[k] * mean[k];
            size += normal[k] * normal[k];
            mean_size += mean[k] * mean[k];
        }
        if (sqrt(size) / 2 > least_area) {
            worst = fmin(worst, dot / sqrt(size * mean_size));
        }
    }
    return worst;
}

static struct mesh_facts measure_placed(const struct mesh *mesh, const struct volume *volume)
{
    struct mesh_facts facts;
    struct problem problem = { 0 };
    struct mesh_tally tally = {
        .dim = { volume->dim[0], volume->dim[1], volume->dim[2] },
        .place = mesh_place_of(volume),
    };
    assert_true(mesh_tally_add(&tally, mesh, mesh->vertex_count, &problem));
    assert_true(mesh_tally_end(&tally, &facts, &problem));
    mesh_tally_destroy(&tally);
    return facts;
}

static void assert_near(double found, double want, double most)
{
    if (!(fabs(found - want) <= most)) {
        fail_msg("%.17g is not within %g of %.17g", found, most, want);
    }
}

static void test_place(void **state)
{
    (void)state;
    const struct {
        const char *what;
        double spacing[3], origin[3], direction[9];
        double stretch; // of volumes, signed
    } rows[] = {
        { "as it is", { 1, 1, 1 }, { 0, 0, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 1 },
        { "spacing and origin", { 0.5, 2, 3 }, { -10, 20, 300 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 3 },
        { "x mirrored", { 2, 1, 1 }, { 7, 8, 9 }, { -1, 0, 0, 0, 1, 0, 0, 0, 1 }, -2 },
        { "y and z swapped", { 1, 2, 3 }, { 0, 0, 0 }, { 1, 0, 0, 0, 0, 1, 0, 1, 0 }, -6 },
        { "turned", { 1, 1, 4 }, { 1, 2, 3 }, { 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1 }, 4 },
        { "slanted", { 1, 1, 1 }, { 0, 0, 0 }, { 1, 0.6, 0, 0, 0.8, 0, 0, 0, 1 }, 0.8 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct volume volume;
        struct mesh grid = ball_mesh(&volume);
        struct mesh mesh = copy(&grid);
        const struct mesh_facts before = measure(&grid, volume.dim);
        const bool mirrored = rows[i].stretch < 0;
        assert_true(before.closed && worst_agreement(&grid, 1e-3) > 0.95);

        memcpy(volume.spacing, rows[i].spacing, sizeof volume.spacing);
        memcpy(volume.origin, rows[i].origin, sizeof volume.origin);
        memcpy(volume.direction, rows[i].direction, sizeof volume.direction);
        const struct mesh_place place = mesh_place_of(&volume);
        double bounds[2][3] = { { INFINITY, INFINITY, INFINITY },
                                { -INFINITY, -INFINITY, -INFINITY } };
        assert_true(place.known && !place.doubles);
        assert_near(place.determinant, rows[i].stretch, 1e-12);
        for (uint64_t v = 0; v < mesh.vertex_count; v++) {
            double size = 0, found[3];
            mesh_place_position(&place, grid.positions[v], found);
            mesh_place_normal(&place, grid.normals[v], mesh.normals[v]);
            for (int r = 0; r < 3; r++) {
                double at = rows[i].origin[r];
                for (int c = 0; c < 3; c++) {
                    at += rows[i].direction[3 * r + c] * rows[i].spacing[c] * grid.positions[v][c];
                }
                assert_near(found[r], at, 1e-12);
                mesh.positions[v][r] = (float)found[r];
                bounds[0][r] = fmin(bounds[0][r], found[r]);
                bounds[1][r] = fmax(bounds[1][r], found[r]);
                size += mesh.normals[v][r] * mesh.normals[v][r];
            }
            assert_near(size, 1, 1e-6);
        }
        for (uint64_t t = 0; t < mesh.triangle_count && mirrored; t++) {
            mesh.triangles[t][1] = grid.triangles[t][2];
            mesh.triangles[t][2] = grid.triangles[t][1];
        }
        // A closed surface still faces out: its volume stays positive, and its normals agree with
        // the triangles however the grid is bent (by a plain matrix they would not).
        const struct mesh_facts placed = measure_placed(&grid, &volume);
        assert_true(placed.closed);
        assert_near(placed.volume, before.volume * fabs(rows[i].stretch), 1e-9 * placed.volume);
        assert_memory_equal(placed.bounds, bounds, sizeof bounds);
        assert_true(worst_agreement(&mesh, 1e-3) > 0.9);
        // The same of a mesh that was moved beforehand, but for the rounding of its floats.
        const struct mesh_facts moved = measure(&mesh, volume.dim);
        assert_near(placed.area, moved.area, 1e-5 * moved.area);
        assert_near(placed.volume, moved.volume, 1e-5 * moved.volume);
        // Another origin does not change a digit of area and volume.
        volume.origin[0] = 615850;
        volume.origin[1] = 5846925;
        const struct mesh_facts far = measure_placed(&grid, &volume);
        assert_true(far.area == placed.area && far.volume == placed.volume);
        mesh_destroy(&mesh);
        mesh_destroy(&grid);
        volume_destroy(&volume);
    }
}

// Files have doubles where half a float step at the farthest corner is more than a thousandth of
// the least spacing. By the corner: 3 or 19 samples, or another origin, decide.
static void test_doubles(void **state)
{
    (void)state;
    static const struct {
        uint32_t dim[3];
        double spacing[3], origin[3], turn, rounding;
        bool doubles;
    } rows[] = {
        { { 9, 9, 9 }, { 1, 1, 1 }, { 0, 0, 0 }, 0, 0x1p-21, false }, // the corner is at 8
        { { 8, 8, 8 }, { 1, 1, 1 }, { 0, 0, 0 }, 0, 0x1p-22, false }, // at 7
        { { 48, 48, 48 }, { 0.25, 0.25, 0.25 }, { 615850, 5846925, 758.5 }, 0, 0.25, true },
        // Coordinates from 2^13 on are rounded by up to 2^-11, the first step beyond 2^-12.
        { { 3, 3, 3 }, { 0x1p-11 * 1e3, 1, 1 }, { -9000, 0, 0 }, 0, 0x1p-11, false },
        { { 3, 3, 3 }, { 0x1p-11 * 999, 1, 1 }, { -9000, 0, 0 }, 0, 0x1p-11, true },
        { { 3, 3, 3 }, { 1, 1, 0x1p-11 * 999 }, { -9000, 0, 0 }, 0, 0x1p-11, true },
        { { 3, 3, 3 }, { 0.25, 1, 1 }, { 8191.25, 0, 0 }, 0, 0x1p-12, false },
        { { 4, 3, 3 }, { 0.25, 1, 1 }, { 8191.25, 0, 0 }, 0, 0x1p-11, true },
        // Only one corner is that far, and only in a turned box.
        { { 3, 3, 3 }, { 0.25, 1, 1 }, { 8190, 0, 0 }, 0, 0x1p-12, false },
        { { 3, 3, 3 }, { 0.25, 1, 1 }, { 8190, 0, 0 }, 1, 0x1p-11, true },
        { { 3, 3, 3 }, { 1e38, 1e38, 1e38 }, { 3e38, 0, 0 }, 0, INFINITY, true },
        { { 2, 2, 2 }, { 1.2e-38, 1.2e-38, 1.2e-38 }, { 0, 0, 0 }, 0, 0x1p-150, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct volume volume;
        volume_describe(rows[i].dim, VOLUME_UINT8, &volume);
        memcpy(volume.spacing, rows[i].spacing, sizeof volume.spacing);
        memcpy(volume.origin, rows[i].origin, sizeof volume.origin);
        if (rows[i].turn != 0) { // the y axis also moves along x
            volume.direction[1] = 0.8;
            volume.direction[4] = 0.6;
        }
        const struct mesh_place place = mesh_place_of(&volume);
        if (place.rounding != rows[i].rounding || place.doubles != rows[i].doubles) {
            fail_msg("row %zu: %a, %d", i, place.rounding, place.doubles);
        }
    }
    assert_false(mesh_place_of(NULL).known || mesh_place_of(NULL).doubles);
}

// Vertices of a canonical mesh whose edges start below slice z.
static uint64_t vertices_below(const struct mesh *mesh, const uint32_t dim[3], uint32_t z)
{
    uint64_t count = 0;
    while (count < mesh->vertex_count && mesh->edges[count] / 3 / dim[0] / dim[1] < z) {
        count++;
    }
    return count;
}

// The mesh in parts of so many layers of cells, each with the vertices of the slice above it.
static struct mesh_facts
measure_in_parts(const struct mesh *mesh, const uint32_t dim[3], uint32_t layers)
{
    struct mesh_tally tally = { .dim = { dim[0], dim[1], dim[2] } };
    struct problem problem = { 0 };
    uint64_t triangle = 0;
    for (uint32_t z = 0; z < dim[2] - 1; z += layers) {
        const uint32_t top = z + layers < dim[2] - 1 ? z + layers : dim[2];
        const uint64_t first = vertices_below(mesh, dim, z), own = vertices_below(mesh, dim, top);
        const uint64_t end = vertices_below(mesh, dim, top + 1), from = triangle;
        while (triangle < mesh->triangle_count && mesh->triangles[triangle][0] < own) {
            triangle++;
        }
        struct mesh part;
        assert_true(mesh_create(end - first, triangle - from, &part, &problem));
        memcpy(part.positions, mesh->positions + first, (end - first) * sizeof *part.positions);
        memcpy(part.edges, mesh->edges + first, (end - first) * sizeof *part.edges);
        for (uint64_t i = from; i < triangle; i++) {
            for (int k = 0; k < 3; k++) {
                part.triangles[i - from][k] = mesh->triangles[i][k] - (uint32_t)first;
            }
        }
        assert_true(mesh_tally_add(&tally, &part, own - first, &problem));
        mesh_destroy(&part);
    }
    struct mesh_facts facts;
    assert_true(mesh_tally_end(&tally, &facts, &problem));
    mesh_tally_destroy(&tally);
    return facts;
}

// The facts do not depend on how the surface is divided into parts, to the last digit.
static void test_parts(void **state)
{
    (void)state;
    const uint32_t dim[3] = { 11, 9, 13 };
    struct problem problem = { 0 };
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct volume volume;
        assert_true(volume_create(dim, VOLUME_UINT8, &volume, &problem));
        uint8_t *samples = volume.samples;
        uint32_t random = seed;
        // From noise to a few balls: many small connected parts, or a few that pass through all
        // parts.
        for (size_t i = 0; i < 11 * 9 * 13; i++) {
            random = random * 1664525 + 1013904223;
            samples[i] = (random >> 24) % (1 + seed) == 0 ? 200 : (uint8_t)(random >> 26);
        }
        struct mesh mesh = extract(&volume, 70.5);
        const struct mesh_facts whole = measure(&mesh, dim);
        assert_true(whole.parts > 1);
        for (uint32_t layers = 1; layers < 13; layers++) {
            const struct mesh_facts parts = measure_in_parts(&mesh, dim, layers);
            assert_memory_equal(&parts, &whole, sizeof whole);
        }
        mesh_destroy(&mesh);
        volume_destroy(&volume);
    }
    // A part announces another part that does not come.
    const uint64_t edges[4] = { 0, 3, 6, 9 };
    struct mesh mesh = build(4, TETRAHEDRON, edges, 4, TETRAHEDRON_CORNERS);
    struct mesh_tally tally = { .dim = { 100, 100, 100 } };
    struct mesh_facts facts;
    assert_true(mesh_tally_add(&tally, &mesh, 2, &problem));
    assert_false(mesh_tally_end(&tally, &facts, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERNAL);
    mesh_tally_destroy(&tally);
    mesh_destroy(&mesh);
}

// --- PLY -------------------------------------------------------------------------------------

struct folder {
    char path[64];
};

static int folder_open(void **state)
{
    struct folder *folder = malloc(sizeof *folder);
    strcpy(folder->path, "/tmp/cubist-mesh-XXXXXX");
    *state = folder;
    return mkdtemp(folder->path) ? 0 : -1;
}

// Also asserts that the tests left no files except their own.
static int folder_close(void **state)
{
    struct folder *folder = *state;
    const int left = rmdir(folder->path);
    free(folder);
    return left;
}

static uint64_t files_in(const char *path)
{
    DIR *open = opendir(path);
    uint64_t count = 0;
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open));) {
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    }
    closedir(open);
    return count;
}

static size_t read_file(const char *path, unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t got = fread(bytes, 1, size, file);
    fclose(file);
    return got;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_ply_bytes(void **state)
{
    const struct folder *folder = *state;
    static const float places[3][3] = { { 0, 1, -2 }, { 0.5f, 0, 0 }, { 1, 1, 3 } };
    static const uint32_t corners[][3] = { { 0, 1, 2 } };
    struct mesh mesh = build(3, places, NULL, 1, corners);
    static const char header[] = "ply\n"
                                 "format binary_little_endian 1.0\n"
                                 "comment made by cubist\n"
                                 "element vertex 3\n"
                                 "property float x\n"
                                 "property float y\n"
                                 "property float z\n"
                                 "property float nx\n"
                                 "property float ny\n"
                                 "property float nz\n"
                                 "element face 1\n"
                                 "property list uchar int vertex_indices\n"
                                 "end_header\n";
    static const unsigned char body[] = {
        0, 0, 0,    0,    0, 0, 0x80, 0x3f, 0, 0, 0,    0xc0,    // 0 1 -2
        0, 0, 0x80, 0x3f, 0, 0, 0,    0,    0, 0, 0,    0,       // normal 1 0 0
        0, 0, 0,    0x3f, 0, 0, 0,    0,    0, 0, 0,    0,       // 0.5 0 0
        0, 0, 0x80, 0x3f, 0, 0, 0,    0,    0, 0, 0,    0,       //
        0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0x40, 0x40,    // 1 1 3
        0, 0, 0x80, 0x3f, 0, 0, 0,    0,    0, 0, 0,    0,       //
        3, 0, 0,    0,    0, 1, 0,    0,    0, 2, 0,    0,    0, //
    };
    char path[100];
    snprintf(path, sizeof path, "%s/mesh.ply", folder->path);
    struct problem problem = { 0 };
    assert_true(mesh_write(&mesh, path, NULL, &problem));
    unsigned char bytes[1000];
    const size_t size = read_file(path, bytes, sizeof bytes);
    assert_int_equal(size, sizeof header - 1 + sizeof body);
    assert_memory_equal(bytes, header, sizeof header - 1);
    assert_memory_equal(bytes + sizeof header - 1, body, sizeof body);
    assert_int_equal(files_in(folder->path), 1);
    assert_int_equal(unlink(path), 0);

    // An empty mesh is a complete file.
    struct mesh empty = { 0 };
    assert_true(mesh_write(&empty, path, NULL, &problem));
    bytes[read_file(path, bytes, sizeof bytes - 1)] = 0;
    assert_non_null(strstr((char *)bytes, "element vertex 0\n"));
    assert_non_null(strstr((char *)bytes, "element face 0\n"));
    assert_int_equal(unlink(path), 0);
    mesh_destroy(&mesh);
}

// More than a block: every record is in its place.
static void test_ply_long(void **state)
{
    const struct folder *folder = *state;
    enum { VERTICES = 10000, TRIANGLES = 9000 };
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(mesh_create(VERTICES, TRIANGLES, &mesh, &problem));
    for (uint32_t i = 0; i < VERTICES; i++) {
        for (int k = 0; k < 3; k++) {
            mesh.positions[i][k] = (float)(3 * i + k);
            mesh.normals[i][k] = -(float)(3 * i + k);
        }
        mesh.edges[i] = i;
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            mesh.triangles[i][k] = (i * 7 + k) % VERTICES;
        }
    }
    char path[100];
    snprintf(path, sizeof path, "%s/mesh.ply", folder->path);
    assert_true(mesh_write(&mesh, path, NULL, &problem));
    const size_t room = 24 * VERTICES + 13 * TRIANGLES + 1000;
    unsigned char *bytes = malloc(room);
    const size_t size = read_file(path, bytes, room);
    const size_t head = size - 24 * VERTICES - 13 * TRIANGLES;
    assert_memory_equal(bytes + head - 11, "end_header\n", 11);
    const unsigned char *at = bytes + head;
    for (uint32_t i = 0; i < VERTICES; i++) {
        for (int k = 0; k < 6; k++, at += 4) {
            float value;
            const uint32_t word =
                at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
            memcpy(&value, &word, 4);
            assert_true(value == (k < 3 ? mesh.positions[i][k] : mesh.normals[i][k - 3]));
        }
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        assert_int_equal(*at++, 3);
        for (int k = 0; k < 3; k++, at += 4) {
            assert_int_equal(at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24, mesh.triangles[i][k]);
        }
    }
    free(bytes);
    assert_int_equal(unlink(path), 0);
    mesh_destroy(&mesh);
}

struct watch {
    double last;
    double stop_at;
    int calls;
};

static bool watch(void *user, double share)
{
    struct watch *seen = user;
    assert_true(share >= seen->last && share <= 1);
    seen->last = share;
    seen->calls++;
    return share < seen->stop_at;
}

// A write that fails or is stopped keeps the old file and leaves nothing beside it.
static void test_ply_fails(void **state)
{
    const struct folder *folder = *state;
    struct volume volume;
    struct mesh mesh = noise_mesh(&volume);
    struct problem problem = { 0 };
    char path[100];
    snprintf(path, sizeof path, "%s/mesh.ply", folder->path);

    // To the end, then stopped half-way.
    struct watch seen = { .stop_at = 2 };
    struct progress progress = { watch, &seen };
    const struct mesh_write_params params = { .progress = &progress };
    assert_true(mesh_write(&mesh, path, &params, &problem));
    assert_true(seen.calls >= 2 && seen.last == 1);
    write_file(path, "the old one");
    seen = (struct watch){ .stop_at = 0.3 };
    assert_false(mesh_write(&mesh, path, &params, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    assert_int_equal(files_in(folder->path), 1);
    char bytes[100] = { 0 };
    read_file(path, (unsigned char *)bytes, sizeof bytes - 1);
    assert_string_equal(bytes, "the old one");

    // No room on the disk.
    assert_false(mesh_write(&mesh, "/dev/full", NULL, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_non_null(strstr(problem.text, "/dev/full"));

    // A file may not grow beyond 50 KiB.
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 50 << 10;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    problem.kind = PROBLEM_NONE;
    const bool written = mesh_write(&mesh, path, NULL, &problem);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_int_equal(files_in(folder->path), 1);
    read_file(path, (unsigned char *)bytes, sizeof bytes - 1);
    assert_string_equal(bytes, "the old one");
    assert_int_equal(unlink(path), 0);

    // No such folder.
    snprintf(path, sizeof path, "%s/none/mesh.ply", folder->path);
    assert_false(mesh_write(&mesh, path, NULL, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    mesh_destroy(&mesh);
    volume_destroy(&volume);
}

// More vertices than an int can name: refused before the target is touched.
static void test_ply_limit(void **state)
{
    const struct folder *folder = *state;
    char path[100];
    snprintf(path, sizeof path, "%s/mesh.ply", folder->path);
    const struct mesh mesh = { .vertex_count = UINT64_C(1) << 31 };
    struct problem problem = { 0 };
    assert_false(mesh_write(&mesh, path, NULL, &problem));
    assert_int_equal(problem.kind, PROBLEM_LIMIT);
    assert_non_null(strstr(problem.text, "2147483648 vertices"));
    assert_int_equal(files_in(folder->path), 0);
}

// --- beside another --------------------------------------------------------------------------

static void test_compare(void **state)
{
    (void)state;
    struct volume volume;
    struct mesh want = noise_mesh(&volume);
    struct mesh_difference d;
    assert_true(mesh_compare(&want, &want, NULL, &d));
    assert_true(d.vertices_equal && d.edges_equal && d.positions_equal && d.normals_equal);
    assert_true(d.triangles_equal && d.worst_position == 0 && d.worst_normal == 0);
    assert_string_equal(d.text, "");

    // A vertex moved, within the tolerance and beyond.
    struct mesh mesh = copy(&want);
    mesh.positions[17][1] += 5e-5f;
    assert_true(mesh_compare(&want, &mesh, NULL, &d));
    assert_true(fabs(d.worst_position - 5e-5) < 2e-6);
    assert_false(mesh_compare(&want, &mesh, &(struct mesh_tolerance){ .position = 1e-5 }, &d));
    mesh.positions[17][1] += 0.25f;
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_true(d.vertices_equal && d.edges_equal && d.normals_equal && d.triangles_equal);
    assert_false(d.positions_equal);
    assert_int_equal(d.positions_off, 1);
    assert_int_equal(d.first, 17);
    assert_non_null(strstr(d.text, "vertex 17 "));
    assert_true(fabs(d.worst_position - 0.25) < 1e-3);
    mesh.positions[17][1] = NAN;
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_false(d.positions_equal);
    assert_true(isnan(d.worst_position));
    mesh_destroy(&mesh);

    // Far out a float has no 1e-4 to give: one step of it is no difference.
    struct mesh far = copy(&want);
    mesh = copy(&want);
    far.positions[5][0] = 2000.25f;
    mesh.positions[5][0] = nextafterf(2000.25f, 3000);
    assert_true(mesh.positions[5][0] - far.positions[5][0] > 1e-4f);
    assert_true(mesh_compare(&far, &mesh, NULL, &d));
    mesh.positions[5][0] = 2000.251f;
    assert_false(mesh_compare(&far, &mesh, NULL, &d));
    mesh_destroy(&far);
    mesh_destroy(&mesh);

    // A normal turned.
    mesh = copy(&want);
    for (int k = 0; k < 3; k++) {
        mesh.normals[99][k] = -mesh.normals[99][k];
    }
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_true(d.edges_equal && d.positions_equal && d.triangles_equal && !d.normals_equal);
    assert_int_equal(d.first, 99);
    assert_true(fabs(d.worst_normal - 2) < 1e-5);
    mesh.normals[99][0] = NAN;
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_false(d.normals_equal);
    mesh_destroy(&mesh);

    // A triangle turned over; its last gone; an index that leads nowhere.
    mesh = copy(&want);
    mesh.triangles[50][1] = want.triangles[50][2];
    mesh.triangles[50][2] = want.triangles[50][1];
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_true(d.vertices_equal && d.edges_equal && d.positions_equal && d.normals_equal);
    assert_false(d.triangles_equal);
    assert_int_equal(d.triangles_off, 2); // one is missing, one is not expected
    assert_non_null(strstr(d.text, "triangle 50 "));
    mesh_destroy(&mesh);
    mesh = copy(&want);
    mesh.triangle_count--;
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_int_equal(d.triangles_off, 1);
    assert_int_equal(d.first, want.triangle_count - 1);
    assert_non_null(strstr(d.text, "is missing"));
    assert_false(mesh_compare(&mesh, &want, NULL, &d));
    assert_non_null(strstr(d.text, "is not expected"));
    mesh.triangles[3][2] = UINT32_MAX;
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_false(d.triangles_equal);
    mesh_destroy(&mesh);

    // A vertex and its triangles gone, as where a cell was dropped: all else still fits.
    mesh = copy(&want);
    const uint32_t gone = 40;
    uint64_t kept = 0, dropped;
    for (uint64_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t *t = want.triangles[i];
        if (t[0] == gone || t[1] == gone || t[2] == gone) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            mesh.triangles[kept][k] = t[k] - (t[k] > gone);
        }
        kept++;
    }
    dropped = mesh.triangle_count - kept;
    mesh.triangle_count = kept;
    mesh.vertex_count--;
    memmove(
        mesh.positions + gone, mesh.positions + gone + 1,
        (mesh.vertex_count - gone) * sizeof *mesh.positions);
    memmove(
        mesh.normals + gone, mesh.normals + gone + 1,
        (mesh.vertex_count - gone) * sizeof *mesh.normals);
    memmove(
        mesh.edges + gone, mesh.edges + gone + 1, (mesh.vertex_count - gone) * sizeof *mesh.edges);
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_false(d.vertices_equal || d.edges_equal || d.triangles_equal);
    assert_true(d.positions_equal && d.normals_equal);
    assert_int_equal(d.edges_missing, 1);
    assert_int_equal(d.edges_surplus, 0);
    assert_int_equal(d.triangles_off, dropped);
    assert_int_equal(d.first, gone);
    assert_non_null(strstr(d.text, "is missing"));
    assert_false(mesh_compare(&mesh, &want, NULL, &d));
    assert_int_equal(d.edges_surplus, 1);
    assert_non_null(strstr(d.text, "is not expected"));
    mesh_destroy(&mesh);

    // As many vertices, one on another edge.
    mesh = copy(&want);
    mesh.edges[mesh.vertex_count - 1] += 30;
    assert_false(mesh_compare(&want, &mesh, NULL, &d));
    assert_true(d.vertices_equal);
    assert_false(d.edges_equal || d.triangles_equal);
    mesh_destroy(&mesh);
    mesh_destroy(&want);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_canonical_far_edges),
        cmocka_unit_test(test_canonical_cancelled),
        cmocka_unit_test(test_canonical_in_little_memory),
        cmocka_unit_test(test_wheel),
        cmocka_unit_test(test_wild_index),
        cmocka_unit_test(test_tetrahedron),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_open_patch),
        cmocka_unit_test(test_bad_edges),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_parts),
        cmocka_unit_test_setup_teardown(test_ply_bytes, folder_open, folder_close),
        cmocka_unit_test_setup_teardown(test_ply_long, folder_open, folder_close),
        cmocka_unit_test_setup_teardown(test_ply_fails, folder_open, folder_close),
        cmocka_unit_test_setup_teardown(test_ply_limit, folder_open, folder_close),
        cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
