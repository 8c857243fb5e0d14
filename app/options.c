// One table of long options: getopt_long, every --help and the check of what a command takes all
// read it. Values are read only after the command is known, so that `--iso` may mean a list.
#include "app/options.h"

#include "app/number.h"
#include "volumes/generate.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define BIT(command)  (1u << COMMAND_##command)
#define EVERY_COMMAND ((1u << COMMANDS) - 1)
#define READ_A_FILE   (BIT(VIEW) | BIT(INFO) | BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY) | BIT(BENCH))
#define OPEN_A_DEVICE (EVERY_COMMAND & ~(BIT(INFO) | BIT(GENERATE)))
#define EXTRACT       (BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY) | BIT(BENCH))

// Largest picture and window, in pixels along a side.
#define MOST_PIXELS 16384

struct reading {
    const char *name; // of the option
    const char *text; // its value, NULL where it takes none
    struct options *options;
    struct problem *problem;
};

struct row {
    const char *name;
    char letter;
    const char *value; // as --help shows it; NULL: takes none
    uint32_t commands; // bit per command that takes it
    bool (*read)(const struct reading *reading);
    const char *help;
    bool for_tests;
};

static bool refuse(const struct reading *reading, const char *expected)
{
    return problem_set(
        reading->problem, PROBLEM_USAGE, "--%s %.80s: expected %s", reading->name, reading->text,
        expected);
}

static bool read_help(const struct reading *reading)
{
    reading->options->help = true;
    return true;
}

static bool read_version(const struct reading *reading)
{
    reading->options->version = true;
    return true;
}

static bool read_json(const struct reading *reading)
{
    reading->options->json = true;
    return true;
}

static bool read_verbose(const struct reading *reading)
{
    reading->options->verbose = true;
    return true;
}

static bool read_validate(const struct reading *reading)
{
    reading->options->validate = true;
    return true;
}

static bool read_transparent(const struct reading *reading)
{
    reading->options->transparent = true;
    return true;
}

static bool read_wireframe(const struct reading *reading)
{
    reading->options->wireframe = true;
    return true;
}

static bool read_device(const struct reading *reading)
{
    if (!*reading->text) {
        return refuse(reading, "an index or part of a name, see cubist devices");
    }
    reading->options->device = reading->text;
    return true;
}

// A form that is not WxHxD is a slip of the command line; a number that no volume can have is as
// wrong here as in a file.
static bool read_dims(const struct reading *reading)
{
    const char *starts[3];
    size_t lengths[3];
    if (split(reading->text, 'x', 3, starts, lengths) != 3) {
        return refuse(reading, "WIDTHxHEIGHTxDEPTH in samples, such as 256x256x128");
    }
    for (int axis = 0; axis < 3; axis++) {
        uint64_t value = 0;
        const enum whole whole = whole_parse(starts[axis], lengths[axis], UINT32_MAX, &value);
        if (whole == WHOLE_TOO_LARGE) {
            return problem_set(
                reading->problem, PROBLEM_DEVICE,
                "--dims %.80s: %.*s samples along one axis are over the limit of %u", reading->text,
                (int)(lengths[axis] < 40 ? lengths[axis] : 40), starts[axis], UINT32_MAX);
        }
        if (whole != WHOLE_OK || value < 2) {
            return problem_set(
                reading->problem, PROBLEM_INPUT,
                "--dims %.80s: expected three whole numbers of at least 2, a surface needs two "
                "samples along each axis",
                reading->text);
        }
        reading->options->volume.dim[axis] = (uint32_t)value;
    }
    return true;
}

static bool read_type(const struct reading *reading)
{
    if (!volume_type_parse(reading->text, &reading->options->volume.type)) {
        return refuse(
            reading,
            "uint8, int8, uint16, int16, uint32, int32, float32 or float64 (or u8 ... f64)");
    }
    reading->options->volume.has_type = true;
    return true;
}

static bool read_endian(const struct reading *reading)
{
    if (strcmp(reading->text, "little") == 0) {
        reading->options->volume.order = BYTE_ORDER_LITTLE;
    } else if (strcmp(reading->text, "big") == 0) {
        reading->options->volume.order = BYTE_ORDER_BIG;
    } else {
        return refuse(reading, "little or big");
    }
    return true;
}

static bool read_offset(const struct reading *reading)
{
    const enum whole whole = whole_parse(
        reading->text, strlen(reading->text), INT64_MAX, &reading->options->volume.offset);
    if (whole == WHOLE_NOT_A_NUMBER) {
        return refuse(reading, "a number of bytes");
    }
    return whole == WHOLE_OK || problem_set(
                                    reading->problem, PROBLEM_INPUT,
                                    "--offset %.80s: lies outside every file", reading->text);
}

static bool read_spacing(const struct reading *reading)
{
    const char *starts[3];
    size_t lengths[3];
    double *spacing = reading->options->volume.spacing;
    bool fine = split(reading->text, ',', 3, starts, lengths) == 3;
    for (int axis = 0; fine && axis < 3; axis++) {
        fine = number_parse(starts[axis], lengths[axis], &spacing[axis]) && spacing[axis] > 0;
    }
    return fine || refuse(reading, "X,Y,Z, three finite numbers above 0, such as 1,1,2.5");
}

// WIDTHxHEIGHT, both 1 to `most`.
static bool
read_pair(const struct reading *reading, uint32_t most, uint32_t *width, uint32_t *height)
{
    const char *starts[2];
    size_t lengths[2];
    uint64_t values[2];
    bool fine = split(reading->text, 'x', 2, starts, lengths) == 2;
    for (int i = 0; fine && i < 2; i++) {
        fine = whole_parse(starts[i], lengths[i], most, &values[i]) == WHOLE_OK && values[i] > 0;
    }
    if (fine) {
        *width = (uint32_t)values[0];
        *height = (uint32_t)values[1];
    }
    return fine;
}

static bool read_atlas(const struct reading *reading)
{
    uint32_t *atlas = reading->options->volume.atlas;
    return read_pair(reading, 65536, &atlas[0], &atlas[1]) ||
           refuse(reading, "COLSxROWS of tiles, such as 16x16");
}

static bool read_size(const struct reading *reading)
{
    struct options *options = reading->options;
    return read_pair(reading, MOST_PIXELS, &options->width, &options->height) ||
           refuse(reading, "WIDTHxHEIGHT in pixels, each 1 to 16384");
}

static bool read_count(const struct reading *reading, uint64_t most, uint64_t *out)
{
    return whole_parse(reading->text, strlen(reading->text), most, out) == WHOLE_OK && *out > 0;
}

static bool read_slices(const struct reading *reading)
{
    uint64_t count;
    if (!read_count(reading, UINT32_MAX, &count)) {
        return refuse(reading, "a number of slices");
    }
    reading->options->volume.slices = (uint32_t)count;
    return true;
}

static bool read_repeat(const struct reading *reading)
{
    uint64_t count;
    if (!read_count(reading, 10000, &count)) {
        return refuse(reading, "a whole number, 1 to 10000");
    }
    reading->options->repeat = (uint32_t)count;
    return true;
}

static bool read_exit_after(const struct reading *reading)
{
    return read_count(reading, INT64_MAX, &reading->options->exit_after) ||
           refuse(reading, "a number of frames");
}

static bool read_max_extent(const struct reading *reading)
{
    uint64_t extent;
    if (!read_count(reading, UINT32_MAX, &extent)) {
        return refuse(reading, "a number of texels");
    }
    reading->options->atlas.max_extent = (uint32_t)extent;
    return true;
}

static bool read_storage(const struct reading *reading)
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
    return refuse(reading, "auto, image or buffer");
}

static bool read_iso(const struct reading *reading)
{
    static const char expected[] =
        "a finite number with a point, a percentage of the range such as "
        "40%, or auto";
    struct options *options = reading->options;
    if (command_id(options->command) != COMMAND_BENCH) {
        return isovalue_parse(reading->text, &options->isos[0]) || refuse(reading, expected);
    }
    const char *starts[OPTIONS_ISOVALUES];
    size_t lengths[OPTIONS_ISOVALUES];
    const size_t count = split(reading->text, ',', OPTIONS_ISOVALUES, starts, lengths);
    if (count > OPTIONS_ISOVALUES) {
        return refuse(reading, "at most 64 isovalues");
    }
    for (size_t i = 0; i < count; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)(lengths[i] < 63 ? lengths[i] : 63), starts[i]);
        if (lengths[i] >= sizeof text || !isovalue_parse(text, &options->isos[i])) {
            return refuse(reading, "isovalues parted by commas: numbers, percentages, or auto");
        }
    }
    options->iso_count = (uint32_t)count;
    return true;
}

static bool read_method(const struct reading *reading)
{
    struct options *options = reading->options;
    const uint32_t id = 1u << command_id(options->command);
    const bool may_be_all = id & (BIT(VERIFY) | BIT(BENCH));
    if (may_be_all && strcmp(reading->text, "all") == 0) {
        options->all_methods = true;
        return true;
    }
    options->method = method_find(reading->text);
    if (options->method) {
        return true;
    }
    char known[400] = "";
    for (const struct method *method = methods; method->name; method++) {
        const size_t length = strlen(known);
        snprintf(
            known + length, sizeof known - length, "%s%s", method == methods ? "" : ", ",
            method->name);
    }
    return problem_set(
        reading->problem, PROBLEM_USAGE, "--method %.80s: unknown method; there are %s%s",
        reading->text, known, may_be_all ? ", and all" : "");
}

static bool read_output(const struct reading *reading)
{
    if (!*reading->text) {
        return problem_set(
            reading->problem, PROBLEM_USAGE,
            "-o needs the name of a file, or - for standard output");
    }
    reading->options->output = reading->text;
    return true;
}

static bool read_trace(const struct reading *reading)
{
    if (!*reading->text) {
        return problem_set(reading->problem, PROBLEM_USAGE, "--trace needs the name of a file");
    }
    reading->options->trace = reading->text;
    return true;
}

static bool read_break(const struct reading *reading)
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
    return refuse(reading, "drop-cell, flip-index or move-vertex");
}

static const struct row rows[] = {
    { "iso", 0, "V|P%|auto", EXTRACT | BIT(VIEW), read_iso,
      "isovalue: a number, a percentage of the range, or auto (default);\n"
      "bench takes several, parted by commas" },
    { "method", 0, "NAME", EXTRACT | BIT(VIEW), read_method,
      "compaction method, see cubist methods; verify and bench take\n"
      "all too" },
    { "output", 'o', "FILE", BIT(EXTRACT) | BIT(RENDER) | BIT(GENERATE), read_output,
      "where to write; - is standard output" },
    { "size", 0, "WxH", BIT(VIEW) | BIT(RENDER), read_size, "pixels (default 1280x800)" },
    { "transparent", 0, NULL, BIT(RENDER), read_transparent, "leave the background out" },
    { "wireframe", 0, NULL, BIT(RENDER), read_wireframe, "draw the triangles' edges only" },
    { "repeat", 0, "N", BIT(BENCH), read_repeat, "timed runs for each isovalue (default 9)" },
    { "json", 0, NULL,
      BIT(INFO) | BIT(EXTRACT) | BIT(VERIFY) | BIT(DEVICES) | BIT(METHODS) | BIT(BENCH), read_json,
      "print one JSON object" },
    { "trace", 0, "FILE", BIT(VIEW), read_trace, "write one line of JSON for each frame" },
    { "exit-after", 0, "N", BIT(VIEW), read_exit_after, "end after N frames" },
    { "dims", 0, "WxHxD", READ_A_FILE | BIT(GENERATE), read_dims,
      "samples along x, y, z; wins over the file's name" },
    { "type", 0, "TYPE", READ_A_FILE | BIT(GENERATE), read_type,
      "uint8 int8 uint16 int16 uint32 int32 float32 float64" },
    { "endian", 0, "little|big", READ_A_FILE, read_endian, "byte order of a raw file" },
    { "offset", 0, "BYTES", READ_A_FILE, read_offset, "bytes to skip at the start of a raw file" },
    { "spacing", 0, "X,Y,Z", READ_A_FILE, read_spacing, "distance between samples" },
    { "atlas", 0, "COLSxROWS", READ_A_FILE, read_atlas, "FILE is one image that tiles the slices" },
    { "slices", 0, "N", READ_A_FILE, read_slices,
      "slices in the --atlas (default: all its tiles)" },
    { "device", 0, "NAME|INDEX", OPEN_A_DEVICE, read_device, "Vulkan device, see cubist devices" },
    { "validate", 0, NULL, OPEN_A_DEVICE, read_validate,
      "run under the validation layers; exit 1 when they say anything\n"
      "(CUBIST_VALIDATE=1 in the environment does the same)" },
    { "verbose", 0, NULL, EVERY_COMMAND, read_verbose, "say more on standard error" },
    { "help", 'h', NULL, EVERY_COMMAND, read_help, "print this and exit" },
    { "version", 0, NULL, EVERY_COMMAND, read_version, "print the version and exit" },
    { "storage", 0, "auto|image|buffer", EXTRACT, read_storage,
      "how the volume is kept on the device", .for_tests = true },
    { "max-extent", 0, "N", EXTRACT, read_max_extent,
      "pretend that images are limited to N texels along a side", .for_tests = true },
    // Damages what came from the device before it is compared: proof that verify can fail.
    { "break", 0, "drop-cell|flip-index|move-vertex", BIT(VERIFY), read_break,
      "damage the device's result: verify must exit 6", .for_tests = true },
};

#define ROWS (sizeof rows / sizeof *rows)

static void print_row(const struct row *row, FILE *out)
{
    char left[80];
    snprintf(
        left, sizeof left, "  %c%c%s--%s%s%s", row->letter ? '-' : ' ',
        row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
        row->value ? " " : "", row->value ? row->value : "");
    // Lines after the first, and the help of an option too wide for its column, start there.
    fprintf(out, strlen(left) < 30 ? "%-30s" : "%s\n%30s", left, "");
    for (const char *at = row->help; *at;) {
        const char *end = strchrnul(at, '\n');
        fprintf(
            out, "%s%.*s\n", at == row->help ? "" : "                              ",
            (int)(end - at), at);
        at = *end ? end + 1 : end;
    }
}

static void
print_rows(uint32_t bits, bool all_of_them, bool for_tests, const char *title, FILE *out)
{
    bool begun = false;
    for (size_t i = 0; i < ROWS; i++) {
        const uint32_t common = rows[i].commands & bits;
        if ((all_of_them ? common == bits : common != 0) && rows[i].for_tests == for_tests) {
            if (!begun) {
                fprintf(out, "\n%s:\n", title);
                begun = true;
            }
            print_row(&rows[i], out);
        }
    }
}

void options_help(const struct command *command, FILE *out)
{
    if (command) {
        const uint32_t bit = 1u << command_id(command);
        fprintf(
            out, "usage: cubist %s%s%s [options]\n\n%s\n", command->name,
            *command->operands ? " " : "", command->operands, command->summary);
        if (command->details) {
            fprintf(out, "\n%s", command->details);
        }
        if (command_id(command) == COMMAND_GENERATE) {
            fputs("\nNAME is one of:\n", out);
            for (const struct generator *row = generators; row->name; row++) {
                fprintf(out, "  %-18s%s\n", row->name, row->summary);
            }
        }
        print_rows(bit, true, false, "options", out);
        print_rows(bit, true, true, "for tests", out);
        return;
    }
    fputs(
        "usage: cubist [view] [FILE] [options]\n"
        "       cubist COMMAND [operands] [options]\n\n"
        "Isosurfaces of volumes, extracted on the GPU.\n\n"
        "commands:\n",
        out);
    for (int i = 0; i < COMMANDS; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].operands);
        fprintf(out, "  %-22s%s\n", left, commands[i].summary);
    }
    print_rows(EVERY_COMMAND, true, false, "options of every command", out);
    fputs(
        "\nEach command has more: cubist COMMAND --help. A file that is named like a command is\n"
        "reached as ./info, or after --.\n\n"
        "FILE is a raw volume whose name tells its size, such as bonsai_256x256x256_uint8.raw (or\n"
        ".raw.gz), any raw file with --dims and --type, a folder of slices, or one image with\n"
        "--atlas.\n\n"
        "exit codes: 0 ok, 1 internal fault, 2 wrong command line, 3 input missing or malformed,\n"
        "4 no device, out of memory or over a limit, 5 cannot write, 6 a check failed,\n"
        "130 interrupted\n",
        out);
}

// An option as it stood on the command line.
struct given {
    const struct row *row;
    const char *text;
};

struct line {
    struct given given[ROWS]; // each row at most once
    size_t given_count;
    const char *operands[OPTIONS_OPERANDS + 1];
    uint32_t operand_count;
    const char *surplus; // first operand beyond these
    bool first_is_bare;  // the first operand stood before any "--": it may be a command
};

static void add_operand(struct line *line, const char *text, bool bare)
{
    if (line->operand_count == 0) {
        line->first_is_bare = bare;
    }
    if (line->operand_count <= OPTIONS_OPERANDS) {
        line->operands[line->operand_count++] = text;
    } else if (!line->surplus) {
        line->surplus = text;
    }
}

static bool unknown_option(const char *text, int letter, struct problem *problem)
{
    if (letter) {
        return problem_set(problem, PROBLEM_USAGE, "unknown option -%c; see cubist --help", letter);
    }
    const size_t length = strcspn(text + 2, "=");
    size_t alike = 0;
    for (size_t i = 0; i < ROWS; i++) {
        alike += strncmp(rows[i].name, text + 2, length) == 0;
    }
    return problem_set(
        problem, PROBLEM_USAGE, "%s option --%.*s; see cubist --help",
        alike > 1 ? "ambiguous" : "unknown", (int)(length < 80 ? length : 80), text + 2);
}

// Collects options and operands; looks into no value.
static bool scan(int argc, char **argv, struct line *line, struct problem *problem)
{
    // In the order of the line ("-"), with a missing value told apart (":"), and quiet.
    char letters[2 * ROWS + 3] = "-:";
    struct option longs[ROWS + 1] = { 0 };
    for (size_t i = 0; i < ROWS; i++) {
        longs[i] = (struct option){
            .name = rows[i].name,
            .has_arg = rows[i].value ? required_argument : no_argument,
            .val = 256 + (int)i,
        };
        if (rows[i].letter) {
            const size_t length = strlen(letters);
            snprintf(
                letters + length, sizeof letters - length, "%c%s", rows[i].letter,
                rows[i].value ? ":" : "");
        }
    }
    opterr = 0;
    optind = 0; // glibc: start anew
    for (int c; (c = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (c == 1) {
            add_operand(line, optarg, true);
            continue;
        }
        if (c == '?' && optopt < 256) {
            return unknown_option(argv[optind - 1], optopt, problem);
        }
        const int value = c == '?' || c == ':' ? optopt : c;
        const struct row *row = NULL;
        for (size_t i = 0; i < ROWS && !row; i++) {
            row = value == 256 + (int)i || (rows[i].letter && value == rows[i].letter) ? &rows[i]
                                                                                       : NULL;
        }
        if (c == '?') {
            return problem_set(problem, PROBLEM_USAGE, "--%s takes no value", row->name);
        }
        if (c == ':') {
            return problem_set(
                problem, PROBLEM_USAGE, "--%s needs a value: %s", row->name, row->value);
        }
        for (size_t i = 0; i < line->given_count; i++) {
            if (line->given[i].row == row) {
                return problem_set(problem, PROBLEM_USAGE, "--%s stands there twice", row->name);
            }
        }
        line->given[line->given_count++] = (struct given){ row, optarg };
    }
    for (int i = optind; i < argc; i++) {
        add_operand(line, argv[i], false);
    }
    return true;
}

static bool check_operands(
    const struct options *options, const struct line *line, uint32_t first, struct problem *problem)
{
    const struct command *command = options->command;
    const uint32_t count = line->operand_count - first;
    if (count < command->least) {
        return problem_set(
            problem, PROBLEM_USAGE, "%s needs %s; see cubist %s --help", command->name,
            command->operands, command->name);
    }
    if (count > command->most || line->surplus) {
        return problem_set(
            problem, PROBLEM_USAGE, "%s takes %s, not also %.80s", command->name,
            *command->operands ? command->operands : "no operand",
            count > command->most ? line->operands[first + command->most] : line->surplus);
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *out, struct problem *problem)
{
    *out = (struct options){ .iso_count = 1 };
    const char *env = getenv("CUBIST_VALIDATE");
    out->validate = env && strcmp(env, "1") == 0;
    struct line line = { 0 };
    if (!scan(argc, argv, &line, problem)) {
        return false;
    }
    const struct command *named = line.first_is_bare ? command_find(line.operands[0]) : NULL;
    out->command = named ? named : &commands[COMMAND_VIEW];
    for (size_t i = 0; i < line.given_count; i++) {
        if (line.given[i].row->read == read_help || line.given[i].row->read == read_version) {
            line.given[i].row->read(&(struct reading){ .options = out });
        }
    }
    if (out->help || out->version) {
        out->command = named;
        return true;
    }
    if (!check_operands(out, &line, named ? 1 : 0, problem)) {
        return false;
    }
    for (uint32_t i = named ? 1 : 0, at = 0; i < line.operand_count; i++) {
        out->operands[at++] = line.operands[i];
    }
    for (size_t i = 0; i < line.given_count; i++) {
        const struct row *row = line.given[i].row;
        if (!(row->commands & 1u << command_id(out->command))) {
            return problem_set(
                problem, PROBLEM_USAGE, "%s takes no --%s; see cubist %s --help",
                out->command->name, row->name, out->command->name);
        }
        const struct reading reading = { row->name, line.given[i].text, out, problem };
        if (!row->read(&reading)) {
            return false;
        }
    }
    return true;
}
