// Fuzzes the file of a share. What is accepted has only vertices that are there, gives facts, and
// is written in every format. The bytes are tried as they are, and again with checksums made right,
// because no random change would pass them.
#include "compute/mesh/mesh_writer.h"
#include "compute/mesh/shares.h"
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"

#include <string.h>

static const char path[] = FILES_FOLDER "/x.share";

static void check_named(const struct problem *problem)
{
    check_refusal(problem, false);
    HOLDS(
        problem->kind != PROBLEM_INPUT || strstr(problem->text, path), "the file's name in: %s",
        problem->text);
}

static void check_source(const struct mesh_source *source)
{
    struct problem problem;
    for (uint64_t first = 0; first < source->triangle_count; first += MESH_BLOCK) {
        uint64_t corners[MESH_BLOCK][3];
        const size_t count = mesh_block(source->triangle_count, first);
        HOLDS(source->triangles(source->user, first, count, corners, &problem), "%s", problem.text);
        for (size_t i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                float at[3];
                HOLDS(
                    corners[i][k] < source->vertex_count, "vertex %llu of %llu",
                    (unsigned long long)corners[i][k], (unsigned long long)source->vertex_count);
                HOLDS(
                    source->position(source->user, corners[i][k], at, &problem), "%s",
                    problem.text);
            }
        }
    }
}

static bool try_share(void)
{
    const char *const paths[] = { path, path };
    struct shares shares;
    struct mesh_facts facts;
    struct problem problem;
    uint32_t formats = 0;
    while (mesh_formats[formats].name) {
        formats++;
    }
    if (shares_open(paths, 2, &shares, &problem)) {
        HOLDS(false, "twice the same layers are refused");
    }
    check_named(&problem);
    if (!shares_open(paths, 1, &shares, &problem)) {
        check_named(&problem);
        return false;
    }
    if (!shares_index(&shares, &problem)) {
        check_named(&problem);
    }
    bool fine = shares_check(&shares, NULL, &problem);
    if (fine) {
        check_source(shares_source(&shares));
        const struct mesh_write_params params = {
            .format = &mesh_formats[draw() % formats],
            .volume = &shares.list[0].head.volume,
        };
        if (!mesh_write_source(shares_source(&shares), "-", &params, &problem)) {
            check_refusal(&problem, false);
        }
        fine = shares_facts(&shares, NULL, &facts, &problem);
    }
    if (!fine) {
        check_named(&problem);
    }
    shares_close(&shares);
    return fine;
}

static void put_sum(unsigned char *bytes, size_t size)
{
    const uint32_t sum = (uint32_t)crc32(0, bytes, (uInt)size);
    for (int b = 0; b < 4; b++) {
        bytes[size + b] = (unsigned char)(sum >> 8 * b);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    log_quiet = true;
    draw_begin(data, size);
    files_clear();
    files_add("x.share", data, size);
    poison(0xaa);
    fuzz_accepted = try_share();
    if (size >= SHARE_HEAD + SHARE_END) {
        unsigned char *copy = malloc(size);
        HOLDS(copy, "memory");
        memcpy(copy, data, size);
        put_sum(copy, SHARE_HEAD - 4);
        put_sum(copy, size - 4);
        files_clear();
        files_add("x.share", copy, size);
        files_interrupt(draw());
        try_share();
        files_interrupt(0);
        files_clear();
        free(copy);
    }
    files_clear();
    return 0;
}
