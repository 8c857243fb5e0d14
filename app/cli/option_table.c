#include "app/cli/option_table.h"

#include "app/base/number.h"
#include "app/bench/bench_images.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BIT(command)  (1u << COMMAND_##command)
#define EVERY_COMMAND ((1u << COMMANDS) - 1)
#define SHOW_A_FILE   (BIT(VIEW) | BIT(INFO) | BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY) | BIT(BENCH))
#define READ_A_FILE   (SHOW_A_FILE | BIT(CONVERT))
#define OPEN_A_DEVICE (EVERY_COMMAND & ~(BIT(GENERATE) | BIT(CONVERT)))
#define EXTRACT       (BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY) | BIT(BENCH))
#define ONE_ISO       (BIT(VIEW) | BIT(INFO) | BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY))

// Largest picture and window, in pixels along a side.
#define MOST_PIXELS 16384

static bool option_refuse(const struct reading *reading, const char *expected)
{
    return problem_set(
        reading->problem, PROBLEM_USAGE, "--%s %.80s: expected %s", reading->name, reading->text,
        expected);
}

static bool option_read_help(const struct reading *reading)
{
    reading->options->print = PRINT_HELP;
    return true;
}

static bool option_read_version(const struct reading *reading)
{
    reading->options->print = PRINT_VERSION;
    return true;
}

static bool option_read_list_bindings(const struct reading *reading)
{
    reading->options->print = PRINT_BINDINGS;
    return true;
}

static bool option_read_list_formats(const struct reading *reading)
{
    reading->options->print = PRINT_FORMATS;
    return true;
}

static bool option_read_print(const struct reading *reading)
{
    static const char *const names[] = {
        [PRINT_MANUAL] = "man",
        [PRINT_BASH] = "bash",
        [PRINT_ZSH] = "zsh",
        [PRINT_FISH] = "fish",
    };
    for (size_t i = PRINT_MANUAL; i < sizeof names / sizeof *names; i++) {
        if (strcmp(reading->text, names[i]) == 0) {
            reading->options->print = (enum print)i;
            return true;
        }
    }
    return option_refuse(reading, "man, bash, zsh or fish");
}

// Reads a list of the plan with one of its functions.
static bool option_read_plan(
    const struct reading *reading, const char *(*read)(struct plan *plan, const char *text))
{
    const char *expected = read(&reading->options->plan, reading->text);
    return !expected || option_refuse(reading, expected);
}

static bool option_read_sizes(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_sizes);
}

static bool option_read_densities(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_densities);
}

static bool option_read_patterns(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_patterns);
}

static bool option_read_images(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_images);
}

static bool option_read_threshold(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_threshold);
}

static bool option_read_blocks(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_blocks);
}

static bool option_read_subgroup_size(const struct reading *reading)
{
    return option_read_plan(reading, plan_read_subgroup_size);
}

static bool option_read_rerun(const struct reading *reading)
{
    char name[80];
    reading->options->has_rerun = true;
    return experiments_read(reading->text, reading->options->reruns, name) ||
           problem_set(
               reading->problem, PROBLEM_USAGE,
               "--rerun %.80s: unknown experiment; see cubist bench --help, or: jumping-jack, "
               "new-algorithms, redzone, ink, all",
               name);
}

static bool option_read_csv(const struct reading *reading)
{
    if (!*reading->text) {
        return problem_set(reading->problem, PROBLEM_USAGE, "--csv needs the name of a file");
    }
    reading->options->csv = reading->text;
    return true;
}

// --verbose and --quiet: the later one wins.
static bool option_read_verbose(const struct reading *reading)
{
    struct options *options = reading->options;
    const char *level = reading->text ? reading->text : "info";
    options->verbose = strcmp(level, "info") == 0;
    options->quiet = strcmp(level, "error") == 0;
    return options->verbose || options->quiet || strcmp(level, "warning") == 0 ||
           option_refuse(reading, "error, warning or info");
}

static bool option_read_quiet(const struct reading *reading)
{
    reading->options->quiet = true;
    reading->options->verbose = false;
    return true;
}

static bool option_read_switch(const struct reading *reading)
{
    *(bool *)((char *)reading->options + reading->setting) = true;
    return true;
}

static bool option_read_device(const struct reading *reading)
{
    if (!*reading->text) {
        return option_refuse(reading, "an index or part of a name, see cubist devices");
    }
    reading->options->device = reading->text;
    return true;
}

// N means NxNxN. A text of another form is PROBLEM_USAGE. A number that no volume can have is the
// same kind of problem as in a file.
static bool option_read_dims(const struct reading *reading)
{
    const char *starts[3];
    size_t lengths[3];
    const size_t count = split(reading->text, 'x', 3, starts, lengths);
    if (!*reading->text || (count != 1 && count != 3)) {
        return option_refuse(
            reading, "WIDTHxHEIGHTxDEPTH in samples, such as 256x256x128, or N of a cube");
    }
    for (size_t i = count; i < 3; i++) {
        starts[i] = starts[0];
        lengths[i] = lengths[0];
    }
    for (int axis = 0; axis < 3; axis++) {
        uint64_t value = 0;
        const enum whole whole = whole_parse(starts[axis], lengths[axis], UINT32_MAX, &value);
        if (whole == WHOLE_TOO_LARGE) {
            return problem_set(
                reading->problem, PROBLEM_LIMIT,
                "--dims %.80s: %.*s samples along one axis are over the limit of %u", reading->text,
                (int)(lengths[axis] < 40 ? lengths[axis] : 40), starts[axis], UINT32_MAX);
        }
        if (whole != WHOLE_OK || value < 2) {
            return problem_set(
                reading->problem, PROBLEM_INPUT,
                "--dims %.80s: expected three whole numbers of at least 2; a surface needs two "
                "samples along each axis",
                reading->text);
        }
        reading->options->volume.dim[axis] = (uint32_t)value;
    }
    return true;
}

static bool option_read_type(const struct reading *reading)
{
    if (!volume_type_parse(reading->text, &reading->options->volume.type)) {
        return option_refuse(
            reading,
            "uint8, int8, uint16, int16, uint32, int32, float32 or float64 (or u8 ... f64)");
    }
    reading->options->volume.has_type = true;
    return true;
}

static bool option_read_endian(const struct reading *reading)
{
    if (strcmp(reading->text, "little") == 0) {
        reading->options->volume.order = BYTE_ORDER_LITTLE;
    } else if (strcmp(reading->text, "big") == 0) {
        reading->options->volume.order = BYTE_ORDER_BIG;
    } else {
        return option_refuse(reading, "little or big");
    }
    return true;
}

static bool option_read_offset(const struct reading *reading)
{
    const enum whole whole = whole_parse(
        reading->text, strlen(reading->text), INT64_MAX, &reading->options->volume.offset);
    if (whole == WHOLE_NOT_A_NUMBER) {
        return option_refuse(reading, "a number of bytes");
    }
    return whole == WHOLE_OK || problem_set(
                                    reading->problem, PROBLEM_INPUT,
                                    "--offset %.80s: it is larger than any file", reading->text);
}

static bool option_read_spacing(const struct reading *reading)
{
    const char *starts[3];
    size_t lengths[3];
    double *spacing = reading->options->volume.spacing;
    bool fine = split(reading->text, ',', 3, starts, lengths) == 3;
    for (int axis = 0; fine && axis < 3; axis++) {
        fine = number_parse(starts[axis], lengths[axis], &spacing[axis]) && spacing[axis] > 0;
    }
    return fine || option_refuse(reading, "X,Y,Z, three finite numbers above 0, such as 1,1,2.5");
}

// Reads WIDTHxHEIGHT, both 1 to `most`. With `square` also N, which stands for both.
static bool option_read_pair(
    const struct reading *reading, uint32_t most, bool square, uint32_t *width, uint32_t *height)
{
    const char *starts[2];
    size_t lengths[2];
    uint64_t values[2];
    const size_t count = split(reading->text, 'x', 2, starts, lengths);
    bool fine = count == 2 || (square && count == 1);
    if (count == 1) {
        starts[1] = starts[0];
        lengths[1] = lengths[0];
    }
    for (int i = 0; fine && i < 2; i++) {
        fine = whole_parse(starts[i], lengths[i], most, &values[i]) == WHOLE_OK && values[i] > 0;
    }
    if (fine) {
        *width = (uint32_t)values[0];
        *height = (uint32_t)values[1];
    }
    return fine;
}

static bool option_read_atlas(const struct reading *reading)
{
    uint32_t *atlas = reading->options->volume.atlas;
    return option_read_pair(reading, 65536, false, &atlas[0], &atlas[1]) ||
           option_refuse(reading, "COLSxROWS of tiles, such as 16x16");
}

static bool option_read_size(const struct reading *reading)
{
    struct options *options = reading->options;
    return option_read_pair(reading, MOST_PIXELS, true, &options->width, &options->height) ||
           option_refuse(reading, "WIDTHxHEIGHT in pixels, each 1 to 16384, or N of a square");
}

static bool option_read_count(const struct reading *reading, uint64_t most, uint64_t *out)
{
    return whole_parse(reading->text, strlen(reading->text), most, out) == WHOLE_OK && *out > 0;
}

static bool option_read_slices(const struct reading *reading)
{
    uint64_t count;
    if (!option_read_count(reading, UINT32_MAX, &count)) {
        return option_refuse(reading, "a number of slices");
    }
    reading->options->volume.slices = (uint32_t)count;
    return true;
}

static bool option_read_max_input(const struct reading *reading)
{
    double gib;
    if (!number_parse(reading->text, strlen(reading->text), &gib) || gib <= 0 || gib > 0x1p30) {
        return option_refuse(reading, "a number of GiB above 0, such as 20 or 0.5");
    }
    reading->options->volume.max_input = (uint64_t)ceil(gib * 0x1p30);
    return true;
}

static bool option_read_array(const struct reading *reading)
{
    if (!*reading->text) {
        return option_refuse(reading, "the name of an array in the file");
    }
    reading->options->volume.array = reading->text;
    return true;
}

static bool option_read_repeat(const struct reading *reading)
{
    uint64_t count;
    if (!option_read_count(reading, 10000, &count)) {
        return option_refuse(reading, "a whole number, 1 to 10000");
    }
    reading->options->repeat = (uint32_t)count;
    return true;
}

static bool option_read_against(const struct reading *reading)
{
    struct options *options = reading->options;
    const char *at = reading->text;
    for (options->against_count = 0; options->against_count < OPTIONS_ISOVALUES; at++) {
        const size_t length = strcspn(at, ",");
        double *ms = &options->against[options->against_count++];
        if (!number_parse(at, length, ms) || *ms <= 0) {
            break;
        }
        at += length;
        if (!*at) {
            return true;
        }
    }
    return option_refuse(reading, "milliseconds, one for each isovalue or one for all");
}

static bool option_read_check(const struct reading *reading)
{
    uint64_t count;
    if (!option_read_count(reading, 1000, &count)) {
        return option_refuse(reading, "a whole number, 1 to 1000");
    }
    reading->options->check = (uint32_t)count;
    return true;
}

static bool option_read_seed(const struct reading *reading)
{
    return whole_parse(reading->text, strlen(reading->text), INT64_MAX, &reading->options->seed) ==
               WHOLE_OK ||
           option_refuse(reading, "a whole number");
}

static bool option_read_exit_after(const struct reading *reading)
{
    return option_read_count(reading, INT64_MAX, &reading->options->exit_after) ||
           option_refuse(reading, "a number of frames");
}

static bool option_read_max_extent(const struct reading *reading)
{
    uint64_t extent;
    if (!option_read_count(reading, UINT32_MAX, &extent)) {
        return option_refuse(reading, "a number of texels");
    }
    reading->options->atlas.max_extent = (uint32_t)extent;
    return true;
}

static bool option_read_storage(const struct reading *reading)
{
    static const char *const names[] = {
        [ATLAS_STORAGE_AUTO] = "auto",
        [ATLAS_STORAGE_IMAGE] = "image",
        [ATLAS_STORAGE_BUFFER] = "buffer",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(reading->text, names[i]) == 0) {
            reading->options->atlas.storage = (enum atlas_storage)i;
            return true;
        }
    }
    return option_refuse(reading, "auto, image or buffer");
}

static bool option_read_iso(const struct reading *reading)
{
    static const char expected[] =
        "a finite number such as 36.5, a percentage of the range such as "
        "40%, or auto";
    struct options *options = reading->options;
    options->has_iso = true;
    if (command_id(options->command) != COMMAND_BENCH) {
        return isovalue_parse(reading->text, &options->isos[0]) || option_refuse(reading, expected);
    }
    const char *starts[OPTIONS_ISOVALUES];
    size_t lengths[OPTIONS_ISOVALUES];
    const size_t count = split(reading->text, ',', OPTIONS_ISOVALUES, starts, lengths);
    if (count > OPTIONS_ISOVALUES) {
        return option_refuse(reading, "at most 64 isovalues");
    }
    for (size_t i = 0; i < count; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)(lengths[i] < 63 ? lengths[i] : 63), starts[i]);
        if (lengths[i] >= sizeof text || !isovalue_parse(text, &options->isos[i])) {
            return option_refuse(
                reading, "comma-separated isovalues: numbers, percentages, or auto");
        }
    }
    options->iso_count = (uint32_t)count;
    return true;
}

static bool option_refuse_method(const struct reading *reading, const char *name, const char *all)
{
    struct word near;
    if (word_nearest(word_method, name, &near)) {
        return problem_set(
            reading->problem, PROBLEM_USAGE,
            "--method %.80s: unknown method; did you mean %s? See cubist methods%s", name,
            near.text, all);
    }
    return problem_set(
        reading->problem, PROBLEM_USAGE, "--method %.80s: unknown method; see cubist methods%s",
        name, all);
}

static const char or_all[] = "; all means every method";

static bool option_read_method(const struct reading *reading)
{
    struct options *options = reading->options;
    const bool may_be_all = command_id(options->command) == COMMAND_VERIFY;
    if (may_be_all && strcmp(reading->text, "all") == 0) {
        options->all_methods = true;
        return true;
    }
    options->method = method_find(reading->text);
    if (options->method && options->method->cpu && !may_be_all) {
        return problem_set(
            reading->problem, PROBLEM_USAGE, "--method %s: %s", reading->text,
            method_unavailable(options->method, NULL));
    }
    return options->method ||
           option_refuse_method(reading, reading->text, may_be_all ? or_all : "");
}

static bool option_read_methods(const struct reading *reading)
{
    char name[80];
    return plan_read_methods(&reading->options->plan, reading->text, name) ||
           option_refuse_method(reading, name, or_all);
}

static bool option_read_output(const struct reading *reading)
{
    if (!*reading->text) {
        return problem_set(
            reading->problem, PROBLEM_USAGE,
            "-o needs the name of a file, or - for standard output");
    }
    reading->options->output = reading->text;
    return true;
}

static bool option_read_memory_budget(const struct reading *reading)
{
    uint64_t count;
    if (!option_read_count(reading, UINT64_C(1) << 30, &count)) {
        return option_refuse(reading, "a whole number of MiB, 1 or more");
    }
    reading->options->memory_budget = count << 20;
    return true;
}

// Refuses a format. `known` lists the names of those that exist.
static bool option_refuse_format(const struct reading *reading, const char *known)
{
    return problem_set(
        reading->problem, PROBLEM_USAGE, "--format %.80s: unknown format; there are%s",
        reading->text, known);
}

static bool option_read_mesh_format(const struct reading *reading)
{
    reading->options->mesh_format = mesh_format_find(reading->text);
    if (reading->options->mesh_format) {
        return true;
    }
    char known[200] = "";
    for (const struct mesh_format *row = mesh_formats; row->name; row++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, " %s", row->name);
    }
    return option_refuse_format(reading, known);
}

static bool option_read_volume_format(const struct reading *reading)
{
    reading->options->volume_format = volume_format_find(reading->text);
    if (reading->options->volume_format) {
        return true;
    }
    char known[200] = "";
    for (const struct volume_format *row = volume_formats; row->name; row++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, " %s", row->name);
    }
    return option_refuse_format(reading, known);
}

static bool option_read_new_type(const struct reading *reading)
{
    struct resample_params *resample = &reading->options->resample;
    resample->has_type = true;
    return volume_type_parse(reading->text, &resample->type) ||
           option_refuse(
               reading,
               "uint8, int8, uint16, int16, uint32, int32, float32 or float64 (or u8 ... f64)");
}

static bool option_read_crop(const struct reading *reading)
{
    static const char expected[] =
        "X0:X1,Y0:Y1,Z0:Z1, samples counted from 0, the last one not included, such as "
        "0:64,10:80,: (where an end is left out, the end of the volume is used)";
    struct resample_params *resample = &reading->options->resample;
    const char *axes[3];
    size_t axis_lengths[3];
    if (split(reading->text, ',', 3, axes, axis_lengths) != 3) {
        return option_refuse(reading, expected);
    }
    for (int axis = 0; axis < 3; axis++) {
        const char *colon = memchr(axes[axis], ':', axis_lengths[axis]);
        if (!colon) {
            return option_refuse(reading, expected);
        }
        const size_t first = (size_t)(colon - axes[axis]);
        const size_t last = axis_lengths[axis] - first - 1;
        uint64_t from = 0, to = 0;
        if ((first && whole_parse(axes[axis], first, UINT32_MAX, &from) != WHOLE_OK) ||
            (last && whole_parse(colon + 1, last, UINT32_MAX, &to) != WHOLE_OK) ||
            (last && from >= to)) {
            return option_refuse(reading, expected);
        }
        resample->from[axis] = (uint32_t)from;
        resample->to[axis] = (uint32_t)to;
    }
    return true;
}

static bool option_read_stride(const struct reading *reading)
{
    uint64_t stride;
    if (!option_read_count(reading, UINT32_MAX, &stride)) {
        return option_refuse(reading, "a whole number, 1 or more");
    }
    reading->options->resample.stride = (uint32_t)stride;
    return true;
}

static bool option_read_trace(const struct reading *reading)
{
    if (!*reading->text) {
        return problem_set(reading->problem, PROBLEM_USAGE, "--trace needs the name of a file");
    }
    reading->options->trace = reading->text;
    return true;
}

static bool option_read_break(const struct reading *reading)
{
    static const char *const names[] = {
        [DAMAGE_DROP_CELL] = "drop-cell",
        [DAMAGE_FLIP_INDEX] = "flip-index",
        [DAMAGE_MOVE_VERTEX] = "move-vertex",
    };
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        if (strcmp(reading->text, names[i]) == 0) {
            reading->options->damage = (enum damage)i;
            return true;
        }
    }
    return option_refuse(reading, "drop-cell, flip-index or move-vertex");
}

// For a row with option_read_switch: the bool of struct options that the option sets.
#define SETTING(field) .setting = offsetof(struct options, field)

// An option may have several rows where commands take it differently; --help shows the one.
const struct option_row option_rows[] = {
    { "iso", 0, "V|P%|auto", ONE_ISO, option_read_iso,
      "isovalue: a number, a percentage of the range, or auto (default)" },
    { "iso", 0, "V,V,...", BIT(BENCH), option_read_iso,
      "isovalues, each a number, a percentage of the range, or auto\n(default: auto)" },
    { "method", 0, "NAME", BIT(VIEW) | BIT(EXTRACT) | BIT(RENDER), option_read_method,
      "compaction method, see cubist methods", .words = word_device_method },
    { "method", 0, "NAME,...|all", BIT(BENCH), option_read_methods,
      "compaction methods, see cubist methods (bench compaction: all)", .words = word_method },
    { "method", 0, "NAME|all", BIT(VERIFY), option_read_method, "compaction method (default: all)",
      .words = word_method },
    { "output", 'o', "FILE", BIT(EXTRACT) | BIT(RENDER) | BIT(GENERATE) | BIT(CONVERT),
      option_read_output, "the file to write; - is standard output" },
    { "format", 0, "NAME", BIT(EXTRACT), option_read_mesh_format,
      "format of the mesh, see --list-formats; overrides the name of -o",
      .words = word_mesh_format },
    { "memory-budget", 0, "MiB", BIT(VIEW) | BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY) | BIT(BENCH),
      option_read_memory_budget,
      "work part by part within this much device memory; FILE may be\nlarger than all memory" },
    { "format", 0, "NAME", BIT(CONVERT) | BIT(GENERATE), option_read_volume_format,
      "format of the volume, see --list-formats; overrides the name of -o",
      .words = word_volume_format },
    { "crop", 0, "X0:X1,Y0:Y1,Z0:Z1", BIT(CONVERT), option_read_crop,
      "keep the samples from X0 up to, but not including, X1, and so on;\n"
      "where an end is left out, the end of the volume is used" },
    { "stride", 0, "N", BIT(CONVERT), option_read_stride,
      "keep every N-th sample along each axis" },
    { "gzip", 0, NULL, BIT(CONVERT) | BIT(GENERATE), option_read_switch, "compress the samples", SETTING(gzip) },
    { "size", 0, "WxH", BIT(VIEW) | BIT(RENDER), option_read_size,
      "pixels (default 1280x800); one number is a square" },
    { "size", 0, "N,...", BIT(BENCH), option_read_sizes,
      "elements of a stream, 1 to 256M, such as 32K,4M (default 4M)" },
    { "density", 0, "P,...", BIT(BENCH), option_read_densities,
      "how many elements are kept, in percent (default 10,50,90)" },
    { "pattern", 0, "random|runs:N|tail:P|first|middle|last|alternating", BIT(BENCH),
      option_read_patterns,
      "which elements are kept; several with commas (default random).\n"
      "runs:N: in runs of N; tail:P: of k removed elements, P percent\n"
      "are among the last k; first, middle, last: only one element" },
    { "image", 0, "NAME|FILE", BIT(BENCH), option_read_images,
      "the pixels of an image, and of its negative: an image that cubist\n"
      "makes, or any PNG, scaled to a square; several with commas",
      .words = word_image, .files = word_png_extension },
    { "threshold", 0, "P", BIT(BENCH), option_read_threshold,
      "pixels with at least P percent of white are kept (default 50)" },
    { "block", 0, "N,...", BIT(BENCH), option_read_blocks,
      "elements of a block, a power of two from 16 to 2048, for methods\n"
      "that work in blocks (default 256)" },
    { "subgroup-size", 0, "N", BIT(BENCH), option_read_subgroup_size,
      "a subgroup size of the device (default: the device selects it)" },
    { "no-skip", 0, NULL, BIT(VIEW) | BIT(BENCH) | BIT(VERIFY), option_read_switch,
      "visit all bricks, also those that the isovalue misses", SETTING(every_brick) },
    { "concatenate", 0, NULL, BIT(BENCH), option_read_switch,
      "compact blocks separately, then concatenate them, as Moreira et al.",
      SETTING(plan.concatenate) },
    { "removals", 0, NULL, BIT(BENCH), option_read_switch,
      "also measure with a given list of words to remove: methods that\n"
      "remove use the list, the others mark its words first",
      SETTING(plan.removals) },
    { "stages", 0, NULL, BIT(BENCH), option_read_switch, "also time each stage of a method",
      SETTING(plan.stages) },
    { "rerun", 0, "NAME,...|all", BIT(BENCH), option_read_rerun,
      "repeat a paper's measurement, see above", .words = word_rerun },
    { "csv", 0, "FILE", BIT(BENCH), option_read_csv,
      "write all results as one table; - is standard output" },
    { "transparent", 0, NULL, BIT(RENDER), option_read_switch, "leave the background out",
      SETTING(transparent) },
    { "wireframe", 0, NULL, BIT(RENDER), option_read_switch, "draw only the triangles' edges",
      SETTING(view.wireframe) },
    { "flat", 0, NULL, BIT(RENDER), option_read_switch,
      "shade each triangle flat instead of smooth", SETTING(view.flat) },
    { "repeat", 0, "N", BIT(BENCH), option_read_repeat,
      "timed runs of each measurement (default 9)" },
    { "against", 0, "MS,...", BIT(BENCH), option_read_against,
      "after how many isovalues cubist is ahead of a program that needs\n"
      "this many milliseconds for each, and no device (one number for all,\nor one each)" },
    { "check", 0, "N", BIT(BENCH), option_read_check,
      "compare auto with all methods on N random streams" },
    { "seed", 0, "N", BIT(BENCH), option_read_seed,
      "seed of the random streams of --check (default 0)" },
    { "quick", 0, NULL, BIT(BENCH), option_read_switch, "calibrate only on short streams",
      SETTING(quick) },
    { "json", 0, NULL,
      BIT(INFO) | BIT(EXTRACT) | BIT(VERIFY) | BIT(DEVICES) | BIT(METHODS) | BIT(BENCH),
      option_read_switch, "print one JSON object", SETTING(json) },
    { "trace", 0, "FILE", BIT(VIEW), option_read_trace, "write one line of JSON for each frame" },
    { "exit-after", 0, "N", BIT(VIEW), option_read_exit_after, "end after N frames" },
    { "dims", 0, "WxHxD", READ_A_FILE, option_read_dims,
      "samples along x, y, z; overrides the name; one number is a cube" },
    { "dims", 0, "WxHxD", BIT(GENERATE), option_read_dims,
      "samples along x, y, z (default 128x128x128); one number is a cube" },
    { "type", 0, "TYPE", SHOW_A_FILE, option_read_type,
      "uint8 int8 uint16 int16 uint32 int32 float32 float64; overrides\nthe name",
      .words = word_type },
    { "type", 0, "TYPE", BIT(GENERATE), option_read_type,
      "uint8 int8 uint16 int16 uint32 int32 float32 float64\n(default uint8)", .words = word_type },
    { "type", 0, "TYPE", BIT(CONVERT), option_read_new_type,
      "type of the written samples (default: unchanged)", .words = word_type },
    { "input-type", 0, "TYPE", BIT(CONVERT), option_read_type,
      "type of the samples of a raw file; overrides the name", .words = word_type },
    { "endian", 0, "little|big", READ_A_FILE, option_read_endian, "byte order of a raw file" },
    { "offset", 0, "BYTES", READ_A_FILE, option_read_offset,
      "bytes to skip at the start of a raw file" },
    { "spacing", 0, "X,Y,Z", READ_A_FILE, option_read_spacing, "distance between samples" },
    { "atlas", 0, "COLSxROWS", READ_A_FILE, option_read_atlas,
      "FILE is one image that holds the slices as tiles" },
    { "slices", 0, "N", READ_A_FILE, option_read_slices,
      "number of slices in the --atlas (default: all its tiles)" },
    { "array", 0, "NAME", READ_A_FILE, option_read_array,
      "which array of a VTK file to read (default: its scalars)" },
    { "max-input", 0, "GiB", READ_A_FILE, option_read_max_input,
      "how much of standard input may be stored (default: half of the free\n"
      "space there), and how much of a file may be read only to be skipped\n"
      "(default: half of the free memory); for more the exit code is 4" },
    { "device", 0, "NAME|INDEX", OPEN_A_DEVICE, option_read_device,
      "Vulkan device, see cubist devices" },
    { "validate", 0, NULL, OPEN_A_DEVICE, option_read_switch,
      "run under the validation layers; exit with 1 on any message of them\n"
      "(CUBIST_VALIDATE=1 in the environment does the same)",
      SETTING(validate) },
    { "verbose", 0, "[error|warning|info]", EVERY_COMMAND, option_read_verbose,
      "how much is printed on standard error (default warning);\nwithout a level: info" },
    { "quiet", 'q', NULL, EVERY_COMMAND, option_read_quiet,
      "print only errors: no notes, no progress, and no report of a command\nthat writes a file "
      "(--json still prints it)" },
    { "help", 'h', NULL, EVERY_COMMAND, option_read_help, "print this and exit", .at_once = true },
    { "version", 0, NULL, EVERY_COMMAND, option_read_version, "print the version and exit",
      .at_once = true },
    { "list-bindings", 0, NULL, 0, option_read_list_bindings,
      "print the keys and gestures of the window and exit", .at_once = true },
    { "list-formats", 0, NULL, 0, option_read_list_formats,
      "print the formats that cubist reads and writes and exit", .at_once = true },
    { "print", 0, "man|bash|zsh|fish", 0, option_read_print,
      "print the man page, or the completions of a shell,\nand exit", .at_once = true },
    { "storage", 0, "auto|image|buffer", EXTRACT, option_read_storage,
      "how the samples are stored on the device", .for_tests = true },
    { "max-extent", 0, "N", EXTRACT, option_read_max_extent,
      "pretend that images are limited to N texels along a side", .for_tests = true },
    // Damages the device's result before it is compared. This proves that verify can fail.
    { "break", 0, "drop-cell|flip-index|move-vertex", BIT(VERIFY), option_read_break,
      "damage the device's result: verify must exit 6", .for_tests = true },
    { 0 },
};

size_t option_row_first(const struct option_row *row)
{
    size_t first = 0;
    while (strcmp(option_rows[first].name, row->name) != 0) {
        first++;
    }
    return first;
}

bool option_row_is_first(const struct option_row *row)
{
    return &option_rows[option_row_first(row)] == row;
}

const struct option_row *
option_row_for(const struct option_row *first, const struct command *command)
{
    for (const struct option_row *row = first; row->name; row++) {
        if (strcmp(row->name, first->name) == 0 && (row->commands & 1u << command_id(command))) {
            return row;
        }
    }
    return NULL;
}

bool option_given(const struct options *options, const char *name)
{
    for (size_t i = 0; option_rows[i].name; i++) {
        if (strcmp(option_rows[i].name, name) == 0) {
            return options->given[i];
        }
    }
    assert(!"an option that the table knows");
    return false;
}
