// ctest: plain
// Shares of a surface: joined, they are the mesh that they were cut from, in every format, with the
// same facts. A share that is cut off anywhere, or has another byte anywhere, is refused by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/mesh/mesh_writer.h"
#include "compute/mesh/shares.h"
#include "compute/reference/reference.h"
#include "tests/scratch.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#define ISO    500.5
#define LAYERS 11

static struct volume noise(uint32_t width, uint32_t height)
{
    struct problem problem = { 0 };
    struct volume volume;
    uint32_t state = 1;
    const uint32_t dim[3] = { width, height, LAYERS + 1 };
    assert_true(volume_create(dim, VOLUME_FLOAT32, &volume, &problem));
    float *samples = volume.samples;
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        state = state * 1664525 + 1013904223;
        samples[i] = state >> 24 == 7 ? NAN : (float)(state >> 22);
        // Nothing in some layers.
        const uint64_t z = i / (width * height);
        samples[i] = z > 3 && z < 7 ? 0 : samples[i];
    }
    volume.spacing[0] = 0.5;
    volume.direction[1] = 0.25; // sheared
    volume.direction[8] = -1;   // mirrored
    volume.frame = VOLUME_FRAME_LPS;
    return volume;
}

static struct mesh surface_of(const struct volume *volume)
{
    struct problem problem = { 0 };
    struct mesh mesh;
    assert_true(reference_extract(volume, ISO, NULL, &mesh, &problem));
    assert_true(mesh.triangle_count > 100);
    return mesh;
}

// The part of a mesh in layers from `from` to before `to`, as parts of a volume are handed out.
static struct mesh part_of(
    const struct mesh *mesh, const struct volume *volume, uint32_t from, uint32_t to, uint64_t *own)
{
    struct problem problem = { 0 };
    const uint64_t slice = 3 * (uint64_t)volume->dim[0] * volume->dim[1];
    uint64_t first = 0, end = 0, last = 0, face = 0, faces = 0;
    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        const uint64_t z = mesh->edges[i] / slice;
        first += z < from;
        end += z < to || to == volume->dim[2] - 1;
        last += z <= to;
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        face += mesh->triangles[i][0] < first;
        faces += mesh->triangles[i][0] < end;
    }
    struct mesh part;
    assert_true(mesh_create(last - first, faces - face, &part, &problem));
    memcpy(part.positions, mesh->positions + first, (last - first) * 12);
    memcpy(part.normals, mesh->normals + first, (last - first) * 12);
    memcpy(part.edges, mesh->edges + first, (last - first) * 8);
    for (uint64_t i = face; i < faces; i++) {
        for (int k = 0; k < 3; k++) {
            part.triangles[i - face][k] = mesh->triangles[i][k] - (uint32_t)first;
        }
    }
    *own = end - first;
    return part;
}

static struct share_head head_of(const struct volume *volume, uint32_t from, uint32_t to)
{
    return (struct share_head){
        .volume = *volume,
        .iso = ISO,
        .from = from,
        .to = to,
    };
}

// A file that was read is not replaced, so one of before is removed.
static void
open_writer(const char *path, const struct share_head *head, struct share_writer *writer)
{
    struct problem problem = { 0 };
    unlink(path);
    assert_true(share_writer_open(path, head, writer, &problem));
}

// Writes a share, in parts of two layers at most.
static void write_share(const char *path, const struct mesh *mesh, const struct share_head *head)
{
    struct problem problem = { 0 };
    struct share_writer writer;
    const uint32_t sums[SHARE_SUMS] = { head->from, head->to, 77 };
    open_writer(path, head, &writer);
    for (uint32_t z = head->from; z < head->to; z += 2) {
        const uint32_t end = z + 2 < head->to ? z + 2 : head->to;
        uint64_t own;
        struct mesh part = part_of(mesh, &head->volume, z, end, &own);
        assert_true(share_writer_part(&writer, &part, own, z, end, &problem));
        mesh_destroy(&part);
    }
    assert_true(share_writer_commit(&writer, 10 * (head->to - head->from), sums, &problem));
}

static struct mesh_facts facts_of(const struct mesh *mesh, const struct volume *volume)
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

// The share K of N, from 0.
static const char *
share_of(const struct mesh *mesh, const struct volume *volume, uint32_t k, uint32_t n)
{
    static char paths[32][64];
    char name[40];
    snprintf(name, sizeof name, "%u_of_%u.share", k, n);
    snprintf(paths[k], sizeof paths[k], "%s", scratch(name));
    struct share_head head = head_of(volume, 0, 0);
    share_layers(k + 1, n, LAYERS, &head.from, &head.to);
    write_share(paths[k], mesh, &head);
    return paths[k];
}

static void joined(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise(40, 13);
    struct mesh whole = surface_of(&volume);
    struct mesh_facts found;
    static const uint32_t counts[] = { 1, 3, 20, 3 };
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint32_t n = counts[c];
        volume.origin[1] = c == 3 ? 5846925 : 0; // files have doubles
        const struct mesh_facts expected = facts_of(&whole, &volume);
        const char *paths[32];
        for (uint32_t k = 0; k < n; k++) {
            paths[(k * 7 + 3) % n] = share_of(&whole, &volume, k, n); // in no order
        }
        struct shares shares;
        assert_true(shares_open(paths, n, &shares, &problem));
        assert_int_equal(shares.vertex_count, whole.vertex_count);
        assert_int_equal(shares.triangle_count, whole.triangle_count);
        assert_int_equal(shares.active_cells, 10 * LAYERS);
        if (!shares_check(&shares, NULL, &problem) ||
            !shares_facts(&shares, NULL, &found, &problem)) {
            fail_msg("%s", problem.text);
        }
        assert_memory_equal(&expected, &found, sizeof found);
        for (const struct mesh_format *row = mesh_formats; row->name; row++) {
            const struct mesh_write_params params = { .format = row, .volume = &volume };
            size_t sizes[2];
            if (!mesh_write(&whole, scratch("whole"), &params, &problem) ||
                !mesh_write_source(shares_source(&shares), scratch("merged"), &params, &problem)) {
                fail_msg("%s: %s", row->name, problem.text);
            }
            unsigned char *a = scratch_read(scratch("whole"), &sizes[0]);
            unsigned char *b = scratch_read(scratch("merged"), &sizes[1]);
            assert_int_equal(sizes[0], sizes[1]);
            assert_memory_equal(a, b, sizes[0]);
            free(a);
            free(b);
        }
        shares_close(&shares);
    }
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

// Found by their heads alone, the pieces are those that reading everything finds. Files that are
// changed within their vertices are not refused, because nothing there is read: that shows it.
static void indexed(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise(40, 13);
    struct mesh whole = surface_of(&volume);
    static const uint32_t counts[] = { 1, 3, 20 };
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint32_t n = counts[c];
        const char *paths[32];
        for (uint32_t k = 0; k < n; k++) {
            paths[k] = share_of(&whole, &volume, k, n);
        }
        struct shares read, found;
        assert_true(shares_open(paths, n, &read, &problem));
        assert_true(shares_check(&read, NULL, &problem));
        assert_true(shares_open(paths, n, &found, &problem));
        if (!shares_index(&found, &problem)) {
            fail_msg("%s", problem.text);
        }
        assert_true(read.piece_count > 0 && read.piece_count == found.piece_count);
        assert_memory_equal(read.pieces, found.pieces, read.piece_count * sizeof *read.pieces);
        assert_true(mesh_write_source(shares_source(&read), scratch("a.ply"), NULL, &problem));
        assert_true(mesh_write_source(shares_source(&found), scratch("b.ply"), NULL, &problem));
        size_t sizes[2];
        unsigned char *a = scratch_read(scratch("a.ply"), &sizes[0]);
        unsigned char *b = scratch_read(scratch("b.ply"), &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(a, b, sizes[0]);
        free(a);
        free(b);
        shares_close(&read);
        shares_close(&found);
    }
    // Every hint gives the same pieces.
    struct share share;
    const char *path = share_of(&whole, &volume, 1, 3);
    assert_true(share_open(path, &share, &problem));
    assert_true(share_check(&share, NULL, 0, 1, &problem));
    const struct share_piece first = share.pieces[0];
    for (uint64_t hint = 0; hint < 2 * first.own; hint += hint < 10 ? 1 : first.own / 7) {
        assert_true(share_index(&share, hint, &problem));
        assert_memory_equal(&share.pieces[0], &first, sizeof first);
    }
    const int fd = open(path, O_WRONLY);
    const struct timespec times[2] = { { 0, UTIME_OMIT },
                                       { share.stamp.seconds, share.stamp.nanoseconds } };
    assert_int_equal(pwrite(fd, "changed", 7, (off_t)first.at + 12), 7);
    assert_int_equal(futimens(fd, times), 0);
    assert_true(share_index(&share, 0, &problem));
    assert_false(share_check(&share, NULL, 0, 1, &problem));
    // But heads are looked at.
    assert_int_equal(pwrite(fd, "changed", 7, (off_t)first.at - 20), 7);
    assert_int_equal(futimens(fd, times), 0);
    assert_false(share_index(&share, 0, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "1_of_3.share"));
    close(fd);
    share_close(&share);
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

// Opens and checks; returns whether that went well.
static bool reads(const char *const *paths, size_t count, struct problem *problem)
{
    struct shares shares;
    const bool fine =
        shares_open(paths, count, &shares, problem) && shares_check(&shares, NULL, problem);
    shares_close(&shares);
    return fine;
}

static void
assert_refused(const char *const *paths, size_t count, const char *name, const char *why)
{
    struct problem problem = { 0 };
    if (reads(paths, count, &problem)) {
        fail_msg("accepted: %s", why);
    }
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    if (!strstr(problem.text, name) || !strstr(problem.text, why)) {
        fail_msg("expected '%s' and '%s' in: %s", name, why, problem.text);
    }
}

// Every length, and every byte with another value.
static void damaged(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise(4, 4);
    struct mesh whole = surface_of(&volume);
    size_t size = 0;
    unsigned char *bytes = scratch_read(share_of(&whole, &volume, 0, 1), &size);
    const char *path = scratch_write("bad.share", bytes, size);
    assert_true(reads(&path, 1, &problem));
    const int fd = open(path, O_WRONLY);
    for (size_t at = 0; at < size; at++) {
        const unsigned char byte = bytes[at] ^ (unsigned char)(1 << at % 8);
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
        // What the head says is not used before its own checksum is right.
        const bool head = at >= 16 && at < SHARE_HEAD;
        assert_refused(&path, 1, "bad.share", head ? "in its first 256 bytes" : "");
        assert_int_equal(pwrite(fd, &bytes[at], 1, (off_t)at), 1);
    }
    assert_true(reads(&path, 1, &problem));
    for (size_t length = size; length-- > 0;) {
        assert_int_equal(ftruncate(fd, (off_t)length), 0);
        assert_refused(&path, 1, "bad.share", "");
    }
    close(fd);
    // More behind it.
    bytes = realloc(bytes, size + 100);
    memset(bytes + size, 0, 100);
    path = scratch_write("bad.share", bytes, size + 100);
    assert_refused(&path, 1, "bad.share", "more follows it");
    free(bytes);
    path = scratch_write("bad.share", "solid mesh", 10);
    assert_refused(&path, 1, "bad.share", "is not a share");
    path = scratch("none.share");
    assert_refused(&path, 1, "none.share", "No such file");
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

// Sound by their checksums, and still not right: each field is looked at.
static void impossible(void **state)
{
    (void)state;
    struct volume volume = noise(5, 4);
    struct mesh whole = surface_of(&volume);
    size_t size = 0;
    unsigned char *bytes = scratch_read(share_of(&whole, &volume, 0, 1), &size);
    static const struct {
        size_t at;
        uint32_t value;
        const char *why;
    } heads[] = {
        { 16, 1, "share of version 1" }, { 20, 12, "cannot be" },
        { 24, 12, "cannot be" },         { 24, 10, "are in no share" },
        { 28, 1, "cannot be" },          { 36, 0xffffffff, "are in no share" },
        { 40, 7, "cannot be" },          { 44, 9, "cannot be" },
        { 48, 3, "cannot be" },          { 56, 0xffffffff, "cannot be" },
        { 80, 0x7ff00000, "cannot be" },
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        unsigned char *copy = malloc(size);
        memcpy(copy, bytes, size);
        for (int b = 0; b < 4; b++) {
            copy[heads[i].at + b] = (unsigned char)(heads[i].value >> 8 * b);
        }
        const uint32_t crc = (uint32_t)crc32(0, copy, SHARE_HEAD - 4);
        memcpy(copy + SHARE_HEAD - 4, &crc, 4);
        const char *path = scratch_write("bad.share", copy, size);
        assert_refused(&path, 1, "bad.share", heads[i].why);
        free(copy);
    }
    // In the first piece: mark, first layer, layers, counts; an edge, a corner. And the totals.
    uint64_t own;
    memcpy(&own, bytes + SHARE_HEAD + 16, 8);
    const size_t edges = SHARE_HEAD + SHARE_PIECE + own * 24, faces = edges + own * 5;
    const size_t places[] = {
        SHARE_HEAD,      SHARE_HEAD + 4,  SHARE_HEAD + 8,  SHARE_HEAD + 16,     SHARE_HEAD + 24,
        SHARE_HEAD + 32, SHARE_HEAD + 39, SHARE_HEAD + 23, SHARE_HEAD + 31,     edges + 4,
        faces + 4,       faces + 9,       faces + 14,      edges + own * 5 - 1, size - 60 + 4,
        size - 64 + 16,  size - 64 + 24,  size - 64 + 31,
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        unsigned char *copy = malloc(size);
        memcpy(copy, bytes, size);
        copy[places[i]] += 64;
        const uint32_t crc = (uint32_t)crc32(0, copy, (uInt)size - 4);
        memcpy(copy + size - 4, &crc, 4);
        const char *path = scratch_write("bad.share", copy, size);
        assert_refused(&path, 1, "bad.share", "");
        free(copy);
    }
    free(bytes);
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

// Sound shares that do not belong together.
static void mixed(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise(5, 4);
    struct mesh whole = surface_of(&volume);
    const char *four[4], *again[5];
    for (uint32_t k = 0; k < 4; k++) {
        four[k] = share_of(&whole, &volume, k, 4);
    }
    assert_true(reads(four, 4, &problem));
    assert_refused(four + 1, 3, "1_of_4", "layers 0 to 1 of 11 are in no share");
    assert_refused(four, 3, "2_of_4", "layers 8 to 10 of 11 are in no share");
    again[0] = four[0], again[1] = four[2], again[2] = four[3];
    assert_refused(again, 3, "2_of_4", "layers 2 to 4 of 11 are in no share");
    memcpy(again, four, sizeof four);
    again[4] = four[2];
    assert_refused(again, 5, "2_of_4", "each layer may be in one share only");
    // One is replaced by a share that differs in one thing.
    for (int i = 0; i < 8; i++) {
        static const char *const why[] = {
            "volume is 5x4x12, that of",    "volume is float64, that of",
            "spacing, origin or direction", "spacing, origin or direction",
            "spacing, origin or direction", "is of isovalue 500.50000000000006",
            "slice 6 of its volume",        "slice 5, which both have",
        };
        struct share_head head = head_of(&volume, 5, 8);
        uint32_t sums[SHARE_SUMS] = { 5, 8, 77 };
        struct share_writer writer;
        head.volume.dim[2] -= i == 0 ? 1 : 0;
        head.volume.file_type = i == 1 ? VOLUME_FLOAT64 : head.volume.file_type;
        head.volume.spacing[1] *= i == 2 ? 2 : 1;
        head.volume.origin[1] += i == 3 ? 2 : 0;
        head.volume.frame = i == 4 ? VOLUME_FRAME_UNSAID : head.volume.frame;
        head.iso = i == 5 ? nextafter(ISO, 1000) : ISO;
        sums[2] += i == 6;
        sums[0] += i == 7;
        const char *path = scratch("other.share");
        open_writer(path, &head, &writer);
        assert_true(share_writer_commit(&writer, 0, sums, &problem));
        memcpy(again, four, sizeof four);
        again[2] = path;
        assert_refused(again, 4, "other.share", i == 0 ? "5x4x11, that of" : why[i]);
    }
    // Vertices of a share that the one below it does not know of.
    struct share_head head = head_of(&volume, 2, 5);
    struct share_writer writer;
    const uint32_t sums[SHARE_SUMS] = { 2, 5, 77 };
    open_writer(scratch("other.share"), &head, &writer);
    assert_true(share_writer_commit(&writer, 0, sums, &problem));
    memcpy(again, four, sizeof four);
    again[1] = scratch("other.share");
    assert_refused(again, 4, "0_of_4", "do not fit");
    struct shares shares;
    assert_true(shares_open(again, 4, &shares, &problem));
    assert_false(shares_index(&shares, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "do not fit"));
    shares_close(&shares);
    // The input's files were others: a warning, because copies are allowed.
    head = head_of(&volume, 0, LAYERS);
    head.input_bytes = 100;
    write_share(scratch("a.share"), &whole, &head);
    head = head_of(&volume, LAYERS, LAYERS);
    head.input_bytes = 100;
    head.input_time = 5;
    write_share(scratch("b.share"), &whole, &head);
    const char *const copies[] = { scratch("a.share"), scratch("b.share") };
    scratch_listen();
    const bool fine = reads(copies, 2, &problem);
    const char *heard = scratch_heard();
    assert_true(fine);
    assert_non_null(strstr(heard, "b.share"));
    assert_non_null(strstr(heard, "another size or time"));
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

// More vertices than a piece has at most, many blocks, and triangles across pieces.
static void large(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise(200, 180);
    struct mesh whole = surface_of(&volume);
    struct mesh_facts expected, found;
    const struct share_head head = head_of(&volume, 0, LAYERS);
    const uint32_t sums[SHARE_SUMS] = { 0 };
    const char *path = scratch("large.share");
    struct share_writer writer;
    struct shares shares;
    open_writer(path, &head, &writer);
    assert_true(share_writer_part(&writer, &whole, whole.vertex_count, 0, LAYERS, &problem));
    assert_true(share_writer_commit(&writer, 0, sums, &problem));
    assert_true(shares_open(&path, 1, &shares, &problem));
    assert_true(shares_check(&shares, NULL, &problem));
    assert_true(shares.piece_count > 1);
    expected = facts_of(&whole, &volume);
    assert_true(shares_facts(&shares, NULL, &found, &problem));
    assert_memory_equal(&expected, &found, sizeof found);
    const struct mesh_source *source = shares_source(&shares);
    float positions[MESH_BLOCK][3], normals[MESH_BLOCK][3], one[3];
    for (uint64_t i = 0; i < whole.vertex_count; i += MESH_BLOCK) {
        const size_t count = mesh_block(whole.vertex_count, i);
        assert_true(source->vertices(source->user, i, count, positions, normals, &problem));
        assert_memory_equal(positions, whole.positions + i, count * 12);
        assert_memory_equal(normals, whole.normals + i, count * 12);
        const uint64_t far = i * 7919 % whole.vertex_count;
        assert_true(source->position(source->user, far, one, &problem));
        assert_memory_equal(one, whole.positions[far], 12);
    }
    // A file that changes between two looks.
    assert_true(truncate(path, 5000) == 0);
    assert_false(
        source->vertices(source->user, whole.vertex_count - 5, 5, positions, normals, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "large.share"));
    shares_close(&shares);
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

static void failures(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct volume volume = noise(40, 13);
    struct mesh whole = surface_of(&volume);
    const struct share_head head = head_of(&volume, 0, LAYERS);
    const uint32_t sums[SHARE_SUMS] = { 0 };
    struct share_writer writer;
    mkdir(scratch("folder"), 0700);
    // Dropped: the old file stays.
    scratch_write("folder/a.share", "old", 3);
    assert_true(share_writer_open(scratch("folder/a.share"), &head, &writer, &problem));
    assert_true(share_writer_part(&writer, &whole, whole.vertex_count, 0, LAYERS, &problem));
    share_writer_abort(&writer);
    share_writer_abort(&writer);
    size_t size;
    unsigned char *bytes = scratch_read(scratch("folder/a.share"), &size);
    assert_int_equal(size, 3);
    free(bytes);
    assert_int_equal(scratch_count(scratch("folder")), 1);
    // No room.
    struct rlimit limit, none;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &none);
    limit = (struct rlimit){ 1000, none.rlim_max };
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_true(share_writer_open(scratch("folder/a.share"), &head, &writer, &problem));
    const bool fine = share_writer_part(&writer, &whole, whole.vertex_count, 0, LAYERS, &problem) &&
                      share_writer_commit(&writer, 0, sums, &problem);
    share_writer_abort(&writer);
    setrlimit(RLIMIT_FSIZE, &none);
    assert_false(fine);
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_int_equal(scratch_count(scratch("folder")), 1);
    // Cancelled.
    const char *path = share_of(&whole, &volume, 0, 1);
    struct shares shares;
    int left = 3;
    const struct progress progress = { stop, &left };
    assert_true(shares_open(&path, 1, &shares, &problem));
    assert_false(shares_check(&shares, &progress, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    shares_close(&shares);
    mesh_destroy(&whole);
    volume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined),     cmocka_unit_test(indexed), cmocka_unit_test(damaged),
        cmocka_unit_test(impossible), cmocka_unit_test(mixed),   cmocka_unit_test(large),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
