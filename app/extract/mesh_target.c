#include "app/extract/mesh_target.h"

#include "app/base/target.h"

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

bool mesh_target(
    const struct options *options, const struct mesh_format **format, struct problem *problem)
{
    *format = options->mesh_format;
    if (!options->output) {
        return (!options->mesh_format && !options->pieces) ||
               problem_set(
                   problem, PROBLEM_USAGE, "--%s needs a file to write; name one with -o FILE",
                   options->mesh_format ? "format" : "pieces");
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
    return target_check(options->output, NULL, problem) &&
           (*format != &mesh_format_pvtp || mesh_target_in_pieces(options, problem));
}
