// Area, volume, connected parts and Euler number of surfaces whose true values are known: the
// errors are small and shrink with the square of the spacing, and the counts are right on every
// grid.

#include "compute/mesh/mesh_facts.h"
#include "compute/reference/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

// Distance to the surface from inside, negative outside, at a point of the world.
typedef double solid(const double p[3]);

static double ball(const double p[3])
{
    return 1 - sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

// Around an axis that is no axis of the grid.
static double torus(const double p[3])
{
    const double axis[3] = { 2. / 7, 3. / 7, 6. / 7 };
    const double along = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    double across = 0;
    for (int k = 0; k < 3; k++) {
        across += (p[k] - along * axis[k]) * (p[k] - along * axis[k]);
    }
    return 0.35 - hypot(sqrt(across) - 0.8, along);
}

static double shell(const double p[3])
{
    return fmin(ball(p), -(ball(p) - 0.5)); // between the radii 0.5 and 1
}

static double two_balls(const double p[3])
{
    const double left[3] = { (p[0] + 0.6) * 2, p[1] * 2, p[2] * 2 };
    const double right[3] = { (p[0] - 0.6) * 2, p[1] * 2, p[2] * 2 };
    return fmax(ball(left), ball(right)) / 2;
}

// Two rings that share a side: genus 2.
static double ring(double x, double y, double z)
{
    return 0.2 - hypot(hypot(x, y) - 0.5, z);
}

static double double_torus(const double p[3])
{
    return fmax(ring(p[0] - 0.5, p[1], p[2]), ring(p[0] + 0.5, p[1], p[2]));
}

static double half_ball(const double p[3])
{
    const double shifted[3] = { p[0], p[1], p[2] + 1.25 }; // its centre on the grid's border
    return ball(shifted);
}

static double pipe(const double p[3])
{
    return 0.7 - hypot(p[0], p[1]); // leaves the grid at both ends
}

static double nothing(const double p[3])
{
    (void)p;
    return -1;
}

// The facts of a solid, sampled with `samples` along the shortest axis in a box of 2.5 along each
// axis. Spacing and origin map the grid to the coordinates of the solid; optionally mirrored along
// x.
static struct mesh_facts measure(solid *shape, uint32_t samples, bool mirrored)
{
    struct volume volume;
    struct mesh mesh;
    struct mesh_facts facts;
    struct problem problem = { 0 };
    // Different spacings along the axes: nothing may depend on cubes.
    const uint32_t dim[3] = { samples, samples + samples / 3, 2 * samples };
    assert_true(volume_create(dim, VOLUME_FLOAT32, &volume, &problem));
    for (int k = 0; k < 3; k++) {
        volume.spacing[k] = 2.5 / (dim[k] - 1);
        volume.origin[k] = k == 0 && mirrored ? 1.25 : -1.25;
    }
    volume.direction[0] = mirrored ? -1 : 1;
    uint64_t i = 0;
    for (uint32_t z = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            for (uint32_t x = 0; x < dim[0]; x++, i++) {
                const double p[3] = {
                    volume.origin[0] + volume.direction[0] * x * volume.spacing[0],
                    volume.origin[1] + y * volume.spacing[1],
                    volume.origin[2] + z * volume.spacing[2],
                };
                ((float *)volume.samples)[i] = (float)shape(p);
            }
        }
    }
    assert_true(reference_extract(&volume, 0, NULL, &mesh, &problem));
    struct mesh_tally tally = {
        .dim = { volume.dim[0], volume.dim[1], volume.dim[2] },
        .place = mesh_place_of(&volume),
    };
    assert_true(
        mesh_tally_add(&tally, &mesh, mesh.vertex_count, &problem) &&
        mesh_tally_end(&tally, &facts, &problem));
    mesh_tally_destroy(&tally);
    mesh_destroy(&mesh);
    volume_destroy(&volume);
    return facts;
}

static void check_error(const char *what, double found, double want, double *before, double most)
{
    const double error = fabs(found / want - 1);
    if (error > most || error > *before / 3) {
        fail_msg(
            "%s is %.9g, should be %.9g: error %.3g, on the grid before %.3g, allowed %.3g", what,
            found, want, error, *before, most);
    }
    *before = error;
}

// Half the spacing gives a quarter of the error; the test requires a third.
static void converge(solid *shape, double area, double volume, uint64_t parts, int64_t euler)
{
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        double area_error = 1, volume_error = 1, most = 0.04;
        for (uint32_t samples = 16; samples <= 64; samples *= 2, most /= 3) {
            const struct mesh_facts facts = measure(shape, samples, mirrored);
            assert_true(facts.closed && facts.watertight);
            assert_int_equal(facts.parts, parts);
            assert_int_equal(facts.euler, euler);
            check_error("the area", facts.area, area, &area_error, most);
            check_error("the volume", facts.volume, volume, &volume_error, most);
        }
    }
}

static void test_ball(void **state)
{
    (void)state;
    converge(ball, 4 * PI, 4. / 3 * PI, 1, 2);
}

static void test_torus(void **state)
{
    (void)state;
    converge(torus, 4 * PI * PI * 0.8 * 0.35, 2 * PI * PI * 0.8 * 0.35 * 0.35, 1, 0);
}

static void test_shell(void **state)
{
    (void)state;
    converge(shell, 4 * PI * 1.25, 4. / 3 * PI * 0.875, 2, 4);
}

static void test_two_balls(void **state)
{
    (void)state;
    converge(two_balls, 2 * PI, PI / 3, 2, 4);
}

static void test_counts(void **state)
{
    (void)state;
    static const struct {
        solid *shape;
        uint64_t parts;
        int64_t euler;
        bool closed;
    } cases[] = {
        { double_torus, 1, -2, true },
        { half_ball, 1, 1, false },
        { pipe, 1, 0, false },
        { nothing, 0, 0, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint32_t samples = 20; samples <= 40; samples += 5) {
            const struct mesh_facts facts = measure(cases[i].shape, samples, samples % 2);
            assert_int_equal(facts.parts, cases[i].parts);
            assert_int_equal(facts.euler, cases[i].euler);
            assert_true(facts.closed == cases[i].closed);
            assert_true(facts.watertight);
        }
    }
}

static struct mesh_facts
facts_of(uint64_t vertices, uint64_t triangles, const uint32_t (*corners)[3])
{
    struct mesh mesh;
    struct mesh_facts facts;
    struct problem problem = { 0 };
    assert_true(mesh_create(vertices, triangles, &mesh, &problem));
    memset(mesh.positions, 0, vertices * sizeof *mesh.positions);
    memset(mesh.normals, 0, vertices * sizeof *mesh.normals);
    for (uint64_t i = 0; i < vertices; i++) {
        mesh.edges[i] = 3 * i;
    }
    memcpy(mesh.triangles, corners, triangles * sizeof *corners);
    assert_true(mesh_facts(&mesh, (const uint32_t[3]){ 100, 100, 100 }, &facts, &problem));
    mesh_destroy(&mesh);
    return facts;
}

// Meshes made by hand, with the worst order of triangles for finding connected parts.
static void test_parts_by_hand(void **state)
{
    (void)state;
    // Three separate triangles, joined by a fourth one. A vertex that no triangle names does not
    // count.
    static const uint32_t joined[][3] = { { 0, 1, 2 }, { 7, 8, 9 }, { 4, 5, 6 }, { 2, 4, 7 } };
    struct mesh_facts facts = facts_of(11, 3, joined);
    assert_int_equal(facts.parts, 3);
    assert_int_equal(facts.euler, 3);
    facts = facts_of(11, 4, joined);
    assert_int_equal(facts.parts, 1);
    assert_int_equal(facts.euler, 9 - 12 + 4);
    // A strip from its far end, and one whose halves join last.
    enum { STRIP = 5000 };
    static uint32_t strip[STRIP][3];
    for (uint32_t i = 0; i < STRIP; i++) {
        const uint32_t at = STRIP - 1 - i;
        memcpy(strip[i], (const uint32_t[3]){ at, at + 1, at + 2 }, sizeof strip[i]);
    }
    facts = facts_of(STRIP + 2, STRIP, (const uint32_t(*)[3])strip);
    assert_int_equal(facts.parts, 1);
    assert_int_equal(facts.euler, 1);
    for (uint32_t i = 0; i < STRIP; i++) {
        const uint32_t at = i < STRIP / 2 ? 2 * i : 2 * (i - STRIP / 2) + 1;
        memcpy(strip[i], (const uint32_t[3]){ at, at + 1, at + 2 }, sizeof strip[i]);
    }
    facts = facts_of(STRIP + 2, STRIP, (const uint32_t(*)[3])strip);
    assert_int_equal(facts.parts, 1);
    assert_int_equal(facts.euler, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),   cmocka_unit_test(test_torus),
        cmocka_unit_test(test_shell),  cmocka_unit_test(test_two_balls),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_parts_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
