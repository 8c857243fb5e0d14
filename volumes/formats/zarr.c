// Finds the arrays of a store, and which of their axes are those of a volume.
#include "volumes/formats/zarr.h"

#include "volumes/affine.h"
#include "volumes/base/apart.h"
#include "volumes/base/input.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/sidecar.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define DEPTH_MOST   8     // folders within each other
#define ENTRIES_MOST 20000 // names of folders that are looked at
#define ARRAYS_MOST  1000  // that are listed

// Joins three texts. The caller frees the result. Returns NULL if memory is short.
static char *
zarr_join(const char *first, const char *second, const char *third, struct problem *problem)
{
    char *joined;
    if (asprintf(&joined, "%s%s%s", first, second, third) < 0) {
        problem_no_memory(problem, "reading", first);
        return NULL;
    }
    return joined;
}

// ---- nodes ----

static void zarr_node_free(struct zarr_node *node)
{
    json_decref(node->metadata);
    json_decref(node->attributes);
    *node = (struct zarr_node){ 0 };
}

// Reads what is at `path`, which is "" or has a slash at its end. ZARR_NONE: neither group nor
// array. False: PROBLEM_INPUT. Free the node in any case.
static bool zarr_node_read(
    const char *store, const char *path, struct source_files *watched, struct zarr_node *node,
    struct problem *problem)
{
    static const struct {
        const char *name;
        enum zarr_form form;
        bool array;
    } files[] = { { "zarr.json", ZARR_3, false },
                  { ".zarray", ZARR_2, true },
                  { ".zgroup", ZARR_2, false },
                  { "attributes.json", ZARR_N5, false } };
    struct problem why = { 0 };
    *node = (struct zarr_node){ 0 };
    for (size_t i = 0; i < 4 && !node->metadata; i++) {
        char *name = zarr_join(path, files[i].name, "", problem);
        if (!name) {
            return false;
        }
        node->metadata = metadata_read(store, name, watched, &why);
        free(name);
        if (why.kind) {
            return problem_set(problem, why.kind, "%s", why.text);
        }
        node->form = node->metadata ? files[i].form : ZARR_NONE;
        node->array = files[i].array;
    }
    if (node->form == ZARR_3) {
        node->attributes = json_incref(json_object_get(node->metadata, "attributes"));
        node->array = strcmp(metadata_member(node->metadata, "node_type"), "array") == 0;
    } else if (node->form == ZARR_N5) {
        node->attributes = json_incref(node->metadata);
        node->array = json_object_get(node->metadata, "dimensions") &&
                      json_object_get(node->metadata, "dataType");
    } else if (node->form == ZARR_2) {
        char *name = zarr_join(path, ".zattrs", "", problem);
        node->attributes = name ? metadata_read(store, name, watched, &why) : NULL;
        free(name);
        if (!name || why.kind == PROBLEM_HOST_MEMORY || why.kind == PROBLEM_INTERRUPTED) {
            return name ? problem_set(problem, why.kind, "%s", why.text) : false;
        }
        if (why.kind) { // they only say more
            log_warn("%s; it is ignored", why.text);
        }
    }
    return true;
}

bool zarr_matches(const char *path)
{
    static const char *const names[] = { "zarr.json", ".zarray", ".zgroup", "attributes.json" };
    char file[PATH_MAX], text[4097];
    for (size_t i = 0; i < 4; i++) {
        const int length = snprintf(file, sizeof file, "%s/%s", path, names[i]);
        if (length < PATH_MAX && i < 3 && source_stamp_at(file).inode != 0) {
            return true;
        }
    }
    // Other programs also write files with the last of these names, so its text decides. The file
    // is not opened by source_open, because it does not count as an input yet.
    const int fd = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    text[source_read_at(fd, 0, text, sizeof text - 1, NULL)] = 0;
    close(fd);
    return strstr(text, "\"n5\"") ||
           (strstr(text, "\"dimensions\"") && strstr(text, "\"blockSize\""));
}

// ---- axes ----

void zarr_axis_name(struct zarr_axis *axis, const char *name, const char *unit)
{
    snprintf(axis->name, sizeof axis->name, "%s", name);
    snprintf(axis->unit, sizeof axis->unit, "%s", unit);
    axis->role = strcasecmp(name, "t") == 0 || strcasecmp(name, "time") == 0      ? ZARR_TIME
                 : strcasecmp(name, "c") == 0 || strcasecmp(name, "channel") == 0 ? ZARR_CHANNEL
                 : strlen(name) == 1 && strchr("xyzXYZ", *name)                   ? ZARR_SPACE
                                                                                  : ZARR_UNSAID;
}

// Finds the three axes of the volume, and sets the roles of the other axes. `axis` gets the three
// in the order of a chunk's samples, the fastest first. If more than three axes are in space or
// have no name, axes with one sample are left out first, then the slowest. So four axes without
// names are (channel, z, y, x), and five are (time, channel, z, y, x). The axis with
// the name `by_index` is always taken as one in space. "all" takes as many as three need.
// `by_index` may be NULL.
static bool zarr_find_axes(
    struct zarr_array *array, const char *by_index, const char *what, uint8_t axis[3],
    struct problem *problem)
{
    const char *other = NULL; // an axis of time or channels
    size_t spatial = 0, large = 0;
    bool takes[ZARR_AXES] = { false };
    const bool all = by_index && strcmp(by_index, "all") == 0;
    for (size_t a = 0; a < array->axes; a++) {
        struct zarr_axis *of = &array->axis[a];
        const bool space = of->role == ZARR_SPACE || of->role == ZARR_UNSAID;
        const bool needed = all && !space && spatial + array->axes - 1 - a < 3;
        if (needed || (by_index && strcmp(of->name, by_index) == 0)) {
            of->by_index = true;
            of->role = ZARR_SPACE;
            of->step = 1;
            of->start = 0;
        }
        takes[a] = space || of->by_index;
        other = !takes[a] && of->size > 1 ? of->name : other;
        spatial += takes[a];
        large += takes[a] && of->size > 1;
    }
    for (size_t a = 0; a < array->axes && spatial > 3; a++) {
        struct zarr_axis *at = &array->axis[a];
        if (takes[a] && (at->size <= 1 || (large > 3 && at->role == ZARR_UNSAID))) {
            takes[a] = false;
            if (at->size > 1 && at->role == ZARR_UNSAID && !*at->name) {
                at->role = spatial == 4 ? ZARR_CHANNEL : spatial == 5 ? ZARR_TIME : ZARR_OTHER;
            }
            large -= at->size > 1;
            spatial--;
        }
    }
    bool fine = spatial == 3;
    for (size_t a = 0; fine && a < array->axes; a++) {
        const struct zarr_axis *at = &array->axis[a];
        fine = takes[a] || at->size == 1 || at->role == ZARR_TIME || at->role == ZARR_CHANNEL;
    }
    for (size_t i = array->axes, v = 0; fine && i-- > 0;) {
        if (takes[array->stored[i]]) {
            axis[v++] = array->stored[i];
        }
    }
    char shape[200] = "";
    for (size_t a = 0, at = 0; !fine && a < array->axes && at < sizeof shape; a++) {
        at += (size_t)snprintf(
            shape + at, sizeof shape - at, "%s%.15s%s%" PRIu64, a ? ", " : "", array->axis[a].name,
            *array->axis[a].name ? " " : "", array->axis[a].size);
    }
    const bool more = spatial < 3 && other && *other && array->axes >= 3;
    return fine ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' has the axes (%s); expected three in space, and no others but time and "
               "channel%s%s%s",
               what, shape, more ? "; --axis-index " : "", more ? other : "",
               more ? " takes that axis as one of the three" : "") ||
           (more && problem_offer(problem, REMEDY_AXIS_INDEX));
}

// Which axis of the world an axis of the array is: the one that its name says. If no axis has such
// a name, the last axis of the array is x.
static bool zarr_place(
    const struct zarr_reading *reading, const char *path, struct volume *volume,
    struct problem *problem)
{
    double steps[3][3] = { { 0 } }, origin[3] = { 0 };
    int world[3];
    unsigned seen = 0;
    for (int v = 0; v < 3; v++) {
        const char *name = reading->array.axis[reading->axis[v]].name;
        const char *at = strlen(name) == 1 ? strchr("xXyYzZ", *name) : NULL;
        world[v] = at ? (int)(at - "xXyYzZ") / 2 : 3;
        seen |= 1u << world[v];
    }
    for (int v = 0; v < 3; v++) {
        const struct zarr_axis *axis = &reading->array.axis[reading->axis[v]];
        int after = 0; // axes of the volume that come after this one in the array
        for (int other = 0; other < 3; other++) {
            after += reading->axis[other] > reading->axis[v];
        }
        const int w = seen == 7 ? world[v] : after;
        steps[v][w] = axis->step;
        origin[w] = axis->start;
    }
    return affine_set(volume, (const double(*)[3])steps, origin, path, problem);
}

// ---- what a store holds ----

struct zarr_walk {
    const char *store;
    struct contents *contents;
    struct problem *problem;
    unsigned entries;       // names that were looked at
    const char *by_index;   // as in volume_params
    const json_t *image;    // of the group that is being walked; NULL: none
    const char *image_path; // of this group
    bool more;              // not all was looked at
    size_t first_image;     // 1 + its index in the contents; 0: none
    uint64_t most;          // samples of the largest array
    size_t largest;         // 1 + its index
};

static bool zarr_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out, struct problem *problem)
{
    return node->form == ZARR_N5  ? n5_describe(node, what, out, problem)
           : node->form == ZARR_3 ? zarr3_describe(node, what, out, problem)
                                  : zarr2_describe(node, what, out, problem);
}

// Describes the array at `path`, which is a level of the image if that is not NULL. Sets
// reading->path, array, axis.
static bool zarr_read_array(
    struct zarr_reading *reading, const char *path, const json_t *image, size_t level,
    const char *by_index, struct problem *problem)
{
    struct zarr_node node = { 0 };
    free(reading->path);
    source_files_free(&reading->watched);
    reading->path =
        zarr_join(path, image ? ome_level_path(image, level) : "", image ? "/" : "", problem);
    char *what = reading->path ? zarr_join(reading->store, "/", reading->path, problem) : NULL;
    if (!what) {
        return false;
    }
    what[strlen(what) - 1] = 0; // the slash
    bool fine = zarr_node_read(reading->store, reading->path, &reading->watched, &node, problem);
    if (fine && !node.array) {
        fine = problem_set(problem, PROBLEM_INPUT, "'%s' is no array of a Zarr or N5 store", what);
    }
    fine = fine && zarr_describe(&node, what, &reading->array, problem) &&
           (!image || ome_place(image, level, what, &reading->array, problem)) &&
           zarr_find_axes(&reading->array, by_index, what, reading->axis, problem);
    zarr_node_free(&node);
    free(what);
    return fine;
}

// Adds an array, or an image, to the contents. One that cubist cannot read is listed without axes.
static bool zarr_list(
    struct zarr_walk *walk, const char *path, const struct zarr_node *node, const json_t *image)
{
    struct zarr_reading reading = { .store = (char *)walk->store };
    struct problem why;
    char name[PATH_MAX];
    const int length = snprintf(name, sizeof name, "%s", *path ? path : image ? "/" : "");
    bool fine;
    if (length > 1) {
        name[length - 1] = 0; // the slash
    }
    if (image) {
        fine = zarr_read_array(&reading, path, image, 0, walk->by_index, &why);
    } else {
        fine = zarr_describe(node, name, &reading.array, &why) &&
               zarr_find_axes(&reading.array, walk->by_index, name, reading.axis, &why);
    }
    free(reading.path);
    source_files_free(&reading.watched);
    if (!fine && why.kind != PROBLEM_INPUT) {
        return problem_set(walk->problem, why.kind, "%s", why.text);
    }
    const struct zarr_array array = reading.array;
    const uint8_t *axis = reading.axis;
    const bool known = fine && !array.format.wide; // by a word of the program
    struct contents_array *listed = contents_add(
        walk->contents, name, known ? volume_type_name(array.format.type) : array.type, walk->store,
        walk->problem);
    if (!listed) {
        return false;
    }
    uint64_t samples = 1;
    listed->levels = image ? ome_levels(image) : 1;
    static const char *const spaces[] = { "x", "y", "z" };
    size_t named = 0;
    for (size_t a = array.axes; fine && a-- > 0;) {
        const struct zarr_axis *of = &array.axis[a];
        const bool space = a == axis[0] || a == axis[1] || a == axis[2];
        const char *word = *of->name                  ? of->name
                           : space                    ? spaces[named++]
                           : of->role == ZARR_CHANNEL ? "channel"
                                                      : "time";
        fine = size_product(samples, of->size, &samples);
        contents_add_axis(listed, word, of->size, space ? of->step : 0, of->unit);
    }
    if (fine && image && !walk->first_image) {
        walk->first_image = walk->contents->count;
    } else if (fine && samples > walk->most) {
        walk->most = samples;
        walk->largest = walk->contents->count;
    }
    return true;
}

static int zarr_compare(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

// The names in a folder that may be groups or arrays, in order. Links are not followed.
static bool zarr_names(struct zarr_walk *walk, const char *path, struct sidecar_list *names)
{
    char *folder = zarr_join(walk->store, "/", path, walk->problem);
    DIR *dir = folder ? opendir(folder) : NULL;
    bool fine = folder;
    for (struct dirent *entry; dir && fine && (entry = readdir(dir));) {
        if (walk->entries == ENTRIES_MOST) {
            walk->more = true;
            break;
        }
        walk->entries++;
        if (entry->d_name[0] != '.' && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)) {
            fine = sidecar_list_add(names, entry->d_name, strlen(entry->d_name), walk->problem);
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(folder);
    if (names->count > 1) {
        qsort(names->names, names->count, sizeof *names->names, zarr_compare);
    }
    return fine && input_go_on(walk->store, walk->problem);
}

// Whether the path is one of a level of the image that is being walked.
static bool zarr_is_level(const struct zarr_walk *walk, const char *path)
{
    const size_t length = walk->image ? strlen(walk->image_path) : 0;
    for (size_t i = 0; walk->image && i < ome_levels(walk->image); i++) {
        const char *level = ome_level_path(walk->image, i);
        const size_t size = strlen(level);
        if (strncmp(path, walk->image_path, length) == 0 &&
            strncmp(path + length, level, size) == 0 && strcmp(path + length + size, "/") == 0) {
            return true;
        }
    }
    return false;
}

// Lists what is at `path` and below it.
static bool zarr_walk(struct zarr_walk *walk, const char *path, int depth, bool n5)
{
    struct zarr_node node;
    struct problem why;
    struct sidecar_list names = { 0 };
    if (walk->contents->count == ARRAYS_MOST || depth == DEPTH_MOST) {
        walk->more = true;
        return true;
    }
    if (zarr_is_level(walk, path)) {
        return true;
    }
    bool fine = zarr_node_read(walk->store, path, NULL, &node, &why);
    if (!fine && (depth == 0 || why.kind != PROBLEM_INPUT)) {
        zarr_node_free(&node);
        return problem_set(walk->problem, why.kind, "%s", why.text);
    }
    fine = true;
    if (node.array) {
        fine = zarr_list(walk, path, &node, NULL);
    } else if (node.form != ZARR_NONE || n5) {
        const json_t *image = ome_image(node.attributes), *outer = walk->image;
        const char *outer_path = walk->image_path;
        walk->image = image ? image : outer;
        walk->image_path = image ? path : outer_path;
        fine = (!image || zarr_list(walk, path, &node, image)) && zarr_names(walk, path, &names);
        for (size_t i = 0; fine && i < names.count; i++) {
            char *below = zarr_join(path, names.names[i], "/", walk->problem);
            fine = below && zarr_walk(walk, below, depth + 1, n5 || node.form == ZARR_N5);
            free(below);
        }
        walk->image = outer;
        walk->image_path = outer_path;
    }
    sidecar_list_destroy(&names);
    zarr_node_free(&node);
    return fine;
}

// Sets *path, which the caller frees, to the array that is asked for, or to the default. An array
// that is asked for need not be in the list.
static bool
zarr_select(struct zarr_walk *walk, const char *wanted, char **path, struct problem *problem)
{
    struct contents *contents = walk->contents;
    const size_t most = walk->first_image ? walk->first_image : walk->largest;
    if (contents->count == 0) {
        return problem_set(problem, PROBLEM_INPUT, "'%s' is a store without arrays", walk->store);
    }
    const bool named = contents->count > 1 || contents->arrays[0].path[0];
    if (!contents_select(
            contents, named ? wanted : NULL, most ? most - 1 : 0, walk->more, walk->store,
            problem)) {
        return false;
    }
    const char *name = contents->arrays[contents->chosen].path;
    const bool root = strcmp(name, "/") == 0 || !*name;
    *path = zarr_join(root ? "" : name, root ? "" : "/", "", problem);
    return *path;
}

// ---- opening ----

// Whether the params name an axis of the volume.
static bool zarr_has_axis(const struct zarr_reading *reading)
{
    bool has = false;
    for (int v = 0; v < 3; v++) {
        has |= reading->array.axis[reading->axis[v]].by_index;
    }
    return has;
}

// Bytes of the samples in memory.
static uint64_t zarr_bytes(const struct zarr_reading *reading)
{
    uint64_t bytes = volume_type_size(volume_type_in_memory(reading->array.format.type));
    for (int v = 0; v < 3; v++) {
        if (!size_product(bytes, reading->array.axis[reading->axis[v]].size, &bytes)) {
            return UINT64_MAX;
        }
    }
    return bytes;
}

// Finds the level of an image to read, and describes it. It is the level that is asked for; else
// the finest one with at most params->level_bytes bytes; else the coarsest.
static bool zarr_read_level(
    struct zarr_reading *reading, const char *path, const json_t *image,
    const struct volume_params *params, struct contents *contents, struct problem *problem)
{
    const size_t levels = image ? ome_levels(image) : 1;
    uint64_t level;
    struct pick pick = params->pick;
    if (!contents_choose(
            contents, CONTENTS_LEVEL, levels, &pick, reading->store, &level, problem) ||
        !zarr_read_array(reading, path, image, level, params->axis_index, problem)) {
        return false;
    }
    if (levels < 2 || contents_asked(&pick, CONTENTS_LEVEL) || !params->level_bytes) {
        return true;
    }
    while (level + 1 < levels && zarr_bytes(reading) > params->level_bytes) {
        level++;
        if (!zarr_read_array(reading, path, image, level, params->axis_index, problem)) {
            return false;
        }
    }
    contents->choice[CONTENTS_LEVEL].at = level;
    if (level > 0) {
        log_note(
            "'%s': level %" PRIu64 " of 0 to %zu is read, because finer ones do not fit; --level "
            "selects another",
            reading->store, level, levels - 1);
    }
    return true;
}

// Selects the sample along every axis that is not one of the volume's.
static bool zarr_choose(
    struct zarr_reading *reading, const struct volume_params *params, struct contents *contents,
    struct problem *problem)
{
    for (size_t a = 0; a < reading->array.axes; a++) {
        const struct zarr_axis *axis = &reading->array.axis[a];
        const bool space = memchr(reading->axis, (int)a, 3);
        if (!space && axis->size > 0 && (axis->role == ZARR_TIME || axis->role == ZARR_CHANNEL) &&
            !contents_choose(
                contents, axis->role == ZARR_TIME ? CONTENTS_TIME : CONTENTS_CHANNEL, axis->size,
                &params->pick, reading->store, &reading->at[a], problem)) {
            return false;
        }
    }
    return true;
}

bool zarr_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct zarr_walk walk = {
        .store = path,
        .contents = &out->contents,
        .problem = problem,
        .by_index = params->axis_index,
    };
    struct zarr_reading reading = { .store = strdup(path) };
    struct zarr_node node = { 0 };
    char *selected = NULL;
    bool fine = reading.store || problem_no_memory(problem, "reading", path);
    fine = fine && apart_folder(path, problem) && zarr_walk(&walk, "", 0, false) &&
           zarr_select(&walk, params->pick.array, &selected, problem) &&
           zarr_node_read(path, selected, NULL, &node, problem);
    fine = fine &&
           zarr_read_level(
               &reading, selected, node.array ? NULL : ome_image(node.attributes), params,
               &out->contents, problem) &&
           zarr_choose(&reading, params, &out->contents, problem);
    zarr_node_free(&node);
    free(selected);
    if (!fine) {
        zarr_reading_free(&reading);
        return false;
    }
    out->by_index = zarr_has_axis(&reading);
    const struct zarr_reading copy = reading; // `out` owns what it points to from here on
    return zarr_chunks_open(&reading, params, out, problem) &&
           zarr_place(&copy, path, &out->volume, problem);
}
