// A volume that is read as a whole and by ranges of slices in any order: the same samples, or the
// same code of a refusal. Any format.
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"
#include "volumes/formats/volume_file.h"

#include <string.h>

static void check_ranges(struct volume_file *file, const struct volume *whole)
{
    struct problem problem;
    const uint32_t depth = whole->dim[2];
    const size_t slice = (size_t)(volume_bytes(whole) / depth);
    for (int i = 0; i < 4; i++) {
        const uint32_t z = draw() % depth;
        const uint32_t count = i == 3 ? depth - z : draw() % (depth - z) + 1;
        unsigned char *samples = malloc(count * slice);
        HOLDS(
            volume_file_read(file, z, count, samples, NULL, &problem), "slices %u to %u: %s", z,
            z + count, problem.text);
        HOLDS(
            memcmp(samples, (char *)whole->samples + z * slice, count * slice) == 0,
            "the same samples in slices %u to %u", z, z + count);
        free(samples);
    }
    HOLDS(volume_file_unchanged(file, &problem), "%s", problem.text);
}

// What volume_read refused for the sake of its samples.
static void check_refused(struct volume_file *file, const struct problem *why)
{
    struct problem problem;
    const struct volume *volume = &file->volume;
    const uint64_t bytes = volume_bytes(volume);
    if (bytes > 1 << 16) {
        HOLDS(problem_of_device(why->kind), "too many bytes: %s", why->text);
        return;
    }
    void *samples = malloc(bytes);
    HOLDS(
        !volume_file_read(file, 0, volume->dim[2], samples, NULL, &problem), "refused, too: %s",
        why->text);
    check_refusal(&problem, false);
    HOLDS(
        problem.kind == why->kind, "%d '%s', %d '%s'", problem.kind, problem.text, why->kind,
        why->text);
    free(samples);
}

// What is opened, and all that is read, is the same where an allocation fails, or the reason is.
static void check_memory(const struct request *request, const struct volume *whole)
{
    struct volume_file file;
    struct problem problem;
    uint32_t n = fuzz_thorough ? 1 : 1 + draw() % 16;
    bool failed;
    do {
        void *samples = malloc(volume_bytes(whole));
        allocation_fails(n++);
        const bool fine = volume_file_open(request->path, &request->params, &file, &problem) &&
                          volume_file_read(&file, 0, whole->dim[2], samples, NULL, &problem);
        failed = allocation_fails(0);
        HOLDS(
            fine ? memcmp(samples, whole->samples, volume_bytes(whole)) == 0
                 : failed && problem_of_device(problem.kind),
            "failure %u: %s", n - 1, fine ? "other samples" : problem.text);
        volume_file_close(&file);
        free(samples);
    } while (fuzz_thorough && failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct volume whole;
    struct volume_file file;
    struct problem why, problem;
    log_quiet = true;
    draw_begin(data, size);
    request_open(data, size, "x", &request);
    poison(0xaa);
    const bool ok = read_checked(&request, &whole, &why);
    fuzz_accepted = ok;
    poison(0x55);
    const bool opened = volume_file_open(request.path, &request.params, &file, &problem);
    if (opened && ok) {
        struct volume described = file.volume;
        check_equal(&whole, &described, false);
        check_ranges(&file, &whole);
    } else if (opened) {
        check_refused(&file, &why);
    } else {
        check_refusal(&problem, true);
        HOLDS(!ok, "only refused by ranges: %s", problem.text);
        HOLDS(
            problem_of_device(why.kind) || problem.kind == why.kind, "%d '%s', %d '%s'", why.kind,
            why.text, problem.kind, problem.text);
    }
    volume_file_close(&file);
    if (ok && one_in(4)) {
        check_memory(&request, &whole);
    }
    volume_destroy(&whole);
    files_clear();
    return 0;
}
