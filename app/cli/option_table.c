#include "app/cli/option_table.h"

#include "app/base/number.h"
#include "app/picture/bands.h"
#include "app/settings/table.h"
#include "compute/casting/casting.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BIT(command)  (1u << COMMAND_##command)
#define EVERY_COMMAND ((1u << COMMANDS) - 1)
#define SHOW_A_FILE                                                                                \
    (BIT(VIEW) | BIT(INFO) | BIT(EXTRACT) | BIT(RENDER) | BIT(ANIMATE) | BIT(VERIFY) | BIT(BENCH))
#define READ_A_FILE   (SHOW_A_FILE | BIT(CONVERT))
#define OPEN_A_DEVICE (EVERY_COMMAND & ~(BIT(GENERATE) | BIT(CONVERT) | BIT(MERGE)))
#define EXTRACT       (BIT(EXTRACT) | BIT(RENDER) | BIT(ANIMATE) | BIT(VERIFY) | BIT(BENCH))
#define DRAW          (BIT(VIEW) | BIT(RENDER) | BIT(ANIMATE))
#define LOOK          (DRAW | BIT(VERIFY))
#define ISOS          (BIT(VIEW) | BIT(INFO) | BIT(EXTRACT) | BIT(RENDER) | BIT(VERIFY))

// Refuses a part of the value. `expected` NULL: the message lists the row's words.
static bool
option_refuse_part(const struct reading *reading, const char *part, const char *expected)
{
    const struct option_row *row = reading->row;
    char what[40];
    snprintf(what, sizeof what, "--%s", row->name);
    return word_refuse(what, row->value, row->words, part, expected, reading->problem);
}

static bool option_refuse(const struct reading *reading, const char *expected)
{
    return option_refuse_part(reading, reading->text, expected);
}

// The index of the word in the words of the row; negative: it is not there, and was refused.
static int option_find_word(const struct reading *reading)
{
    const struct option_row *row = reading->row;
    const int word = word_find(row->value, row->words, reading->text);
    if (word < 0) {
        option_refuse(reading, row->expected);
    }
    return word;
}

// The member of struct options that the row sets.
static void *option_member(const struct reading *reading)
{
    return (char *)reading->options + reading->row->place;
}

// Sets the member: a bool, an enum, a uint32_t or a uint64_t.
static bool option_set(const struct reading *reading, uint64_t value)
{
    void *member = option_member(reading);
    if (reading->row->size == sizeof(uint64_t)) {
        *(uint64_t *)member = value;
    } else if (reading->row->size == sizeof(uint32_t)) {
        *(uint32_t *)member = (uint32_t)value;
    } else {
        *(bool *)member = value;
    }
    return true;
}

static bool option_read_switch(const struct reading *reading)
{
    return option_set(reading, true);
}

// Reads a word. An option without a value means the first word of its list.
static bool option_read_word(const struct reading *reading)
{
    const struct option_row *row = reading->row;
    const int word = reading->text ? option_find_word(reading) : 0;
    if (row->flag) {
        *(bool *)((char *)reading->options + row->flag) = true;
    }
    return word >= 0 && option_set(reading, row->first + (unsigned)word);
}

static bool option_read_count(const struct reading *reading)
{
    const struct option_row *row = reading->row;
    const char *text = reading->text;
    uint64_t count;
    char range[80];
    snprintf(range, sizeof range, "a whole number, %" PRIu64 " to %" PRIu64, row->least, row->most);
    return whole_parse(text, strlen(text), row->most, &count) == WHOLE_OK && count >= row->least
               ? option_set(reading, (count << row->shift) + (uint64_t)row->first)
               : option_refuse(reading, row->expected ? row->expected : range);
}

// Reads WIDTHxHEIGHT, or N for both, into two uint32_t.
static bool option_read_pair(const struct reading *reading)
{
    const struct option_row *row = reading->row;
    const char *starts[2];
    size_t lengths[2];
    uint64_t values[2] = { 0 };
    const size_t count = split(reading->text, 'x', 2, starts, lengths);
    bool fine = count == 2 || (row->square && count == 1);
    for (size_t i = 0; fine && i < count; i++) {
        fine = whole_parse(starts[i], lengths[i], row->most, &values[i]) == WHOLE_OK &&
               values[i] >= row->least;
    }
    uint32_t *pair = option_member(reading);
    pair[0] = (uint32_t)values[0];
    pair[1] = (uint32_t)values[count == 2];
    return fine || option_refuse(reading, row->expected);
}

// Reads numbers above 0, separated by commas. Returns how many. 0: one is wrong, or there are more
// than `most`.
static uint32_t option_read_numbers(const struct reading *reading, uint32_t most, double *out)
{
    const char *starts[OPTIONS_ISOVALUES];
    size_t lengths[OPTIONS_ISOVALUES], i = 0;
    const size_t count = split(reading->text, ',', most, starts, lengths);
    while (i < count && count <= most && number_parse(starts[i], lengths[i], &out[i]) &&
           out[i] > 0) {
        i++;
    }
    return i == count ? (uint32_t)count : 0;
}

// Of a list of settings, refuses the first part that is wrong.
static bool option_refuse_setting(const struct reading *reading)
{
    const struct setting *of = reading->row->of;
    const bool list = of->type >= SETTING_COLOURS && of->type <= SETTING_HIDDEN;
    struct plane planes[PLANES_MOST];
    struct view view = { 0 };
    char part[80];
    const char *why = of->type == SETTING_PLANES ? planes_parse(reading->text, planes) : NULL;
    for (const char *at = reading->text; list; at += strlen(part) + 1) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        if (!setting_parse(of, part, &view)) {
            return option_refuse_part(reading, part, of->expected);
        }
        if (!at[strlen(part)]) {
            return option_refuse(reading, "at most 8 values");
        }
    }
    return option_refuse(reading, why ? why : of->expected);
}

static bool option_read_setting(const struct reading *reading)
{
    const struct setting *of = reading->row->of;
    return setting_parse(of, reading->text, &reading->options->view) ||
           option_refuse_setting(reading);
}

static bool option_read_name(const struct reading *reading)
{
    *(const char **)option_member(reading) = reading->text;
    return *reading->text || problem_set(
                                 reading->problem, PROBLEM_USAGE, "--%s needs a value: %s",
                                 reading->row->name, reading->row->value);
}

static bool option_read_list(const struct reading *reading)
{
    struct plan_wrong wrong;
    return plan_read(&reading->options->plan, reading->row->list, reading->text, &wrong) ||
           option_refuse_part(reading, wrong.part, wrong.expected);
}

static bool option_read_rerun(const struct reading *reading)
{
    char name[80];
    reading->options->has_rerun = true;
    return experiments_read(reading->text, reading->options->reruns, name) ||
           option_refuse_part(
               reading, name,
               "names from cubist bench --help, or jumping-jack, new-algorithms, redzone, ink, "
               "all");
}

// --verbose and --quiet: the later one wins.
static bool option_read_verbose(const struct reading *reading)
{
    const int word = reading->text ? option_find_word(reading) : 2;
    reading->options->quiet = word == 0;
    reading->options->verbose = word == 2;
    return word >= 0;
}

static bool option_read_quiet(const struct reading *reading)
{
    reading->options->quiet = true;
    reading->options->verbose = false;
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
    return option_read_numbers(reading, 3, reading->options->volume.spacing) == 3 ||
           option_refuse(reading, "X,Y,Z, three finite numbers above 0, such as 1,1,2.5");
}

static bool option_read_against(const struct reading *reading)
{
    struct options *options = reading->options;
    options->against_count = option_read_numbers(reading, OPTIONS_ISOVALUES, options->against);
    return options->against_count > 0 ||
           option_refuse(reading, "milliseconds, one for each isovalue or one for all");
}

// Reads --size of bench: WIDTHxHEIGHT of a picture, or a list of sizes of streams.
static bool option_read_bench_size(const struct reading *reading)
{
    return strchr(reading->text, 'x') ? option_read_pair(reading) : option_read_list(reading);
}

// Reads triangles, rays, or both. "mesh", the old word for triangles, works until the next release.
static bool option_read_bench_draw(const struct reading *reading)
{
    const char *text = reading->text;
    bool *draws = reading->options->bench_draws;
    const bool both = strcmp(text, "triangles,rays") == 0 || strcmp(text, "mesh,rays") == 0;
    draws[DRAW_TRIANGLES] = both || strcmp(text, "triangles") == 0 || strcmp(text, "mesh") == 0;
    draws[DRAW_RAYS] = both || strcmp(text, "rays") == 0;
    return draws[DRAW_TRIANGLES] || draws[DRAW_RAYS] ||
           option_refuse(reading, "triangles, rays, or triangles,rays");
}

static bool option_read_threshold(const struct reading *reading)
{
    struct plan *plan = &reading->options->plan;
    plan->has_threshold = number_parse(reading->text, strlen(reading->text), &plan->threshold) &&
                          plan->threshold >= 0 && plan->threshold <= 100;
    return plan->has_threshold || option_refuse(reading, "a percentage of white, 0 to 100");
}

static bool option_read_subgroup_size(const struct reading *reading)
{
    return plan_read_subgroup_size(&reading->options->plan, reading->text) ||
           option_refuse(reading, "a power of two, 1 to 128");
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

// Reads a list of isovalues: one for each contour, or those of a benchmark.
static bool option_read_iso(const struct reading *reading)
{
    struct options *options = reading->options;
    const bool bench = command_id(options->command) == COMMAND_BENCH;
    const size_t most = bench ? OPTIONS_ISOVALUES : CONTOURS_MOST;
    const size_t count = isovalues_parse(reading->text, most, options->isos);
    options->has_iso = true;
    if (count > most) {
        return problem_set(reading->problem, PROBLEM_USAGE, "at most %zu isovalues", most);
    }
    options->iso_count = count > 0 ? (uint32_t)count : 1;
    return count > 0 || option_refuse(reading, ISOVALUES_FORMS);
}

// Reads A:B, the first and the last isovalue of a sweep, or one isovalue, for each contour.
static bool option_read_sweep(const struct reading *reading)
{
    struct options *options = reading->options;
    struct isovalue *ends = options->motion.ends;
    const char *starts[CONTOURS_MOST];
    size_t lengths[CONTOURS_MOST];
    const size_t count = split(reading->text, ',', CONTOURS_MOST, starts, lengths);
    if (count > CONTOURS_MOST) {
        return problem_set(reading->problem, PROBLEM_USAGE, "at most %d isovalues", CONTOURS_MOST);
    }
    bool fine = true;
    options->has_iso = true;
    options->motion.has_sweep = false;
    options->iso_count = (uint32_t)count;
    for (size_t i = 0; fine && i < count; i++) {
        char first[64];
        snprintf(first, sizeof first, "%.*s", (int)lengths[i], starts[i]);
        char *end = strchr(first, ':');
        if (end) {
            *end++ = 0;
            options->motion.has_sweep = true;
        }
        // Both must be numbers, or neither. Only numbers need no range of the samples.
        fine = lengths[i] < sizeof first && isovalue_parse(first, &options->isos[i]) &&
               isovalue_parse(end ? end : first, &ends[i]) &&
               (options->isos[i].kind == ISOVALUE_NUMBER) == (ends[i].kind == ISOVALUE_NUMBER);
    }
    return fine || option_refuse(
                       reading, "an isovalue such as 36.5, 40%, p99, 3s or auto, or A:B, two "
                                "numbers or two percentages or percentiles such as 10%:90% or "
                                "p50:p99, or a list of these");
}

static bool option_read_turntable(const struct reading *reading)
{
    double *turn = &reading->options->motion.turn;
    return (number_parse(reading->text, strlen(reading->text), turn) && *turn != 0 &&
            fabs(*turn) <= 36000) ||
           option_refuse(reading, "degrees, such as 360 or -90");
}

static bool option_read_to(const struct reading *reading)
{
    struct motion *motion = &reading->options->motion;
    const size_t length = strlen(reading->text);
    if (length > 5 && strcmp(reading->text + length - 5, ".json") == 0) {
        motion->to = reading->text;
        return true;
    }
    motion->has_end = pose_parse(reading->text, &motion->end);
    return motion->has_end ||
           option_refuse(
               reading, "X,Y,Z,DISTANCE,QW,QX,QY,QZ as for --camera, or a session, *.json");
}

static bool option_read_method(const struct reading *reading)
{
    struct options *options = reading->options;
    options->method = method_find(reading->text);
    if (options->method && options->method->cpu) {
        return problem_set(
            reading->problem, PROBLEM_USAGE, "--method %s: %s", reading->text,
            method_unavailable(options->method, NULL));
    }
    return options->method || option_refuse(reading, "a name from cubist methods");
}

// Reads the methods of verify. If there is only one, it is options->method, too.
static bool option_read_methods(const struct reading *reading)
{
    const struct plan *plan = &reading->options->plan;
    const bool fine = option_read_list(reading);
    reading->options->method = plan->method_count == 1 ? plan->methods[0] : NULL;
    return fine;
}

// Accepts all words of volume_type_parse. The row lists only some of them.
static bool option_read_type(const struct reading *reading)
{
    enum volume_type type;
    *(bool *)((char *)reading->options + reading->row->flag) = true;
    return volume_type_parse(reading->text, &type) ? option_set(reading, type)
                                                   : option_refuse(reading, NULL);
}

// Reads the format of a mesh or of a volume. Case is ignored.
static bool option_read_format(const struct reading *reading)
{
    struct options *options = reading->options;
    const bool of_mesh = reading->row->words == word_mesh_format;
    if (of_mesh) {
        options->mesh_format = mesh_format_find(reading->text);
    } else {
        options->volume_format = volume_format_find(reading->text);
    }
    return (of_mesh ? options->mesh_format != NULL : options->volume_format != NULL) ||
           option_refuse(reading, NULL);
}

// Reads K/N, with K from 1 to N.
static bool option_read_share(const struct reading *reading)
{
    struct options *options = reading->options;
    const char *slash = strchrnul(reading->text, '/');
    uint64_t share = 0, shares = 0;
    const bool fine =
        *slash &&
        whole_parse(reading->text, (size_t)(slash - reading->text), MOST_SHARES, &share) ==
            WHOLE_OK &&
        whole_parse(slash + 1, strlen(slash + 1), MOST_SHARES, &shares) == WHOLE_OK && share > 0 &&
        share <= shares;
    options->share = (uint32_t)share;
    options->shares = (uint32_t)shares;
    return fine || option_refuse(
                       reading, "K/N, the K-th of N shares, K from 1 to N and N at most 10000, "
                                "such as 2/4");
}

// Refuses one NAME=NUMBER of --plan. `most`: the largest number; 0: the name is not known.
static bool
option_refuse_rate(const struct reading *reading, const char *text, bool whole, double most)
{
    char part[60], expected[100];
    snprintf(part, sizeof part, "%.*s", (int)strcspn(text, most > 0 ? "," : "=,"), text);
    if (!*part) {
        return option_refuse(reading, "NAME=NUMBER,..., such as ranks=64,read=5e9");
    }
    if (!(most > 0)) {
        return option_refuse_part(reading, part, "one of the names in cubist extract --help");
    }
    snprintf(
        expected, sizeof expected, "%.*s=NUMBER, %s, at most %.17g", (int)strcspn(part, "="), part,
        whole ? "a whole number from 1 on" : "above 0", most);
    return option_refuse_part(reading, part, expected);
}

// Reads NAME=NUMBER,....
static bool option_read_rates(const struct reading *reading)
{
    struct plan_rates *rates = &reading->options->rates;
    const struct {
        const char *name;
        double *value, most;
        bool whole;
    } kinds[] = {
        { "ranks", &rates->ranks, MOST_RANKS, true },   { "node", &rates->node, MOST_RANKS, true },
        { "shares", &rates->shares, MOST_RANKS, true }, { "read", &rates->read, 1e18, false },
        { "write", &rates->write, 1e18, false },        { "system", &rates->system, 1e18, false },
        { "voxels", &rates->voxels, 1e18, false },      { "vertices", &rates->vertices, 3, false },
    };
    rates->given = true;
    for (const char *at = reading->text;; at++) {
        const size_t name = strcspn(at, "=,"), all = strcspn(at, ",");
        size_t kind = 0, count = sizeof kinds / sizeof *kinds;
        while (kind < count &&
               (strlen(kinds[kind].name) != name || memcmp(kinds[kind].name, at, name) != 0)) {
            kind++;
        }
        double value = 0;
        if (kind == count) {
            return option_refuse_rate(reading, at, false, 0);
        }
        if (name == all || !number_parse(at + name + 1, all - name - 1, &value) || !(value > 0) ||
            value > kinds[kind].most || (kinds[kind].whole && value != floor(value))) {
            return option_refuse_rate(reading, at, kinds[kind].whole, kinds[kind].most);
        }
        *kinds[kind].value = value;
        at += all;
        if (!*at) {
            return true;
        }
    }
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

// Parts of rows for functions that several rows use. SETTING names the member to set. COUNT is for
// option_read_count.
#define SETTING(field)                                                                             \
    .place = offsetof(struct options, field), .size = sizeof((struct options *)0)->field
#define COUNT(field, from, to) SETTING(field), .least = from, .most = to
#define PRINT(what)            SETTING(print), .first = what
#define A_TYPE(of)                                                                                 \
    SETTING(of.type), .flag = offsetof(struct options, of.has_type), .words = word_type
#define A_SIZE                                                                                     \
    SETTING(width), .least = 1, .most = BANDS_MOST, .square = true,                                \
                    .expected = "WIDTHxHEIGHT in pixels, each 1 to 16384, or N of a square"

// An option has several rows if commands take it differently; --help shows the row of its command.
// A row without a function marks the position of the option of a setting. What the row leaves out
// comes from the row of the setting.
static const struct option_row option_own_rows[] = {
    { "iso", 0, "V|N%|pN|Ns|auto|A:B:N[,...]", ISOS, option_read_iso,
      "isovalue: a number, a percentage of the range (40%), a percentile of\n"
      "the samples (p99), standard deviations above the mean (3s), or auto\n"
      "(default): what the samples suggest; info says why. Or a list of up\n"
      "to 8, where A:B:N stands for N from A to B" },
    { "iso", 0, "V,V,...", BIT(BENCH), option_read_iso,
      "isovalues, each a number, a percentage of the range (40%), a\npercentile of the samples "
      "(p99), or auto (default: auto)" },
    { "iso", 0, "V|N%|pN|Ns|auto|A:B[,...]", BIT(ANIMATE), option_read_sweep,
      "isovalue, or two: the first and the last frame's; or a list of these" },
    { "method", 0, "NAME", BIT(EXTRACT) | DRAW, option_read_method,
      "compaction method, see cubist methods", .words = word_device_method },
    { "method", 0, "NAME,...|all", BIT(BENCH), option_read_list,
      "compaction methods, see cubist methods (bench compaction: all)", .words = word_method,
      .list = LIST_METHODS },
    { "method", 0, "NAME,...|all", BIT(VERIFY), option_read_methods,
      "compaction methods (default: all; of rays one)", .words = word_method,
      .list = LIST_METHODS },
    { "output", 'o', "FILE",
      BIT(EXTRACT) | BIT(MERGE) | BIT(RENDER) | BIT(ANIMATE) | BIT(GENERATE) | BIT(CONVERT),
      option_read_name, "the file to write; - is standard output", SETTING(output) },
    { "format", 0, "NAME", BIT(EXTRACT) | BIT(MERGE), option_read_format,
      "format of the mesh, see --list-formats; overrides the name of -o",
      .words = word_mesh_format },
    { "pieces", 0, "P", BIT(EXTRACT) | BIT(MERGE), option_read_count,
      "how many pieces a .pvtp file names (default: one for each 10\nmillion triangles)",
      COUNT(pieces, 1, MESH_PIECES) },
    { "memory-budget", 0, "MiB", DRAW | BIT(EXTRACT) | BIT(VERIFY) | BIT(BENCH), option_read_count,
      "work part by part within this much device memory; FILE may be\nlarger than all memory",
      COUNT(memory_budget, 1, 1 << 30), .shift = 20, .may_differ = true,
      .expected = "a whole number of MiB, 1 or more" },
    { "share", 0, "K/N", BIT(EXTRACT), option_read_share,
      "extract only the K-th of N shares of the volume, for cubist merge;\n"
      "needs --iso with a number" },
    { "resume", 0, "FOLDER", BIT(EXTRACT), option_read_name,
      "keep the work in FOLDER, as shares, and do only what it lacks;\n"
      "with --share only layers of this share, without -o",
      SETTING(resume) },
    { "balance", 0, "layers|steal", BIT(EXTRACT), option_read_word,
      "for cubist-mpi: each process gets an equal number of layers\n"
      "(default), or takes the next few whenever it is free",
      SETTING(steal) },
    { "plan", 0, "NAME=NUMBER,...", BIT(EXTRACT), option_read_rates,
      "read no samples and write nothing: report what a run of several\n"
      "processes would read, write and take, such as --plan ranks=64" },
    { "format", 0, "NAME", BIT(CONVERT) | BIT(GENERATE), option_read_format,
      "format of the volume, see --list-formats; overrides the name of -o",
      .words = word_volume_format },
    { "crop", 0, "X0:X1,Y0:Y1,Z0:Z1", BIT(CONVERT), option_read_crop,
      "keep the samples from X0 up to, but not including, X1, and so on;\n"
      "where an end is left out, the end of the volume is used" },
    { "stride", 0, "N", BIT(CONVERT), option_read_count, "keep every N-th sample along each axis",
      COUNT(resample.stride, 1, UINT32_MAX) },
    { "gzip", 0, NULL, BIT(CONVERT) | BIT(GENERATE), option_read_switch, "compress the samples",
      SETTING(gzip) },
    { "size", 0, "WxH", LOOK, option_read_pair, "pixels (default 1280x800); one number is a square",
      A_SIZE },
    { "size", 0, "N,...|WxH", BIT(BENCH), option_read_bench_size,
      "elements of a stream, 1 to 256M, such as 32K,4M (default 4M);\n"
      "bench view and cast: pixels, WxH (default 1280x800; 1024x1024)",
      A_SIZE, .list = LIST_SIZES },
    { "draw", 0, "triangles|rays|triangles,rays", BIT(BENCH), option_read_bench_draw,
      "how the pictures of bench view are made (default triangles)" },
    { "density", 0, "P,...", BIT(BENCH), option_read_list,
      "how many elements are kept, in percent (default 10,50,90)", .list = LIST_DENSITIES },
    { "pattern", 0, "random|runs:N|tail:P|first|middle|last|alternating", BIT(BENCH),
      option_read_list,
      "which elements are kept; several with commas (default random).\n"
      "runs:N: in runs of N; tail:P: of k removed elements, P percent\n"
      "are among the last k; first, middle, last: only one element",
      .list = LIST_PATTERNS },
    { "image", 0, "NAME|FILE", BIT(BENCH), option_read_list,
      "the pixels of an image, and of its negative: an image that cubist\n"
      "makes, or any PNG, scaled to a square; several with commas",
      .words = word_image, .files = word_png_extension, .list = LIST_IMAGES },
    { "seeds", 0, "N", BIT(BENCH), option_read_count,
      "streams of each kind that bench compaction makes, each by other\nrandom numbers (default 1)",
      COUNT(plan.seeds, 1, 1000) },
    { "threshold", 0, "P", BIT(BENCH), option_read_threshold,
      "pixels with at least P percent of white are kept (default 50)" },
    { "block", 0, "N,...", BIT(BENCH), option_read_list,
      "elements of a block, a power of two from 16 to 2048, for methods\n"
      "that work in blocks (default 256)",
      .list = LIST_BLOCKS },
    { "element", 0, "N,...", BIT(BENCH), option_read_list,
      "bytes of an element, a power of two from 4 to 64 (default 4)", .list = LIST_ELEMENTS },
    { "work", 0, "N,...", BIT(BENCH), option_read_list,
      "rounds of a hash, 0 to 256, that the predicate also computes for\neach element (default 0)",
      .list = LIST_WORKS },
    { "subgroup-size", 0, "N", BIT(BENCH), option_read_subgroup_size,
      "a subgroup size of the device (default: the device selects it)" },
    { "leaf", 0, "N,...", BIT(BENCH), option_read_list,
      "of bench cast: cells a side of the leaves of trees, a power of two\n"
      "from 4 to 64 (default: the caster's)",
      .list = LIST_LEAVES },
    { "separate", 0, NULL, BIT(BENCH), option_read_switch,
      "of bench cast: methods that compact in the casters' kernels also do\n"
      "it in kernels of their own, as the others",
      SETTING(plan.separate) },
    { "views", 0, "N", BIT(BENCH), option_read_count,
      "of bench cast: from how many sides to look, 1 to 12 (default 12)", COUNT(views, 1, 12) },
    { "images", 0, "FOLDER", BIT(BENCH), option_read_name,
      "of bench cast: write the picture of each view there, as PNG", SETTING(images) },
    { "no-skip", .commands = BIT(VIEW) | BIT(RENDER) | BIT(BENCH) | BIT(VERIFY) },
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
      "measure what a figure of a paper shows; cubist bench --help lists\nthe names",
      .words = word_rerun },
    { "long", 0, NULL, BIT(BENCH), option_read_switch,
      "print a line for each measurement, not tables with their means", SETTING(each) },
    { "csv", 0, "FILE", BIT(BENCH), option_read_name,
      "write all results as one table; - is standard output", SETTING(csv) },
    { "view", .commands = LOOK },
    { "up", .commands = LOOK },
    { "zoom", .commands = LOOK },
    { "camera", .commands = LOOK },
    { "ortho", .commands = LOOK },
    { "background" },
    { "color", .words = word_colour },
    { "color", .commands = BIT(EXTRACT) | BIT(MERGE), .words = word_colour,
      .help = "of a .glb file: color of all contours, or of each, where auto is grey" },
    { "opacity" },
    { "opacity", .commands = BIT(EXTRACT) | BIT(MERGE),
      .help = "of a .glb file: opacity, 0 to 1, of all contours, or of each" },
    { "look" },
    { "show" },
    { "draw" },
    { "caster", .words = word_caster },
    { "draw", .commands = BIT(VERIFY),
      .help = "check the triangles of extract, or the rays that meet the surface\n(default "
              "triangles)" },
    { "caster", 0, "NAME,...|all", BIT(VERIFY), option_read_list,
      "how rays find the surface; all of these find the same (default: all)", .words = word_caster,
      .list = LIST_CASTERS },
    { "caster", 0, "NAME,...|all", BIT(BENCH), option_read_list,
      "of bench cast: how rays find the surface (default: all)", .words = word_caster,
      .list = LIST_CASTERS },
    { "rounds", .commands = BIT(RENDER) | BIT(ANIMATE) | BIT(VERIFY) | BIT(BENCH) },
    { "light" },
    { "light-samples" },
    { "shadow" },
    { "samples", .commands = DRAW | BIT(BENCH) },
    { "wireframe" },
    { "edges" },
    { "flat" },
    { "box" },
    { "opacity", .commands = LOOK },
    { "hide" },
    { "clip", .commands = LOOK },
    { "clip-all", .commands = LOOK },
    { "" }, // all options of settings that have no row here
    { "turntable", 0, "DEG", BIT(ANIMATE), option_read_turntable,
      "turn the camera around the vertical (default 360, where nothing\n"
      "else moves)" },
    { "to", 0, "X,Y,Z,DISTANCE,QW,QX,QY,QZ", BIT(ANIMATE), option_read_to,
      "move to this camera, as --camera states it, gently at both ends; or\n"
      "the name of a session: move to its camera and its isovalue",
      .files = word_session_extension },
    { "frames", 0, "N", BIT(ANIMATE), option_read_count, "how many frames (default 120)",
      COUNT(motion.frames, 2, 100000) },
    { "frames", 0, "N", BIT(BENCH), option_read_count,
      "frames of each kind that bench view draws (default 8)", COUNT(motion.frames, 1, 100000) },
    { "from", 0, "N", BIT(ANIMATE), option_read_count,
      "begin with frame N, as after an interruption; the first one is 0",
      COUNT(motion.from, 0, 99999) },
    { "fps", 0, "N", BIT(ANIMATE), option_read_count, "frames per second of a film (default 30)",
      COUNT(motion.fps, 1, 1000) },
    { "repeat", 0, "N", BIT(BENCH), option_read_count, "timed runs of each measurement (default 9)",
      COUNT(repeat, 1, 10000) },
    { "against", 0, "MS,...", BIT(BENCH), option_read_against,
      "milliseconds that another program takes for an isovalue (one number\n"
      "for all, or one each); the report says after how many isovalues\n"
      "cubist has taken less time in all, opening the device included" },
    { "check", 0, "N", BIT(BENCH), option_read_count,
      "compare auto with all methods on N random streams", COUNT(check, 1, 1000) },
    { "seed", 0, "N", BIT(BENCH), option_read_count,
      "seed of the random streams of --check (default 0)", COUNT(seed, 0, INT64_MAX),
      .expected = "a whole number" },
    { "quick", 0, NULL, BIT(BENCH), option_read_switch, "calibrate only on short streams",
      SETTING(quick) },
    { "notes", 0, NULL, BIT(METHODS), option_read_switch,
      "also print how each method differs from its paper; --json always does", SETTING(notes) },
    { "json", 0, NULL,
      BIT(INFO) | BIT(EXTRACT) | BIT(MERGE) | BIT(VERIFY) | BIT(DEVICES) | BIT(METHODS) |
          BIT(BENCH),
      option_read_switch, "print one JSON object", SETTING(json) },
    { "session", 0, "FILE", DRAW, option_read_name,
      "go on with a session that Ctrl+S has saved: its volume and view;\n"
      "options and a FILE on the command line take precedence",
      SETTING(session), .files = word_session_extension },
    { "no-config", 0, NULL, BIT(VIEW), option_read_switch,
      "ignore the configuration, ~/.config/cubist/config.json, and how a\n"
      "file was left last time",
      SETTING(no_config), .at_once = true },
    { "trace", 0, "FILE", BIT(VIEW), option_read_name, "write one line of JSON for each frame",
      SETTING(trace) },
    { "watch", 0, NULL, BIT(VIEW), option_read_switch,
      "load the file again when it has changed and nothing writes to it", SETTING(watch) },
    { "exit-after", 0, "N", BIT(VIEW), option_read_count,
      "end after N frames with a volume, each drawn in full: for scripts",
      COUNT(exit_after, 1, INT64_MAX), .expected = "a number of frames" },
    { "dims", 0, "WxHxD", READ_A_FILE, option_read_dims,
      "samples along x, y, z; overrides the name; one number is a cube" },
    { "dims", 0, "WxHxD", BIT(GENERATE), option_read_dims,
      "samples along x, y, z (default 128x128x128); one number is a cube" },
    { "type", 0, "TYPE", SHOW_A_FILE, option_read_type,
      "uint8 int8 uint16 int16 uint32 int32 float32 float64; overrides\nthe name", A_TYPE(volume) },
    { "type", 0, "TYPE", BIT(GENERATE), option_read_type,
      "uint8 int8 uint16 int16 uint32 int32 float32 float64\n(default uint8)", A_TYPE(volume) },
    { "type", 0, "TYPE", BIT(CONVERT), option_read_type,
      "type of the written samples (default: unchanged)", A_TYPE(resample) },
    { "input-type", 0, "TYPE", BIT(CONVERT), option_read_type,
      "type of the samples of a raw file; overrides the name", A_TYPE(volume) },
    { "endian", 0, "little|big", READ_A_FILE, option_read_word, "byte order of a raw file",
      SETTING(volume.order), .first = BYTE_ORDER_LITTLE },
    { "offset", 0, "BYTES", READ_A_FILE, option_read_offset,
      "bytes to skip at the start of a raw file" },
    { "spacing", 0, "X,Y,Z", READ_A_FILE, option_read_spacing, "distance between samples" },
    { "atlas", 0, "COLSxROWS", READ_A_FILE, option_read_pair,
      "FILE is one image that holds the slices as tiles", SETTING(volume.atlas), .least = 1,
      .most = 65536, .expected = "COLSxROWS of tiles, such as 16x16" },
    { "slices", 0, "N", READ_A_FILE, option_read_count,
      "number of slices in the --atlas (default: all its tiles)",
      COUNT(volume.slices, 1, UINT32_MAX) },
    { "array", 0, "NAME", READ_A_FILE, option_read_name,
      "which array of a file to read, as FILE::NAME does (default: the one\n"
      "that the file prefers); of several components one, as NAME:0, or\n"
      "their length, NAME:length",
      SETTING(volume.pick.array) },
    { "time", 0, "N", READ_A_FILE, option_read_count,
      "which time step to read where a file holds several; the first is 0",
      COUNT(volume.pick.time, 0, UINT32_MAX - 1), .first = 1 },
    { "channel", 0, "N", READ_A_FILE, option_read_count,
      "which channel to read where a file holds several; the first is 0",
      COUNT(volume.pick.channel, 0, UINT32_MAX - 1), .first = 1 },
    { "level", 0, "N", READ_A_FILE, option_read_count,
      "which level of resolution to read where a file holds several; the\nfinest is 0",
      COUNT(volume.pick.level, 0, UINT32_MAX - 1), .first = 1 },
    { "gaps", 0, "blank|resample", READ_A_FILE, option_read_word,
      "what stands where slices of a series are missing: the least value, or\nvalues between",
      SETTING(volume.gaps), .first = GAPS_BLANK },
    { "axis-index", 0, "NAME|all", READ_A_FILE, option_read_name,
      "read the axis NAME as an axis in space with the steps 0, 1, 2. It may\n"
      "have unequal steps, or be one of time or channels. all: each axis\nwith unequal steps, and "
      "what three axes need of time and channels",
      SETTING(volume.axis_index) },
    { "max-input", 0, "GiB", READ_A_FILE, option_read_max_input,
      "limit of what is stored of standard input (default: half of the free\n"
      "space there), and of what is read of a file to reach its samples\n"
      "(default: half of the free memory); exit 4 beyond it" },
    { "device", 0, "NAME|INDEX", OPEN_A_DEVICE, option_read_name,
      "Vulkan device, see cubist devices", SETTING(device), .may_differ = true },
    { "storage", 0, "auto|image|buffer", EXTRACT, option_read_word,
      "how the device stores the samples: as an image with the slices as\n"
      "tiles, as a buffer with one slice after another, or as a buffer where\n"
      "one can hold them (default auto)",
      SETTING(atlas.storage), .may_differ = true },
    { "validate", 0, NULL, OPEN_A_DEVICE, option_read_switch,
      "run under the validation layers; exit with 1 on any message of them\n"
      "(CUBIST_VALIDATE=1 in the environment does the same)",
      SETTING(validate), .may_differ = true },
    { "verbose", 0, "[error|warning|info]", EVERY_COMMAND, option_read_verbose,
      "how much is printed on standard error (default: warning; --verbose\nalone: info)",
      .may_differ = true },
    { "quiet", 'q', NULL, EVERY_COMMAND, option_read_quiet,
      "print no notes, warnings and progress, and no report where a file\n"
      "is written; verify prints only what fails, and its verdict. Errors\n"
      "and --json are printed as always",
      .may_differ = true },
    { "help", 'h', NULL, EVERY_COMMAND, option_read_word, "print this and exit", PRINT(PRINT_HELP),
      .at_once = true },
    { "version", 0, NULL, EVERY_COMMAND, option_read_word, "print the version and exit",
      PRINT(PRINT_VERSION), .at_once = true },
    { "list-bindings", 0, NULL, 0, option_read_word,
      "print the keys and gestures of the window and exit", PRINT(PRINT_BINDINGS),
      .at_once = true },
    { "list-formats", 0, NULL, 0, option_read_word,
      "print the formats that cubist reads and writes and exit", PRINT(PRINT_FORMATS),
      .at_once = true },
    { "print", 0, "man|bash|zsh|fish", 0, option_read_word,
      "print the man page, or the completions of a shell,\nand exit", PRINT(PRINT_MANUAL),
      .at_once = true },
    { "max-extent", 0, "N", EXTRACT, option_read_count,
      "pretend that images are limited to N texels along a side", .for_tests = true,
      COUNT(atlas.max_extent, 1, UINT32_MAX) },
    // Damages the device's result before it is compared. This proves that verify can fail.
    { "break", 0, "drop-cell|flip-index|move-vertex|hits|depths|cells|sides|contours|bytes",
      BIT(VERIFY), option_read_word, "damage the device's result: verify must exit 6",
      SETTING(damage), .first = DAMAGE_DROP_CELL, .for_tests = true },
    { "break", 0, "hits", BIT(BENCH), option_read_word,
      "damage a hit of the last caster: bench cast must exit 6", SETTING(damage),
      .first = DAMAGE_HITS, .for_tests = true },
    { 0 },
};

static bool option_is_own(const char *name)
{
    const struct option_row *row = option_own_rows;
    while (row->name && strcmp(row->name, name) != 0) {
        row++;
    }
    return row->name;
}

static void option_put_settings(struct option_row *rows, size_t *count, const struct option_row *at)
{
    for (const struct setting *of = settings_table; of->size; of++) {
        if (of->option &&
            (*at->name ? strcmp(at->name, of->option) == 0 : !option_is_own(of->option))) {
            struct option_row *row = &rows[(*count)++];
            *row = *at;
            row->name = of->option;
            row->value = of->value;
            row->commands = at->commands ? at->commands : DRAW;
            row->read = option_read_setting;
            row->help = at->help ? at->help : of->help;
            row->of = of;
        }
    }
}

const struct option_row *option_rows(void)
{
    static struct option_row rows[OPTION_ROWS]; // filled by the first call
    size_t count = 0;
    if (rows[0].name) {
        return rows;
    }
    for (const struct option_row *own = option_own_rows; own->name; own++) {
        if (own->read) {
            rows[count++] = *own;
        } else {
            option_put_settings(rows, &count, own);
        }
        assert(count < OPTION_ROWS);
    }
    return rows;
}

const struct option_row *option_find(const char *name)
{
    const struct option_row *row = option_rows();
    while (row->name && strcmp(row->name, name) != 0) {
        row++;
    }
    return row->name ? row : NULL;
}

size_t option_row_first(const struct option_row *row)
{
    return (size_t)(option_find(row->name) - option_rows());
}

bool option_row_is_first(const struct option_row *row)
{
    return option_find(row->name) == row;
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

bool option_read(const struct reading *reading)
{
    const size_t first = option_row_first(reading->row);
    reading->options->values[first] = reading->text ? reading->text : "";
    return reading->row->read(reading);
}

bool option_given(const struct options *options, const char *name)
{
    const struct option_row *row = option_find(name);
    assert(row);
    return options->given[row - option_rows()];
}
