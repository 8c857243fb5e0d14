// ctest: plain
// Several processes write one mesh file: the bytes are those of one process, in every format. A
// process that fails ends all, and nothing is left.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/mesh/mesh_writer.h"
#include "compute/reference/reference.h"
#include "tests/processes.h"
#include "tests/scratch.h"

#include <math.h>

static struct volume volume; // of the last noise, without samples: its place

// Samples are whole numbers. So is the isovalue, if `degenerate`: then many triangles have no area.
static struct mesh noise(uint32_t width, uint32_t height, uint32_t depth, bool degenerate)
{
    struct problem problem = { 0 };
    struct mesh mesh;
    const uint32_t dim[3] = { width, height, depth };
    uint32_t state = width;
    assert_true(volume_create(dim, VOLUME_FLOAT32, &volume, &problem));
    float *samples = volume.samples;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        state = state * 1664525 + 1013904223;
        samples[i] = state >> 24 == 7 ? NAN : (float)(state >> 28);
    }
    volume.spacing[1] = 0.3;
    volume.origin[0] = -100;
    volume.frame = VOLUME_FRAME_LPS;
    assert_true(reference_extract(&volume, degenerate ? 7 : 7.5, NULL, &mesh, &problem));
    free(volume.samples);
    volume.samples = NULL;
    return mesh;
}

struct rank {
    struct process process;
    const struct mesh *mesh;
    const struct mesh_format *format;
    struct output output;
    const char *target, *temporary;
    struct mesh_source source;
    bool fine;
    int calls, stop_at; // of progress; 0: never
    uint32_t pieces;
    struct problem problem;
};

static bool rank_report(void *user, double share)
{
    struct rank *rank = user;
    if (!(share >= 0 && share <= 1)) {
        abort();
    }
    return ++rank->calls != rank->stop_at;
}

static void *rank_work(void *user)
{
    struct rank *rank = user;
    const struct mesh_window window = {
        .rank = rank->process.rank,
        .count = rank->process.all->count,
        .gather = process_gather,
        .user = &rank->process,
        .pieces = rank->pieces,
    };
    const struct progress progress = { rank_report, rank };
    const bool owner = window.rank == 0;
    rank->fine = owner || output_join(rank->target, rank->temporary, &rank->output, &rank->problem);
    rank->fine = rank->fine && mesh_write_window(
                                   &rank->source, rank->format, &volume, &window, &rank->output,
                                   &progress, &rank->problem);
    rank->fine = rank->fine && (owner || output_commit(&rank->output, &rank->problem));
    if (!process_end(&rank->process, rank->fine)) {
        output_abort(&rank->output);
    } else if (owner) {
        rank->fine = output_commit(&rank->output, &rank->problem);
    }
    return NULL;
}

// Writes with `count` processes. `ranks` tells their ends. `change` may change the ranks before.
static void write_by(
    int count, const struct mesh *mesh, const struct mesh_format *format, const char *target,
    struct rank ranks[PROCESSES_MOST], void (*change)(struct rank *ranks, int count))
{
    struct problem problem = { 0 };
    struct processes all = { .count = count };
    char temporary[OUTPUT_SHARED];
    void *users[PROCESSES_MOST] = { NULL };
    pthread_barrier_init(&all.barrier, NULL, (unsigned)count);
    memset(ranks, 0, PROCESSES_MOST * sizeof *ranks);
    assert_true(output_open(target, &ranks[0].output, &problem));
    assert_true(output_temporary_path(&ranks[0].output, temporary, &problem));
    for (int i = 0; i < count; i++) {
        ranks[i].process = (struct process){ .all = &all, .rank = i };
        ranks[i].mesh = mesh;
        ranks[i].format = format;
        ranks[i].target = target;
        ranks[i].temporary = temporary;
        ranks[i].source = mesh_source_of(mesh);
        users[i] = &ranks[i];
    }
    if (change) {
        change(ranks, count);
    }
    processes_run(count, rank_work, users);
    pthread_barrier_destroy(&all.barrier);
    for (int i = 1; i < count; i++) {
        assert_int_equal(ranks[i].process.meetings, ranks[0].process.meetings);
    }
}

static const int counts[] = { 1, 2, 3, 4, 7 };
#define COUNTS (sizeof counts / sizeof *counts)

static void assert_same_file(const char *path, const unsigned char *expected, size_t size)
{
    size_t found = 0;
    unsigned char *bytes = scratch_read(path, &found);
    assert_non_null(bytes);
    assert_int_equal(found, size);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void assert_all_fine(const struct rank *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        if (!ranks[i].fine) {
            fail_msg("%s, %d of %d: %s", ranks[i].format->name, i, count, ranks[i].problem.text);
        }
    }
}

static void assert_same(const struct mesh *mesh)
{
    struct problem problem = { 0 };
    struct rank ranks[PROCESSES_MOST];
    scratch_remove(scratch("same"));
    mkdir(scratch("same"), 0700);
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        const struct mesh_write_params params = { .format = row, .volume = &volume };
        char target[200];
        size_t size = 0;
        snprintf(target, sizeof target, "%s", scratch("same/mesh"));
        assert_true(mesh_write(mesh, scratch("whole"), &params, &problem));
        unsigned char *whole = scratch_read(scratch("whole"), &size);
        for (size_t c = 0; c < COUNTS; c++) {
            write_by(counts[c], mesh, row, target, ranks, NULL);
            assert_all_fine(ranks, counts[c]);
            assert_same_file(target, whole, size);
            assert_int_equal(scratch_count(scratch("same")), 1);
        }
        free(whole);
    }
}

static void same_bytes(void **state)
{
    (void)state;
    struct mesh mesh = noise(46, 41, 30, false);
    assert_true(mesh.vertex_count > 7 * 3 * MESH_BLOCK);
    assert_same(&mesh);
    mesh_destroy(&mesh);
}

static void triangles_without_area(void **state)
{
    (void)state;
    struct mesh mesh = noise(25, 21, 19, true);
    assert_same(&mesh);
    // More than a few were left out, or this would not show anything.
    size_t size = 0;
    free(scratch_read(scratch_write("x", "", 0), &size));
    struct problem problem = { 0 };
    assert_true(mesh_write(&mesh, scratch("x.stl"), NULL, &problem));
    free(scratch_read(scratch("x.stl"), &size));
    assert_true(size > 84 + 50 * 1000 && size < 84 + 50 * (mesh.triangle_count - 1000));
    volume.origin[1] = 5846925; // files have doubles
    assert_same(&mesh);
    mesh_destroy(&mesh);
}

static void fewer_than_processes(void **state)
{
    (void)state;
    struct mesh empty = { 0 };
    assert_same(&empty);
    struct problem problem = { 0 };
    for (uint32_t triangles = 0; triangles < 9; triangles++) {
        struct mesh few;
        assert_true(mesh_create(5, triangles, &few, &problem));
        for (uint32_t i = 0; i < 5; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                few.positions[i][k] = (float)((i * 7 + k * k * 3) % 5) * (i == 2 ? -0.0f : 1);
                few.normals[i][k] = k == 1;
            }
        }
        for (uint32_t i = 0; i < triangles; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                few.triangles[i][k] = (i * i + k) % 5;
            }
        }
        assert_same(&few);
        mesh_destroy(&few);
    }
}

static void stop_one(struct rank *ranks, int count)
{
    ranks[count / 2].stop_at = 3;
}

static void stop_all(struct rank *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        ranks[i].stop_at = 3;
    }
}

static bool unreadable(
    void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
    struct problem *problem)
{
    (void)user, (void)first, (void)count, (void)positions, (void)normals;
    return problem_set(problem, PROBLEM_INPUT, "unreadable");
}

static void break_last(struct rank *ranks, int count)
{
    ranks[count - 1].source.vertices = unreadable;
    ranks[count - 1].source.position = NULL; // not called without area
}

static void lose_file(struct rank *ranks, int count)
{
    ranks[count - 1].temporary = "/nowhere/at/all";
}

// What fails in one process fails in all, and the old file stays.
static void failures(void **state)
{
    (void)state;
    static void (*const changes[])(struct rank * ranks, int count) = { stop_one, stop_all,
                                                                       break_last, lose_file };
    struct mesh mesh = noise(46, 41, 30, false);
    struct rank ranks[PROCESSES_MOST];
    mkdir(scratch("folder"), 0700);
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            if (changes[c] == break_last && strcmp(row->name, "stl") == 0) {
                continue; // reads vertices one by one
            }
            char target[200];
            snprintf(target, sizeof target, "%s", scratch_write("folder/mesh", "the old one", 11));
            for (int count = 2; count < 5; count += 2) {
                write_by(count, &mesh, row, target, ranks, changes[c]);
                int failed = 0;
                for (int i = 0; i < count; i++) {
                    failed += !ranks[i].fine;
                }
                assert_true(failed > 0 && ranks[0].process.over);
                assert_same_file(target, (const unsigned char *)"the old one", 11);
                assert_int_equal(scratch_count(scratch("folder")), 1);
            }
        }
    }
    mesh_destroy(&mesh);
}

// JSON cannot represent it: each process refuses it, wherever it is.
static void not_finite(void **state)
{
    (void)state;
    struct rank ranks[PROCESSES_MOST];
    struct mesh mesh = noise(20, 20, 20, false);
    char target[200];
    snprintf(target, sizeof target, "%s", scratch("bad.glb"));
    for (int at = 0; at < 3; at++) {
        float *value = &mesh.positions[at * (mesh.vertex_count - 1) / 2][at];
        const float kept = *value;
        *value = at == 0 ? NAN : at == 1 ? INFINITY : -INFINITY;
        write_by(4, &mesh, mesh_format_find("glb"), target, ranks, NULL);
        for (int i = 0; i < 4; i++) {
            assert_false(ranks[i].fine);
            assert_int_equal(ranks[i].problem.kind, PROBLEM_INPUT);
            assert_non_null(strstr(ranks[i].problem.text, "bad.glb"));
        }
        assert_int_equal(access(target, F_OK), -1);
        *value = kept;
    }
    mesh_destroy(&mesh);
}

// Whether two folders have files of the same names with the same bytes. Returns how many.
static int compare_folders(const char *left, const char *right)
{
    int files = 0;
    DIR *dir = opendir(left);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char paths[2][600];
        struct stat st;
        size_t size = 0;
        snprintf(paths[0], sizeof paths[0], "%s/%s", left, entry->d_name);
        snprintf(paths[1], sizeof paths[1], "%s/%s", right, entry->d_name);
        if (stat(paths[0], &st) == 0 && S_ISREG(st.st_mode)) {
            unsigned char *bytes = scratch_read(paths[0], &size);
            assert_same_file(paths[1], bytes, size);
            free(bytes);
            files++;
        }
    }
    closedir(dir);
    assert_int_equal(scratch_count(left), scratch_count(right));
    return files;
}

static void four_pieces(struct rank *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        ranks[i].pieces = 4;
    }
}

static void four_pieces_and_stop(struct rank *ranks, int count)
{
    four_pieces(ranks, count);
    stop_one(ranks, count);
}

// The pieces do not depend on how many processes write them, and a failure leaves none.

static void in_pieces(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct mesh meshes[] = { noise(46, 41, 30, false), { 0 } };
    struct rank ranks[PROCESSES_MOST];
    for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
        const struct mesh_write_params params = { .volume = &volume, .pieces = 4 };
        char alone[200], several[200], target[220];
        snprintf(alone, sizeof alone, "%s", scratch(m ? "empty" : "alone"));
        mkdir(alone, 0700);
        snprintf(target, sizeof target, "%s/a.pvtp", alone);
        assert_true(mesh_write(&meshes[m], target, &params, &problem));
        for (size_t c = 0; c < COUNTS; c++) {
            snprintf(several, sizeof several, "%s", scratch("several"));
            scratch_remove(several);
            mkdir(several, 0700);
            snprintf(target, sizeof target, "%s/a.pvtp", several);
            write_by(counts[c], &meshes[m], &mesh_format_pvtp, target, ranks, four_pieces);
            assert_all_fine(ranks, counts[c]);
            assert_int_equal(compare_folders(alone, several), 1);
            char folders[2][220];
            snprintf(folders[0], sizeof folders[0], "%s/a", alone);
            snprintf(folders[1], sizeof folders[1], "%s/a", several);
            assert_int_equal(compare_folders(folders[0], folders[1]), 4);
            // Again, and it fails: all stays as it was.
            if (meshes[m].triangle_count && counts[c] > 1) {
                write_by(
                    counts[c], &meshes[m], &mesh_format_pvtp, target, ranks, four_pieces_and_stop);
                assert_true(ranks[0].process.over);
                assert_int_equal(compare_folders(alone, several), 1);
                assert_int_equal(compare_folders(folders[0], folders[1]), 4);
                // Again, and it does not: the old pieces stay.
                write_by(counts[c], &meshes[m], &mesh_format_pvtp, target, ranks, four_pieces);
                assert_all_fine(ranks, counts[c]);
                assert_int_equal(scratch_count(several), 3);
            }
        }
    }
    assert_false(mesh_write(
        &meshes[0], "/dev/null", &(struct mesh_write_params){ .format = &mesh_format_pvtp },
        &problem));
    assert_int_equal(problem.kind, PROBLEM_USAGE);
    mesh_destroy(&meshes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),           cmocka_unit_test(triangles_without_area),
        cmocka_unit_test(fewer_than_processes), cmocka_unit_test(failures),
        cmocka_unit_test(not_finite),           cmocka_unit_test(in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
