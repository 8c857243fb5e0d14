#include "app/extract/target.h"

#include "app/base/number.h"
#include "app/base/target.h"
#include "app/cli/option_table.h"
#include "app/ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool mesh_target_in_pieces(const struct options *options, struct problem *problem)
{
    struct stat st;
    const bool file = !target_is_stdout(options->output) &&
                      (stat(options->output, &st) != 0 || S_ISREG(st.st_mode));
    return file || problem_set(
                       problem, PROBLEM_USAGE,
                       "%.400s: a .pvtp file has a folder of pieces beside it; name a file",
                       options->output);
}

// Refuses --color and --opacity if the format has no materials.
static bool mesh_target_materials(
    const struct options *options, const struct mesh_format *format, struct problem *problem)
{
    const bool colour = option_given(options, "color");
    return (format && format->has_objects) || (!colour && !option_given(options, "opacity")) ||
           problem_set(
               problem, PROBLEM_USAGE,
               "--%s is for meshes with materials, which only GLB files have; write a .glb file",
               colour ? "color" : "opacity");
}

bool mesh_target(
    const struct options *options, const struct mesh_format **format, struct problem *problem)
{
    *format = options->mesh_format;
    if (!options->output) {
        return mesh_target_materials(options, NULL, problem) &&
               ((!options->mesh_format && !options->pieces) ||
                problem_set(
                    problem, PROBLEM_USAGE, "--%s needs a file to write; name one with -o FILE",
                    options->mesh_format ? "format" : "pieces"));
    }
    if (!*format && !(*format = mesh_format_of(options->output, problem))) {
        return false;
    }
    if (*format != &mesh_format_pvtp && options->pieces) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--pieces is for meshes in pieces, and a %s file is not one; write a .pvtp file",
            (*format)->extension);
    }
    return mesh_target_materials(options, *format, problem) &&
           target_check(options->output, NULL, problem) &&
           (*format != &mesh_format_pvtp || mesh_target_in_pieces(options, problem));
}

// Refuses -o if it names a mesh.
static bool share_target_named(const struct options *options, struct problem *problem)
{
    const char *dot = strrchr(options->output, '.');
    const struct mesh_format *format = NULL;
    for (size_t i = 0; dot && (format = mesh_format_at(i)); i++) {
        if (strcasecmp(dot, format->extension) == 0) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "%.400s: --share writes a share, not a mesh; expected a name that ends in %s, such "
                "as mesh.%u%s",
                options->output, SHARE_EXTENSION, options->share, SHARE_EXTENSION);
        }
    }
    return true;
}

// Refuses --share without the options that it needs, or with options that it cannot have.
static bool share_target(const struct options *options, struct problem *problem)
{
    if (options->isos[0].kind != ISOVALUE_NUMBER) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share needs --iso with a number, because no share sees the whole volume; cubist "
            "info %.400s suggests one",
            options->operands[0]);
    }
    if (!options->output && !options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE, "--share needs a file to write, such as -o mesh.%u.share",
            options->share);
    }
    if (options->output && options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share with --resume takes no -o: it fills the folder; the run without --share, or "
            "cubist merge, writes the mesh");
    }
    static const char *const of_mesh[] = { "format", "pieces", "color", "opacity" };
    for (size_t i = 0; i < sizeof of_mesh / sizeof *of_mesh; i++) {
        if (option_given(options, of_mesh[i])) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "--share takes no --%s: give it to cubist merge, which writes the mesh",
                of_mesh[i]);
        }
    }
    return options->resume || (share_target_named(options, problem) &&
                               target_check(options->output, SHARE_EXTENSION, problem));
}

// Whether the target is a file that a complete mesh can replace. /dev/stdout is written directly,
// even where it is a file.
static bool target_is_file(const char *target)
{
    struct stat st;
    const bool direct = strncmp(target, "/dev/std", 8) == 0 ||
                        strncmp(target, "/dev/fd/", 8) == 0 || strncmp(target, "/proc/", 6) == 0;
    return !direct && !target_is_stdout(target) &&
           (stat(target, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

// Refuses what several processes, or one with --resume, cannot do.
static bool folder_target(const struct options *options, struct problem *problem)
{
    const int count = ranks()->count;
    if (options->share && !options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share is for cubist: %d processes of cubist-mpi divide the work themselves", count);
    }
    return !options->output || count == 1 || target_is_file(options->output) ||
           problem_set(
               problem, PROBLEM_USAGE,
               "%d processes can only write a file together, and '%.400s' is not a file; name a "
               "file "
               "with -o, or use cubist",
               count, options->output);
}

bool target_has_names(const struct options *options)
{
    return options->output && (strstr(options->output, "{iso}") || strstr(options->output, "{n}"));
}

bool target_of_several(
    const struct options *options, enum jobs_target target, const struct mesh_format *format,
    struct problem *problem)
{
    const char *output = options->output;
    if (options->share || options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE, "--%s takes one isovalue, and --iso has %u",
            options->share ? "share" : "resume", options->iso_count);
    }
    if (!output || target_has_names(options) || (format->has_objects && target == JOBS_MEMORY)) {
        return true;
    }
    return problem_set(
        problem, PROBLEM_USAGE,
        "-o %.400s: %u isovalues need a file each%s; put {iso} or {n} into the name, such as "
        "mesh_{iso}%s",
        output, options->iso_count, format->has_objects ? " if several processes write them" : "",
        format->extension);
}

// The pattern with {iso} and {n} replaced; NULL: out of memory. The caller frees it.
static char *target_name(const char *pattern, double iso, uint32_t number)
{
    char *text = NULL, value[32];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (const char *at = pattern; out && *at;) {
        if (strncmp(at, "{iso}", 5) == 0) {
            fputs(number_text(iso, value), out);
            at += 5;
        } else if (strncmp(at, "{n}", 3) == 0) {
            fprintf(out, "%u", number);
            at += 3;
        } else {
            fputc(*at++, out);
        }
    }
    if (out && fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

bool target_names(
    const struct options *options, const struct volume_facts *facts, char *names[CONTOURS_MOST],
    struct problem *problem)
{
    const uint32_t count = target_has_names(options) ? options->iso_count : 0;
    const bool of_isos = count > 0 && strstr(options->output, "{iso}");
    for (uint32_t i = 0; i < count; i++) {
        if (names[i] || (of_isos && !facts && options->isos[i].kind != ISOVALUE_NUMBER)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const double iso = of_isos ? isovalue_resolve(&options->isos[i], facts) : 0;
        if (!(names[i] = target_name(options->output, iso, i + 1))) {
            return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(names[i], names[k]) == 0) {
                return problem_set(
                    problem, PROBLEM_USAGE,
                    "-o %.400s: isovalues %u and %u would both be written to '%.400s'; put {n} "
                    "into the name",
                    options->output, k + 1, i + 1, names[i]);
            }
        }
        if (!target_check(names[i], NULL, problem)) {
            return false;
        }
    }
    return true;
}

bool extract_target(
    const struct options *options, enum jobs_target *target, const struct mesh_format **format,
    struct problem *problem)
{
    const bool alone = options->share || (options->output && !target_is_file(options->output));
    const bool folder = options->resume || ranks()->count > 1 || (ranks()->mpi && !alone);
    *target = folder ? JOBS_FOLDER : options->share ? JOBS_FILE : JOBS_MEMORY;
    *format = NULL;
    if (option_given(options, "balance") && !ranks()->mpi) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--balance is for several processes: start cubist-mpi with mpirun or srun");
    }
    return (!folder || folder_target(options, problem)) &&
           (options->share ? share_target(options, problem)
                           : mesh_target(options, format, problem)) &&
           (options->iso_count == 1 || target_of_several(options, *target, *format, problem));
}
