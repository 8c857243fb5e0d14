#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/target.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "volumes/base/log.h"
#include "volumes/formats/raw_name.h"

#include <stdio.h>
#include <string.h>

// "a/bonsai_256x256x256_uint8.raw" -> "bonsai", at most `size` - 1 bytes.
static void convert_stem_of(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t length = strcspn(name, "./");
    struct raw_name raw;
    raw_name_parse(path, &raw);
    if (raw.has_dim) {
        // Go back over two x and the digits before them, to the separator before WxHxD.
        size_t at = strlen(name);
        for (int crosses = 0; at > 0 && crosses < 2; at--) {
            crosses += name[at - 1] == 'x' || name[at - 1] == 'X';
        }
        while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') {
            at--;
        }
        length = at > 1 ? at - 1 : 0;
    }
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), name);
    if (!*out) {
        snprintf(out, size, "volume");
    }
}

// Writes a file name with which this volume can be opened as raw without options.
static void
convert_raw_name_of(const struct volume *volume, const char *path, char *out, size_t size)
{
    char stem[100];
    convert_stem_of(path, stem, sizeof stem);
    snprintf(
        out, size, "%s_%ux%ux%u_%s.raw", stem, volume->dim[0], volume->dim[1], volume->dim[2],
        volume_type_name(volume->file_type));
}

// Notes what a raw file does not store, for people who will open it.
static void convert_note_raw(const struct volume *volume, const struct options *options)
{
    const char *target = options->output;
    struct raw_name name;
    raw_name_parse(target, &name);
    bool right = name.has_dim && name.has_type && name.type == volume->file_type &&
                 (name.order != BYTE_ORDER_BIG || volume_type_size(volume->file_type) == 1);
    bool plain = true;
    for (int k = 0; k < 3; k++) {
        right = right && name.dim[k] == volume->dim[k];
        plain = plain && volume->spacing[k] == 1 && volume->origin[k] == 0 &&
                volume->direction[4 * k] == 1;
    }
    if (!right && !target_is_stdout(target)) {
        char better[200];
        convert_raw_name_of(volume, target, better, sizeof better);
        log_note(
            "%s a raw file; named %s it opens by itself",
            name.has_dim || name.has_type ? "the name says something else than is in"
                                          : "the name does not say what is in",
            better);
    }
    if (!plain) {
        log_note("a raw file keeps no spacing, origin and direction; NRRD does");
    }
}

static void convert_warn_losses(const struct resample_losses *losses, enum volume_type type)
{
    const char *name = volume_type_name(type);
    char count[32];
    if (losses->clamped) {
        log_warn(
            "%s samples are outside the range of %s and were clamped",
            number_thousands(losses->clamped, count), name);
    }
    if (losses->not_finite) {
        log_warn(
            "%s samples are not finite, which %s cannot say: NaN became 0, an infinity "
            "the range's end",
            number_thousands(losses->not_finite, count), name);
    }
    if (losses->rounded) {
        log_warn(
            "%s samples were rounded to values of %s", number_thousands(losses->rounded, count),
            name);
    }
}

// Changes session->volume into the volume that is written: cropped, thinned, of the new type.
static bool
convert_reshape(struct session *session, const struct options *options, struct problem *problem)
{
    struct volume *volume = &session->volume;
    struct resample_params params = options->resample;
    // The default is the type in memory: float64 was read as float32, and is written as float32.
    params.type = params.has_type ? params.type : volume->type;
    params.has_type = true;
    bool same = params.type == volume->type && params.stride <= 1;
    for (int k = 0; k < 3; k++) {
        same = same && params.from[k] == 0 && (params.to[k] == 0 || params.to[k] == volume->dim[k]);
    }
    if (same) {
        volume->file_type = volume->type;
        return true;
    }
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "converting");
    params.progress = &progress;
    struct volume reshaped;
    struct resample_losses losses;
    const bool fine = volume_resample(volume, &params, &reshaped, &losses, problem);
    progress_end(&meter);
    if (fine) {
        volume_destroy(volume);
        *volume = reshaped;
        convert_warn_losses(&losses, volume->file_type);
    }
    return fine;
}

static bool convert_write(
    const struct session *session, const struct options *options,
    const struct volume_format *format, bool gzip, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    const struct volume_write_params params = { .gzip = gzip, .progress = &progress };
    const bool fine = volume_write(format, &session->volume, options->output, &params, problem);
    progress_end(&meter);
    if (fine && options->verbose) {
        const uint32_t *dim = session->volume.dim;
        fprintf(
            stderr, "cubist: wrote %u x %u x %u samples, %s, as %s in %.0f ms\n", dim[0], dim[1],
            dim[2], volume_type_name(session->volume.file_type), format->name, clock_ms() - start);
    }
    return fine;
}

bool command_convert(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    bool gzip = false;
    if (!options->output) {
        char stem[100];
        convert_stem_of(path, stem, sizeof stem);
        return problem_set(
            problem, PROBLEM_USAGE, "convert needs a file to write, such as -o %s.nrrd", stem);
    }
    const struct volume_format *format =
        options->volume_format
            ? options->volume_format
            : volume_format_of(options->output, volume_format_find("nrrd"), &gzip, problem);
    if (!format || !target_check(options->output, NULL, problem)) {
        return false;
    }
    struct session session = { 0 };
    const bool fine = session_read(&session, path, options, problem) &&
                      convert_reshape(&session, options, problem) && progress_go_on(problem) &&
                      convert_write(&session, options, format, gzip || options->gzip, problem);
    if (fine && !format->write_header) {
        convert_note_raw(&session.volume, options);
    }
    return session_close(&session, fine, problem);
}
