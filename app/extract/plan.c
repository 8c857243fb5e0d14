// How the work is divided:
//
// Each rank makes a contiguous range of layers of cells, in shares of some layers, one after the
// other. It reads the slices of its layers, one more on either side, and the middle slice of the
// volume, which tells different inputs apart. With --balance steal each share is read by itself;
// the plan assumes that all ranks make equally many shares. A rank writes its shares to files. Then
// it writes its part of the mesh, for which it reads shares again.
//
// Time: all ranks of a node share the node's bandwidth, and all nodes share that of the file
// system. Reading and extraction happen at the same time at best, one after the other at worst.
#include "app/base/json.h"
#include "app/cli/volume_ranks.h"
#include "app/extract/extract.h"
#include "app/extract/jobs.h"
#include "app/ranks/ranks.h"
#include "compute/mesh/mesh_records.h"
#include "compute/mesh/share.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"
#include "volumes/base/size.h"
#include "volumes/formats/raw_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- sizes, from counts alone ----

// Characters of a position and of a normal in text, with their blanks. Where the spacing is 1, two
// coordinates of each position are whole numbers. A position in double has more digits.
#define POSITION_TEXT 22
#define DOUBLES_TEXT  54
#define NORMAL_TEXT   37

static double plan_digits(double count)
{
    return count >= 1 ? floor(log10(count)) + 1 : 1;
}

// Bytes of a mesh file of a volume's surface, without the few hundred bytes of its header. For
// formats in text this is an estimate.
static double plan_mesh_bytes(
    const struct mesh_format *format, const struct volume *volume, double vertices,
    double triangles)
{
    const char *name = format->name;
    const bool doubles = mesh_place_of(volume).doubles;
    const double position = doubles ? 24 : 12, text = doubles ? DOUBLES_TEXT : POSITION_TEXT;
    const double digits = plan_digits(vertices);
    if (strcmp(name, "ply") == 0) {
        return (position + 12) * vertices + 13 * triangles;
    }
    if (strcmp(name, "stl") == 0) {
        return 84 + 50 * triangles;
    }
    if (strcmp(name, "glb") == 0) {
        return 24 * vertices + 12 * triangles;
    }
    if (strcmp(name, "obj") == 0) { // "v X Y Z", "vn X Y Z", "f A//A B//B C//C"
        return (2 + text + 3 + NORMAL_TEXT) * vertices + (6 * digits + 11) * triangles;
    }
    if (strcmp(name, "off") == 0) { // "X Y Z", "3 A B C"
        return text * vertices + (3 * digits + 5) * triangles;
    }
    // vtp and pvtp. Indices have 4 bytes if they fit, otherwise 8.
    const double index = vertices <= INT32_MAX && triangles <= INT32_MAX / 3 ? 4 : 8;
    const double own = strcmp(name, "pvtp") == 0 ? 8 : 0; // a number for each vertex
    return (position + 12 + own) * vertices + 4 * index * triangles;
}

// Whether the format can hold such a mesh. If not, *why has the reason.
static bool
plan_fits(const struct mesh_format *format, double vertices, double triangles, struct problem *why)
{
    const struct mesh counts = {
        .vertex_count = (uint64_t)vertices,
        .triangle_count = (uint64_t)triangles,
    };
    return !format->check || format->check(&counts, format->name, why);
}

// Bytes of all shares of a surface (compute/mesh/share.h).
static double plan_share_bytes(double vertices, double triangles, double shares)
{
    return (RECORD_VERTEX + RECORD_NUMBER) * vertices + RECORD_FACE * triangles +
           (SHARE_HEAD + SHARE_PIECE + SHARE_END) * shares;
}

// Estimates the device memory for a part of so many voxels, whose samples take `size` bytes each,
// and its surface. It really depends on the method and the surface. Measured: lists, scratch and an
// ordinary surface take 3 to 5 bytes for each voxel.
static double plan_memory_bytes(double voxels, size_t size)
{
    return voxels * (double)(size + 5);
}

#define PLAN_TEXT 32

// Three digits and a prefix: "2.01 TB". The unit may be "".
static const char *plan_number_text(double value, const char *unit, char text[PLAN_TEXT])
{
    static const char *const prefixes[] = { "", "k", "M", "G", "T", "P", "E" };
    int prefix = 0;
    while (value >= 999.5 && prefix < 6) {
        value /= 1000;
        prefix++;
    }
    const int decimals = value >= 99.95 || prefix == 0 ? 0 : value >= 9.995 ? 1 : 2;
    const char *space = *unit || prefix > 0 ? " " : "";
    snprintf(text, PLAN_TEXT, "%.*f%s%s%s", decimals, value, space, prefixes[prefix], unit);
    return text;
}

// ---- the plan ----

struct plan_rank {
    uint32_t shares, first_layer, layers;
    double read, voxels; // bytes that the rank reads; voxels of its layers
};

struct extract_plan {
    const struct options *options;
    struct volume volume;
    struct plan_rates rates; // with defaults filled in
    uint32_t ranks, nodes, shares;
    uint32_t step; // layers of a share
    struct plan_rank *list;
    double slice;          // bytes of a slice
    double read;           // bytes that all ranks read
    struct plan_rank most; // the largest value of each member over the ranks
    double vertices, triangles, share_bytes, memory;
    const struct mesh_format *format; // of -o; NULL: none
    double mesh_bytes;
    struct {
        double read, extract, shares, write, least, most;
    } seconds;
};

// Describes a file that does not exist by the options, or by its name.
static bool
plan_describe_absent(const struct options *options, struct volume *out, struct problem *problem)
{
    const char *path = options->operands[0];
    const struct volume_params *params = &options->volume;
    struct raw_name name;
    raw_name_parse(path, &name);
    const bool has_dim = params->dim[0] > 0;
    const uint64_t dim[3] = {
        has_dim ? params->dim[0] : name.dim[0],
        has_dim ? params->dim[1] : name.dim[1],
        has_dim ? params->dim[2] : name.dim[2],
    };
    if ((!has_dim && !name.has_dim) || (!params->has_type && !name.has_type)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not there; to plan without it, state its samples with --dims and --type",
            path);
    }
    const enum volume_type type = params->has_type ? params->type : name.type;
    uint64_t bytes;
    if (!size_check(path, dim, volume_type_size(type), INT64_MAX, &bytes, problem)) {
        return false;
    }
    volume_describe(
        (const uint32_t[]){ (uint32_t)dim[0], (uint32_t)dim[1], (uint32_t)dim[2] }, type, out);
    return true;
}

static bool plan_describe(struct extract_plan *plan, struct problem *problem)
{
    const char *path = plan->options->operands[0];
    struct volume_params params = plan->options->volume;
    struct volume_file file = { 0 };
    struct stat st;
    if (!volume_ranks_can_read(path, (int)plan->ranks, problem)) {
        return false;
    }
    if (stat(path, &st) != 0 || (S_ISREG(st.st_mode) && st.st_size == 0)) {
        return plan_describe_absent(plan->options, &plan->volume, problem);
    }
    params.describe = true;
    if (!volume_file_open(path, &params, &file, problem)) {
        return false;
    }
    volume_ranks_note(&file, (int)plan->ranks);
    plan->volume = file.volume;
    volume_file_close(&file);
    return true;
}

// How many slices are read at once for layers `from` up to `to` of `layers`.
static double plan_slices(uint32_t from, uint32_t to, uint32_t layers)
{
    return from == to ? 0 : 1.0 + (to - from) + (from > 0) + (to < layers);
}

// Sets what a rank makes, and returns how many slices it reads. `layers`: of the whole volume.
static double
plan_give(const struct extract_plan *plan, uint32_t number, uint32_t layers, struct plan_rank *rank)
{
    uint32_t from, to;
    if (!plan->options->steal) {
        share_layers(number, plan->ranks, layers, &from, &to);
        rank->first_layer = from;
        rank->layers = to - from;
        rank->shares = (rank->layers + plan->step - 1) / plan->step;
        return plan_slices(from, to, layers);
    }
    double slices = 0;
    share_layers(number, plan->ranks, (layers - 1) / plan->step + 1, &from, &to);
    rank->first_layer = from * plan->step;
    rank->shares = to - from;
    for (uint32_t share = from; share < to; share++) {
        const uint32_t first = share * plan->step, left = layers - first;
        const uint32_t end = first + (left < plan->step ? left : plan->step);
        rank->layers += end - first;
        slices += plan_slices(first, end, layers);
    }
    return slices;
}

static void plan_most(struct plan_rank *most, const struct plan_rank *rank)
{
    most->shares = rank->shares > most->shares ? rank->shares : most->shares;
    most->layers = rank->layers > most->layers ? rank->layers : most->layers;
    most->read = fmax(most->read, rank->read);
    most->voxels = fmax(most->voxels, rank->voxels);
}

static bool plan_divide(struct extract_plan *plan, struct problem *problem)
{
    const uint32_t *dim = plan->volume.dim, layers = dim[2] - 1;
    const double square = (double)dim[0] * dim[1];
    // An isovalue that is no number needs facts. For these each slice is read once or twice.
    const bool counts = plan->options->isos[0].kind != ISOVALUE_NUMBER;
    const double passes = !counts ? 0 : volume_type_size(plan->volume.type) > 2 ? 2 : 1;
    plan->slice = square * (double)volume_type_size(plan->volume.file_type);
    plan->list = calloc(plan->ranks, sizeof *plan->list);
    if (!plan->list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a plan");
    }
    for (uint32_t r = 0; r < plan->ranks; r++) {
        struct plan_rank *rank = &plan->list[r];
        uint32_t from, to;
        share_layers(r + 1, plan->ranks, dim[2], &from, &to);
        rank->read = passes * (to - from) * plan->slice;
        rank->read += (1 + plan_give(plan, r + 1, layers, rank)) * plan->slice;
        rank->voxels = rank->layers * square;
        plan->read += rank->read;
        plan->shares += rank->shares;
        plan_most(&plan->most, rank);
    }
    return true;
}

static void plan_estimate(struct extract_plan *plan)
{
    const struct plan_rates *rates = &plan->rates;
    const double square = (double)plan->volume.dim[0] * plan->volume.dim[1];
    const double voxels = square * plan->volume.dim[2];
    plan->vertices = floor(voxels * rates->vertices);
    plan->triangles = 2 * plan->vertices; // as a closed surface has
    plan->share_bytes = plan_share_bytes(plan->vertices, plan->triangles, plan->shares);
    plan->memory = plan_memory_bytes(
        square * (fmin(plan->step, plan->most.layers) + 3), volume_type_size(plan->volume.type));
    if (plan->options->memory_budget > 0) {
        plan->memory = fmin(plan->memory, (double)plan->options->memory_budget);
    }
    plan->mesh_bytes =
        plan->format ? plan_mesh_bytes(plan->format, &plan->volume, plan->vertices, plan->triangles)
                     : 0;
    // Bandwidth of one rank while all ranks read or write.
    const double on_node = fmin(rates->node, plan->ranks);
    const double read = fmin(rates->read / on_node, rates->system / plan->ranks);
    const double write = fmin(rates->write / on_node, rates->system / plan->ranks);
    const double shares = plan->share_bytes / plan->ranks, mesh = plan->mesh_bytes / plan->ranks;
    plan->seconds.read = plan->most.read / read;
    plan->seconds.extract = plan->most.voxels / rates->voxels;
    plan->seconds.shares = shares / write + (plan->format ? shares / read : 0);
    plan->seconds.write = mesh / write;
    const double later = plan->seconds.shares - shares / write + plan->seconds.write;
    plan->seconds.least = fmax(plan->seconds.read + shares / write, plan->seconds.extract) + later;
    plan->seconds.most =
        plan->seconds.read + plan->seconds.extract + plan->seconds.shares + plan->seconds.write;
}

static bool plan_make(struct extract_plan *plan, struct problem *problem)
{
    const struct options *options = plan->options;
    struct plan_rates *rates = &plan->rates;
    *rates = options->rates;
    plan->ranks = rates->ranks > 0 ? (uint32_t)rates->ranks : (uint32_t)ranks()->count;
    rates->ranks = plan->ranks;
    rates->node = rates->node > 0 ? rates->node : 4;
    rates->read = rates->read > 0 ? rates->read : 5e9;
    rates->write = rates->write > 0 ? rates->write : 5e9;
    rates->system = rates->system > 0 ? rates->system : 40e9;
    rates->voxels = rates->voxels > 0 ? rates->voxels : 2e9;
    rates->vertices = rates->vertices > 0 ? rates->vertices : 0.01;
    plan->nodes = (uint32_t)ceil(plan->ranks / rates->node);
    if (options->iso_count > 1) {
        return problem_set(
            problem, PROBLEM_USAGE, "--plan takes one isovalue, and --iso has %u",
            options->iso_count);
    }
    if (options->share) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--plan is about all shares: leave out --share, and say --plan shares=%u",
            options->shares);
    }
    if (options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--plan is about a run from its beginning, and does not look at the shares of "
            "--resume; "
            "leave that out");
    }
    if (options->output || options->mesh_format) {
        plan->format =
            options->mesh_format ? options->mesh_format : mesh_format_of(options->output, problem);
        if (!plan->format) {
            return false;
        }
    }
    if (!plan_describe(plan, problem)) {
        return false;
    }
    const uint32_t layers = plan->volume.dim[2] - 1;
    plan->step = rates->shares > 0 ? (uint32_t)ceil(layers / rates->shares)
                                   : extract_jobs_step(&plan->volume, layers, plan->ranks);
    if (!plan_divide(plan, problem)) {
        return false;
    }
    plan_estimate(plan);
    return true;
}

static bool plan_print_json(const struct extract_plan *plan, struct problem *problem)
{
    const struct plan_rates *rates = &plan->rates;
    json_t *json = json_begin_report();
    json_add_text(json, "file", plan->options->operands[0]);
    json_add_dims(json, "dims", plan->volume.dim);
    json_add_text(json, "type", volume_type_name(plan->volume.file_type));
    json_add_count(json, "bytes", (uint64_t)(plan->slice * plan->volume.dim[2]));
    json_t *assumed = json_add_object(json, "plan");
    json_add_count(assumed, "ranks", plan->ranks);
    json_add_count(assumed, "node", (uint64_t)rates->node);
    json_add_count(assumed, "nodes", plan->nodes);
    json_add_count(assumed, "shares", plan->shares);
    json_add_number(assumed, "read", rates->read);
    json_add_number(assumed, "write", rates->write);
    json_add_number(assumed, "system", rates->system);
    json_add_number(assumed, "voxels", rates->voxels);
    json_add_number(assumed, "vertices", rates->vertices);
    json_add_count(json, "bytes_read", (uint64_t)plan->read);
    json_add_count(json, "memory_bytes", (uint64_t)plan->memory);
    json_add_count(json, "vertices", (uint64_t)plan->vertices);
    json_add_count(json, "triangles", (uint64_t)plan->triangles);
    json_add_count(json, "share_bytes", (uint64_t)plan->share_bytes);
    json_add_text(json, "format", plan->format ? plan->format->name : NULL);
    json_t *meshes = json_add_array(json, "meshes");
    for (const struct mesh_format *format = mesh_formats; format->name; format++) {
        struct problem why;
        const bool fits = plan_fits(format, plan->vertices, plan->triangles, &why);
        json_t *mesh = json_add_object(meshes, NULL);
        json_add_text(mesh, "format", format->name);
        json_add_count(
            mesh, "bytes",
            (uint64_t)plan_mesh_bytes(format, &plan->volume, plan->vertices, plan->triangles));
        json_add_bool(mesh, "fits", fits);
        json_add_text(mesh, "why", fits ? NULL : why.text);
    }
    json_t *seconds = json_add_object(json, "seconds");
    json_add_number(seconds, "read", plan->seconds.read);
    json_add_number(seconds, "extract", plan->seconds.extract);
    json_add_number(seconds, "shares", plan->seconds.shares);
    json_add_number(seconds, "write", plan->seconds.write);
    json_add_number(seconds, "least", plan->seconds.least);
    json_add_number(seconds, "most", plan->seconds.most);
    json_t *list = json_add_array(json, "ranks");
    for (uint32_t r = 0; r < plan->ranks; r++) {
        const struct plan_rank *rank = &plan->list[r];
        json_t *object = json_add_object(list, NULL);
        json_add_count(object, "rank", r);
        json_add_count(object, "shares", rank->shares);
        json_add_count(object, "first_layer", rank->first_layer);
        json_add_count(object, "layers", rank->layers);
        json_add_count(object, "bytes_read", (uint64_t)rank->read);
    }
    return json_finish(json, stdout, problem);
}

static void plan_print_meshes(const struct extract_plan *plan)
{
    struct problem why;
    char text[PLAN_TEXT];
    const char *before = "";
    for (const struct mesh_format *format = mesh_formats; format->name; format++) {
        if (plan_fits(format, plan->vertices, plan->triangles, &why)) {
            printf(
                "%s%s %s", before, format->name,
                plan_number_text(
                    plan_mesh_bytes(format, &plan->volume, plan->vertices, plan->triangles), "B",
                    text));
            before = ", ";
        }
    }
    before = "; too large for ";
    for (const struct mesh_format *format = mesh_formats; format->name; format++) {
        if (!plan_fits(format, plan->vertices, plan->triangles, &why)) {
            printf("%s%s", before, format->name);
            before = ", ";
        }
    }
    putchar('\n');
}

static void plan_print_text(const struct extract_plan *plan)
{
    const struct volume *volume = &plan->volume;
    const struct plan_rates *rates = &plan->rates;
    char a[PLAN_TEXT], b[PLAN_TEXT], c[PLAN_TEXT], d[PLAN_TEXT];
    const double bytes = plan->slice * volume->dim[2];
    fputs("file          ", stdout);
    printable_put(plan->options->operands[0], stdout);
    printf(
        "  (%u x %u x %u %s, %s)\n", volume->dim[0], volume->dim[1], volume->dim[2],
        volume_type_name(volume->file_type), plan_number_text(bytes, "B", a));
    printf(
        "ranks         %u, on %u node%s; each makes up to %u of %u shares\n", plan->ranks,
        plan->nodes, plan->nodes > 1 ? "s" : "", plan->most.shares, plan->shares);
    printf(
        "shares        of up to %u layers of %u; %s in all\n", plan->step, volume->dim[2] - 1,
        plan_number_text(plan->share_bytes, "B", a));
    printf(
        "a rank reads  up to %s; all read %s, %.3g %% more than the file has\n",
        plan_number_text(plan->most.read, "B", a), plan_number_text(plan->read, "B", b),
        (plan->read / bytes - 1) * 100);
    printf("a rank holds  about %s on its device\n", plan_number_text(plan->memory, "B", a));
    printf(
        "surface       about %s vertices, %s triangles\n", plan_number_text(plan->vertices, "", a),
        plan_number_text(plan->triangles, "", b));
    printf("meshes        ");
    plan_print_meshes(plan);
    printf(
        "seconds       %.3g to %.3g: read %.3g, extract %.3g, shares %.3g, mesh %.3g\n",
        plan->seconds.least, plan->seconds.most, plan->seconds.read, plan->seconds.extract,
        plan->seconds.shares, plan->seconds.write);
    printf(
        "assumed       %g ranks on a node, which reads %s and writes %s a second; the file system "
        "%s\n",
        rates->node, plan_number_text(rates->read, "B", a), plan_number_text(rates->write, "B", b),
        plan_number_text(rates->system, "B", c));
    printf(
        "              a second; a rank extracts %s voxels a second; %g vertices a voxel\n",
        plan_number_text(rates->voxels, "", d), rates->vertices);
}

bool extract_plan(const struct options *options, struct problem *problem)
{
    struct extract_plan plan = { .options = options };
    bool fine = plan_make(&plan, problem);
    if (fine && options->json) {
        fine = plan_print_json(&plan, problem);
    } else if (fine) {
        plan_print_text(&plan);
    }
    struct problem why;
    if (fine && plan.format && !plan_fits(plan.format, plan.vertices, plan.triangles, &why)) {
        log_warn("%s", why.text);
    }
    free(plan.list);
    return fine;
}
