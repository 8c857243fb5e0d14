// A volume that is written as NRRD and raw, plain and compressed, and read back.
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"
#include "volumes/formats/write.h"

#include <math.h>
#include <string.h>

// Up to what rounding leaves of steps that are told apart into length and direction.
static void check_place(const struct volume *a, const struct volume *b)
{
    for (int i = 0; i < 3; i++) {
        HOLDS(a->origin[i] == b->origin[i], "%.17g, %.17g", a->origin[i], b->origin[i]);
        HOLDS(
            fabs(a->spacing[i] - b->spacing[i]) <= 1e-14 * a->spacing[i], "%.17g, %.17g",
            a->spacing[i], b->spacing[i]);
    }
    for (int i = 0; i < 9; i++) {
        HOLDS(
            fabs(a->direction[i] - b->direction[i]) <= 1e-14, "%.17g, %.17g", a->direction[i],
            b->direction[i]);
    }
}

static void check_format(const struct volume *volume, bool nrrd, bool gzip)
{
    const struct volume_write_params params = { .gzip = gzip };
    const struct volume_format *format = volume_format_find(nrrd ? "nrrd" : "raw");
    struct problem problem;
    struct volume again;
    char name[100] = "x.nrrd";
    if (!nrrd) {
        snprintf(
            name, sizeof name, "x_%ux%ux%u_%s.raw%s", volume->dim[0], volume->dim[1],
            volume->dim[2], volume_type_name(volume->file_type), gzip ? ".gz" : "");
    }
    files_clear();
    for (uint32_t n = 1; draw() % 4 == 0; n++) { // what cannot be written is told
        files_fail(n);
        const bool fine = volume_write(format, volume, "-", &params, &problem);
        const bool failed = files_fail(0);
        HOLDS(fine == !failed && (fine || problem.kind == PROBLEM_OUTPUT), "%s", problem.text);
        allocation_fails(n);
        const bool enough = volume_write(format, volume, "-", &params, &problem);
        HOLDS(
            enough == !allocation_fails(0) && (enough || problem.kind == PROBLEM_HOST_MEMORY), "%s",
            problem.text);
        files_clear();
    }
    HOLDS(volume_write(format, volume, "-", &params, &problem), "%s", problem.text);
    size_t size;
    const unsigned char *bytes = files_written(&size);
    files_add(name, bytes, size);
    char path[120];
    snprintf(path, sizeof path, FILES_FOLDER "/%s", name);
    HOLDS(volume_read(path, NULL, &again, &problem), "%s", problem.text);
    HOLDS(
        again.type == volume->type && again.file_type == volume->file_type &&
            memcmp(again.dim, volume->dim, sizeof again.dim) == 0,
        "the same volume");
    HOLDS(memcmp(again.samples, volume->samples, volume_bytes(volume)) == 0, "the same samples");
    if (nrrd && volume->frame != VOLUME_FRAME_RAS) { // what is RAS is read as LPS
        HOLDS(again.frame == volume->frame, "frame %d, %d", again.frame, volume->frame);
        check_place(volume, &again);
    }
    volume_destroy(&again);
    files_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct volume volume;
    log_quiet = true;
    volume_of_bytes(data, size, &volume);
    if (volume.file_type == VOLUME_FLOAT64) {
        // A float that says something else when it is widened and narrowed: none but a NaN that
        // signals.
        float *samples = volume.samples;
        for (uint64_t i = 0; i < volume_count(&volume); i++) {
            samples[i] = isnan(samples[i]) ? NAN : samples[i];
        }
    }
    poison(0xaa);
    draw_begin(data, size);
    check_format(&volume, draw() % 2, draw() % 2);
    fuzz_accepted = true;
    volume_destroy(&volume);
    return 0;
}
