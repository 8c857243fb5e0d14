// ctest: heavy
// Meshes that are written while they are made: the bytes equal those of the mesh written at once,
// whatever the parts; and nothing is left behind after a failure.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/mesh/mesh_writer.h"
#include "compute/reference/reference.h"
#include "tests/scratch.h"
#include "volumes/generate.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

static uint32_t random_state = 2463534242u;

static uint32_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

// Noise: every case of the tables.
static struct volume noise(void)
{
    struct volume volume;
    struct problem problem;
    assert_true(volume_create((uint32_t[]){ 9, 8, 11 }, VOLUME_FLOAT32, &volume, &problem));
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        ((float *)volume.samples)[i] = (float)(draw() % 1000);
    }
    return volume;
}

// Parts of any size, vertices and triangles in turns.
static void put(struct mesh_writer *writer, const struct mesh *mesh)
{
    struct problem problem = { 0 };
    for (uint64_t v = 0, t = 0; v < mesh->vertex_count || t < mesh->triangle_count;) {
        uint64_t corners[100][3], vertices = draw() % 100, triangles = draw() % 100;
        vertices = vertices < mesh->vertex_count - v ? vertices : mesh->vertex_count - v;
        triangles = triangles < mesh->triangle_count - t ? triangles : mesh->triangle_count - t;
        for (uint64_t i = 0; i < triangles; i++) {
            for (int k = 0; k < 3; k++) {
                corners[i][k] = mesh->triangles[t + i][k];
            }
        }
        assert_true(mesh_writer_vertices(
            writer, vertices, (const float(*)[3])mesh->positions + v,
            (const float(*)[3])mesh->normals + v, &problem));
        assert_true(
            mesh_writer_triangles(writer, triangles, (const uint64_t(*)[3])corners, &problem));
        v += vertices;
        t += triangles;
    }
}

static struct mesh surface_of(const struct volume *volume, double iso)
{
    struct mesh mesh;
    struct problem problem;
    assert_true(reference_extract(volume, iso, NULL, &mesh, &problem));
    assert_true(mesh.triangle_count > 20);
    return mesh;
}

// Every format, in grid units, with a mirroring affine, and far away: the file of mesh_write.
static void same_files(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise();
    volume.spacing[1] = 2.5;
    volume.origin[2] = -7;
    volume.direction[0] = -1; // mirrors
    volume.frame = VOLUME_FRAME_LPS;
    mkdir(scratch("files"), 0700);
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        for (int placed = 0; placed < 3; placed++) {
            struct mesh mesh = surface_of(&volume, 500.5);
            volume.origin[1] = placed == 2 ? 5846925 : 0;
            const struct mesh_write_params at_once = {
                .format = row,
                .volume = placed ? &volume : NULL,
            };
            if (!mesh_write(&mesh, scratch("files/whole"), &at_once, &problem)) {
                fail_msg("%s", problem.text);
            }
            struct mesh_writer writer;
            const struct mesh_write_params params = {
                .format = row,
                .volume = placed ? &volume : NULL,
            };
            if (!mesh_writer_open(scratch("files/joined"), &params, &writer, &problem)) {
                fail_msg("%s", problem.text);
            }
            put(&writer, &mesh);
            mesh_destroy(&mesh);
            if (!mesh_writer_commit(&writer, NULL, &problem)) {
                fail_msg("%s", problem.text);
            }
            size_t sizes[2];
            unsigned char *expected = scratch_read(scratch("files/whole"), &sizes[0]);
            unsigned char *joined = scratch_read(scratch("files/joined"), &sizes[1]);
            assert_int_equal(sizes[0], sizes[1]);
            assert_memory_equal(expected, joined, sizes[0]);
            free(expected);
            free(joined);
            assert_int_equal(scratch_count(scratch("files")), 2);
        }
    }
    volume_destroy(&volume);
}

// A mesh that is the whole surface takes the short path; two parts that share vertices take the
// long one.
static void parts_of_a_surface(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise();
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        struct mesh whole = surface_of(&volume, 500.5);
        const struct mesh_write_params at_once = { .format = row };
        const struct mesh_write_params params = { .format = row };
        assert_true(mesh_write(&whole, scratch("whole"), &at_once, &problem));
        size_t sizes[2];
        unsigned char *expected = scratch_read(scratch("whole"), &sizes[0]);
        for (int parts = 1; parts <= 2; parts++) {
            struct mesh_writer writer;
            assert_true(mesh_writer_open(scratch("parts"), &params, &writer, &problem));
            const uint64_t half = parts == 2 ? whole.vertex_count / 2 : 0;
            if (parts == 2) {
                struct mesh first = whole; // all of the triangles, and all of their vertices
                assert_true(mesh_writer_part(&writer, &first, half, 0, false, &problem));
                assert_ptr_equal(first.positions, whole.positions);
            }
            struct mesh last;
            assert_true(mesh_create(whole.vertex_count - half, 0, &last, &problem));
            if (parts == 1) {
                mesh_destroy(&last);
                last = surface_of(&volume, 500.5);
            } else {
                memcpy(last.positions, whole.positions + half, last.vertex_count * 12);
                memcpy(last.normals, whole.normals + half, last.vertex_count * 12);
            }
            const uint64_t own = last.vertex_count;
            assert_true(mesh_writer_part(&writer, &last, own, half, true, &problem));
            assert_true((last.positions == NULL) == (parts == 1)); // taken over
            mesh_destroy(&last);
            assert_true(mesh_writer_commit(&writer, NULL, &problem));
            unsigned char *found = scratch_read(scratch("parts"), &sizes[1]);
            assert_int_equal(sizes[0], sizes[1]);
            assert_memory_equal(expected, found, sizes[0]);
            free(found);
        }
        free(expected);
        mesh_destroy(&whole);
    }
    volume_destroy(&volume);
}

// More vertices than the writer's buffers and a page of its cache, and triangles with distant
// vertices. Also an empty mesh.
static void sizes(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    static const uint64_t counts[][2] = { { 0, 0 }, { 1, 0 }, { 700000, 90000 } };
    for (int c = 0; c < 3; c++) {
        struct mesh mesh;
        const uint64_t vertices = counts[c][0], triangles = counts[c][1];
        assert_true(mesh_create(vertices, triangles, &mesh, &problem));
        uint64_t(*corners)[3] = malloc((triangles + 1) * sizeof *corners);
        for (uint64_t i = 0; i < vertices; i++) {
            for (int k = 0; k < 3; k++) {
                mesh.positions[i][k] = (float)(draw() % 4096) / 16;
                mesh.normals[i][k] = (float)(draw() % 4096) / 4096;
            }
        }
        for (uint64_t i = 0; i < triangles; i++) {
            for (int k = 0; k < 3; k++) {
                mesh.triangles[i][k] = (uint32_t)(draw() % vertices);
                corners[i][k] = mesh.triangles[i][k];
            }
        }
        for (const struct mesh_format *row = mesh_formats; row->name; row++) {
            const struct mesh_write_params at_once = { .format = row };
            const struct mesh_write_params params = { .format = row };
            struct mesh_writer writer;
            assert_true(mesh_write(&mesh, scratch("at_once"), &at_once, &problem));
            assert_true(mesh_writer_open(scratch("pieces"), &params, &writer, &problem));
            // Triangles may come before what they name.
            assert_true(
                mesh_writer_triangles(&writer, triangles, (const uint64_t(*)[3])corners, &problem));
            assert_true(mesh_writer_vertices(
                &writer, vertices, (const float(*)[3])mesh.positions,
                (const float(*)[3])mesh.normals, &problem));
            assert_true(mesh_writer_commit(&writer, NULL, &problem));
            size_t bytes[2] = { 0 };
            unsigned char *expected = scratch_read(scratch("at_once"), &bytes[0]);
            unsigned char *pieces = scratch_read(scratch("pieces"), &bytes[1]);
            assert_int_equal(bytes[0], bytes[1]);
            assert_true(memcmp(expected, pieces, bytes[0]) == 0);
            free(expected);
            free(pieces);
        }
        free(corners);
        mesh_destroy(&mesh);
    }
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

// Opens the writer over an old file, and adds 5,000 vertices and 10,000 triangles.
static struct mesh_writer begun(const struct mesh_format *format)
{
    static const float vertex[5000][3];
    static uint64_t corners[10000][3];
    struct mesh_writer writer;
    struct problem problem = { 0 };
    const struct mesh_write_params params = { .format = format };
    for (int i = 0; i < 10000; i++) {
        corners[i][2] = 4999;
    }
    scratch_write("folder/mesh", "the old one", 11);
    assert_true(mesh_writer_open(scratch("folder/mesh"), &params, &writer, &problem));
    assert_true(mesh_writer_vertices(&writer, 5000, vertex, vertex, &problem));
    assert_true(mesh_writer_triangles(&writer, 10000, (const uint64_t(*)[3])corners, &problem));
    return writer;
}

static void the_old_one_is_left(void)
{
    size_t size;
    unsigned char *bytes = scratch_read(scratch("folder/mesh"), &size);
    assert_int_equal(size, 11);
    assert_memory_equal(bytes, "the old one", 11);
    free(bytes);
    assert_int_equal(scratch_count(scratch("folder")), 1);
}

static void failures(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    static const float vertex[1][3];
    static const uint64_t far[1][3] = { { 0, 1, 5000 } };
    mkdir(scratch("folder"), 0700);
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        // Dropped, in the middle.
        struct mesh_writer writer = begun(row);
        mesh_writer_abort(&writer);
        mesh_writer_abort(&writer);
        the_old_one_is_left();
        // Cancelled while it is put together.
        int left = 3;
        const struct progress progress = { stop, &left };
        writer = begun(row);
        assert_false(mesh_writer_commit(&writer, &progress, &problem));
        assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
        the_old_one_is_left();
        // A vertex that never comes.
        writer = begun(row);
        assert_true(mesh_writer_triangles(&writer, 1, far, &problem));
        assert_false(mesh_writer_commit(&writer, NULL, &problem));
        assert_int_equal(problem.kind, PROBLEM_INTERNAL);
        assert_non_null(strstr(problem.text, "vertex 5000, but it has 5000 vertices"));
        the_old_one_is_left();
        // No room: the parts reach a limit of the file's size; a full device is noticed at the end.
        struct rlimit limit, none;
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &none);
        writer = begun(row);
        limit = (struct rlimit){ 1000, none.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
        const bool fine = mesh_writer_commit(&writer, NULL, &problem);
        setrlimit(RLIMIT_FSIZE, &none);
        assert_false(fine);
        assert_int_equal(problem.kind, PROBLEM_OUTPUT);
        assert_non_null(strstr(problem.text, "temporary files: File too large"));
        the_old_one_is_left();
        const struct mesh_write_params params = { .format = row };
        assert_true(mesh_writer_open("/dev/full", &params, &writer, &problem));
        assert_true(mesh_writer_vertices(&writer, 1, vertex, vertex, &problem));
        assert_false(mesh_writer_commit(&writer, NULL, &problem));
        assert_int_equal(problem.kind, PROBLEM_OUTPUT);
        assert_false(mesh_writer_open(scratch("none/mesh"), &params, &writer, &problem));
        assert_int_equal(problem.kind, PROBLEM_OUTPUT);
        mesh_writer_abort(&writer);
    }
}

// Refused with the first part that is too much, not at the end.
static void limits(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint64_t vertices, triangles; // that are there before one more
        bool last_is_vertex;
        const char *says;
    } cases[] = {
        { "ply", INT32_MAX, 0, true, "2147483648 vertices" },
        { "stl", 3, UINT32_MAX, false, "4294967296 triangles" },
        { "glb", 3, UINT32_MAX / 12, false, "4 GiB" },
    };
    static const float vertex[1][3];
    static const uint64_t triangle[1][3];
    mkdir(scratch("folder"), 0700);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct problem problem = { 0 };
        struct mesh_writer writer = begun(mesh_format_find(cases[i].format));
        writer.vertex_count = cases[i].vertices;
        writer.triangle_count = cases[i].triangles;
        assert_false(
            cases[i].last_is_vertex ? mesh_writer_vertices(&writer, 1, vertex, vertex, &problem)
                                    : mesh_writer_triangles(&writer, 1, triangle, &problem));
        assert_int_equal(problem.kind, PROBLEM_LIMIT);
        assert_non_null(strstr(problem.text, cases[i].says));
        mesh_writer_abort(&writer);
        the_old_one_is_left();
    }
    // Those that count in 64 bits go on.
    struct problem problem = { 0 };
    struct mesh_writer writer = begun(mesh_format_find("vtp"));
    writer.vertex_count = writer.triangle_count = UINT64_C(1) << 33;
    assert_true(mesh_writer_vertices(&writer, 1, vertex, vertex, &problem));
    assert_true(mesh_writer_triangles(&writer, 1, triangle, &problem));
    mesh_writer_abort(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_files), cmocka_unit_test(parts_of_a_surface),
        cmocka_unit_test(sizes),      cmocka_unit_test(failures),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
