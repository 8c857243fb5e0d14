// What the python readers of test_mesh_files.py cannot test: frames, limits, locales, and failing
// writes, for every format of the table.

#include "compute/mesh/mesh_writer.h"
#include "tests/scratch.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const float PLACES[5][3] = {
    { 0, 0, 0 }, { 1.5f, 0, 0 }, { 0, 1, 0 }, { 0, 0, -3.25f }, { 0.1f, 1e-30f, 16777216 }
};
// The third names one corner twice, the fourth has its corners in a line.
static const uint32_t CORNERS[][3] = { { 0, 1, 2 }, { 0, 3, 4 }, { 1, 1, 2 }, { 0, 1, 0 } };

static struct mesh build(void)
{
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(mesh_create(5, 4, &mesh, &problem));
    memcpy(mesh.positions, PLACES, sizeof PLACES);
    for (uint64_t i = 0; i < 5; i++) {
        memcpy(mesh.normals[i], (const float[3]){ 0, -0.6f, 0.8f }, sizeof *mesh.normals);
        mesh.edges[i] = 3 * i;
    }
    memcpy(mesh.triangles, CORNERS, sizeof CORNERS);
    return mesh;
}

static unsigned char *written(
    const struct mesh *mesh, const struct mesh_format *format, enum volume_frame frame,
    size_t *size)
{
    struct problem problem = { 0 };
    struct volume volume;
    volume_describe((const uint32_t[3]){ 4, 4, 4 }, VOLUME_UINT8, &volume);
    volume.frame = frame;
    const struct mesh_write_params params = { .format = format, .volume = &volume };
    const char *path = scratch("mesh");
    if (!mesh_write(mesh, path, &params, &problem)) {
        fail_msg("%s: %s", format->name, problem.text);
    }
    unsigned char *bytes = scratch_read(path, size);
    assert_non_null(bytes);
    return bytes;
}

static bool has(const unsigned char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

static void test_choice(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    static const struct {
        const char *path, *name;
    } right[] = {
        { "a.ply", "ply" },       { "a.stl", "stl" },           { "a.b.OBJ", "obj" },
        { "x/y.z/a.glb", "glb" }, { "a_64x64.raw.vtp", "vtp" }, { "-", "ply" },
        { "bare", "ply" },        { "dir.stl/bare", "ply" },    { ".hidden", "ply" },
        { "dot.", "ply" },
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        const struct mesh_format *format = mesh_format_of(right[i].path, &problem);
        assert_non_null(format);
        assert_string_equal(format->name, right[i].name);
    }
    static const char *const wrong[] = {
        "a.xyz", "a.ply.gz", "a.pl", "a.plyx", "a.gltf", ".h.raw"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(mesh_format_of(wrong[i], &problem));
        assert_int_equal(problem.kind, PROBLEM_USAGE);
        for (const struct mesh_format *row = mesh_formats; row->name; row++) {
            assert_non_null(strstr(problem.text, row->extension)); // says what there is
        }
    }
    assert_non_null(mesh_format_find("Vtp"));
    assert_null(mesh_format_find(""));
    assert_null(mesh_format_find("pl"));
}

// Formats without comments for SPACE=LPS. tests/mesh_files.py has the same list.
static const char *const no_comments[] = { "glb", "vtp" };

static bool has_comments(const struct mesh_format *format)
{
    for (size_t i = 0; i < sizeof no_comments / sizeof *no_comments; i++) {
        if (strcmp(format->name, no_comments[i]) == 0) {
            return false;
        }
    }
    return true;
}

static void test_frames(void **state)
{
    (void)state;
    static const char turn[] = "\"matrix\":[1,0,0,0,0,0,-1,0,0,1,0,0,0,0,0,1]";
    struct mesh mesh = build();
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        const bool comments = has_comments(row);
        size_t sizes[3];
        unsigned char *bytes[3];
        for (int frame = 0; frame < 3; frame++) {
            bytes[frame] = written(&mesh, row, (enum volume_frame)frame, &sizes[frame]);
        }
        assert_false(has(bytes[VOLUME_FRAME_UNSAID], sizes[0], "SPACE="));
        assert_false(has(bytes[VOLUME_FRAME_UNSAID], sizes[0], "matrix"));
        assert_true(has(bytes[VOLUME_FRAME_LPS], sizes[1], "SPACE=LPS") == comments);
        assert_true(has(bytes[VOLUME_FRAME_RAS], sizes[2], "SPACE=RAS") == comments);
        if (strcmp(row->name, "glb") == 0) {
            assert_true(has(bytes[VOLUME_FRAME_LPS], sizes[1], turn));
            assert_true(has(bytes[VOLUME_FRAME_RAS], sizes[2], turn));
        }
        if (strcmp(row->name, "ply") == 0) {
            assert_true(has(bytes[VOLUME_FRAME_LPS], sizes[1], "\ncomment SPACE=LPS\n"));
        }
        if (strcmp(row->name, "obj") == 0) {
            assert_true(has(bytes[VOLUME_FRAME_LPS], sizes[1], "\n# SPACE=LPS\n"));
        }
        if (strcmp(row->name, "stl") == 0) {
            assert_true(has(bytes[VOLUME_FRAME_LPS], 80, "SPACE=LPS"));
            assert_int_equal(sizes[1], 84 + 50 * 2); // two of four have an area
        }
        for (int frame = 0; frame < 3; frame++) {
            free(bytes[frame]);
        }
    }
    mesh_destroy(&mesh);
}

// No decimal comma and no digit grouping gets into a file.
static void test_locale(void **state)
{
    (void)state;
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                         "da_DK.UTF-8" };
    struct mesh mesh = build();
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        found = setlocale(LC_ALL, names[i]) ? names[i] : NULL;
    }
    if (!found) {
        print_message("not tried: no locale with a decimal comma is installed\n");
        mesh_destroy(&mesh);
        skip();
    }
    char text[20];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        size_t sizes[2];
        unsigned char *here = written(&mesh, row, VOLUME_FRAME_LPS, &sizes[0]);
        setlocale(LC_ALL, "C");
        unsigned char *plain = written(&mesh, row, VOLUME_FRAME_LPS, &sizes[1]);
        assert_non_null(setlocale(LC_ALL, found));
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(here, plain, sizes[0]);
        free(here);
        free(plain);
    }
    setlocale(LC_ALL, "C");
    mesh_destroy(&mesh);
}

// More than the format can count: refused by the counts alone, before the target is touched.
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint64_t vertices, triangles;
        const char *says;
    } cases[] = {
        { "ply", UINT64_C(1) << 31, 1, "2147483648 vertices" },
        { "stl", 3, UINT64_C(1) << 32, "4294967296 triangles" },
        { "glb", UINT32_MAX / 24, 1, "4 GiB" },
        { "glb", 3, UINT32_MAX / 12, "4 GiB" },
        { "glb", 100000000, 200000000, "4 GiB" },
        { "glb", UINT64_MAX / 24 + 1, 1, "4 GiB" },
        { "glb", 3, UINT64_MAX / 12 + 1, "4 GiB" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct mesh mesh = {
            .vertex_count = cases[i].vertices,
            .triangle_count = cases[i].triangles,
        };
        const struct mesh_write_params params = { .format = mesh_format_find(cases[i].format) };
        struct problem problem = { 0 };
        const char *path = scratch_write("old", "old", 3);
        assert_false(mesh_write(&mesh, path, &params, &problem));
        assert_int_equal(problem.kind, PROBLEM_LIMIT);
        if (!strstr(problem.text, cases[i].says)) {
            fail_msg("'%s' does not say '%s'", problem.text, cases[i].says);
        }
        assert_non_null(strstr(problem.text, ".vtp")); // what has no limit
        size_t size;
        unsigned char *bytes = scratch_read(path, &size);
        assert_int_equal(size, 3);
        free(bytes);
    }
    // The largest that fit are not refused.
    struct problem problem = { 0 };
    const struct mesh most = { .vertex_count = INT32_MAX, .triangle_count = UINT32_MAX };
    assert_true(mesh_check_ply(&most, "a", &problem) && mesh_check_stl(&most, "a", &problem));
    const struct mesh fits = { .vertex_count = 80000000, .triangle_count = 160000000 };
    assert_true(mesh_check_glb(&fits, "a", &problem));
}

struct watch {
    double last, stop_at;
    int calls;
};

static bool watch(void *user, double share)
{
    struct watch *seen = user;
    // 0 as long as a format only looks.
    assert_true((share > seen->last || (share == 0 && seen->last == 0)) && share <= 1);
    seen->last = share;
    seen->calls++;
    return share < seen->stop_at;
}

// A write that is stopped or fails keeps the old file and leaves nothing beside it.
static void test_failures(void **state)
{
    (void)state;
    enum { VERTICES = 5000, TRIANGLES = 9000 };
    struct mesh mesh;
    struct problem problem = { 0 };
    assert_true(mesh_create(VERTICES, TRIANGLES, &mesh, &problem));
    for (uint32_t i = 0; i < VERTICES; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            mesh.positions[i][k] = (float)((i * i * 7 + k * 31) % 101);
            mesh.normals[i][k] = k == 0;
        }
        mesh.edges[i] = i;
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            mesh.triangles[i][k] = (i + k) % VERTICES;
        }
    }
    mkdir(scratch("folder"), 0700);
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        const char *path = scratch_write("folder/mesh", "the old one", 11);
        struct watch seen = { .stop_at = 0.5 };
        const struct progress progress = { watch, &seen };
        const struct mesh_write_params params = { .format = row, .progress = &progress };
        assert_false(mesh_write(&mesh, path, &params, &problem));
        assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
        assert_int_equal(scratch_count(scratch("folder")), 1);
        size_t size;
        unsigned char *bytes = scratch_read(path, &size);
        assert_int_equal(size, 11);
        assert_memory_equal(bytes, "the old one", 11);
        free(bytes);

        // To the end, and it is told so.
        seen = (struct watch){ .stop_at = 2 };
        assert_true(mesh_write(&mesh, path, &params, &problem));
        assert_true(seen.calls > 5 && seen.last == 1);

        const struct mesh_write_params quiet = { .format = row };
        assert_false(mesh_write(&mesh, "/dev/full", &quiet, &problem));
        assert_int_equal(problem.kind, PROBLEM_OUTPUT);
        assert_false(mesh_write(&mesh, scratch("none/mesh"), &quiet, &problem));
        assert_int_equal(problem.kind, PROBLEM_OUTPUT);
        assert_false(mesh_write(&mesh, "", &quiet, &problem));
        assert_int_equal(problem.kind, PROBLEM_USAGE);
    }
    mesh_destroy(&mesh);
}

// JSON cannot represent it.
static void test_not_finite(void **state)
{
    (void)state;
    static const float bad[] = { INFINITY, -INFINITY, NAN };
    const struct mesh_write_params params = { .format = mesh_format_find("glb") };
    for (int i = 0; i < 3; i++) {
        struct mesh mesh = build();
        struct problem problem = { 0 };
        mesh.positions[2][i] = bad[i];
        assert_false(mesh_write(&mesh, scratch("bad.glb"), &params, &problem));
        assert_int_equal(problem.kind, PROBLEM_INPUT);
        assert_non_null(strstr(problem.text, "bad.glb"));
        assert_int_equal(access(scratch("bad.glb"), F_OK), -1);
        mesh_destroy(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),   cmocka_unit_test(test_frames),
        cmocka_unit_test(test_locale),   cmocka_unit_test(test_limits),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
