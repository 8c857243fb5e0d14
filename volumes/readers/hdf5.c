// The reader of HDF5 and of NetCDF, whose version 4 is HDF5. It reads no file that is not beside
// the one that was named, or below, and loads no plugins.
#include "volumes/readers/hdf5.h"
#include "volumes/readers/netcdf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define OBJECTS 100000 // that are looked at, at most
#define DEPTH   16     // of groups

// Data sets that are time steps, channels and levels of one volume.
static const struct {
    const char *path;
    int order[3]; // which choice each number of the path is
} hdf5_families[] = {
    { "/DataSet/ResolutionLevel %u/TimePoint %u/Channel %u/Data",
      { GRID_LEVEL, GRID_TIME, GRID_CHANNEL } },                          // Imaris
    { "/t%05u/s%02u/%u/cells", { GRID_TIME, GRID_CHANNEL, GRID_LEVEL } }, // BigDataViewer
};

struct hdf5_walk {
    struct hdf5 *file;
    char path[512];   // of the group that is looked at
    char signal[512]; // the data set that the first NeXus group shows
    int depth, objects;
    struct hdf5_seen {
        unsigned long file;
        haddr_t address;
    } * seen; // groups
    size_t seen_count;
};

// Called for each link into another file.
static herr_t hdf5_follow(
    const char *parent, const char *group, const char *child, const char *object, unsigned *flags,
    hid_t access, void *user)
{
    (void)group, (void)object, (void)flags, (void)access;
    return hdf5_add_file(user, parent, child) ? -1 : 0;
}

static void hdf5_add_array(struct hdf5_walk *walk, hid_t dataset)
{
    hid_t memory;
    hsize_t size[H5S_MAX_RANK];
    const char *type = hdf5_type(dataset, &memory);
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    struct grid_array *array = type ? grid_add(&walk->file->grid, walk->path, rank) : NULL;
    if (array) {
        array->type = type;
        H5Sget_simple_extent_dims(space, size, NULL);
        for (int i = 0; i < rank; i++) {
            array->axis[i].size = size[i];
        }
    }
    H5Sclose(space);
    H5Tclose(memory);
}

static bool hdf5_is_new(struct hdf5_walk *walk, const H5O_info_t *info)
{
    for (size_t i = 0; i < walk->seen_count; i++) {
        if (walk->seen[i].address == info->addr && walk->seen[i].file == info->fileno) {
            return false;
        }
    }
    walk->seen = realloc(walk->seen, (walk->seen_count + 1) * sizeof *walk->seen);
    if (!walk->seen) {
        exit(1);
    }
    walk->seen[walk->seen_count++] = (struct hdf5_seen){ info->fileno, info->addr };
    return true;
}

static herr_t hdf5_visit(hid_t group, const char *name, const H5L_info_t *link, void *user)
{
    struct hdf5_walk *walk = user;
    const size_t length = strlen(walk->path);
    H5O_info_t info;
    (void)link;
    if (++walk->objects > OBJECTS || length + strlen(name) + 2 > sizeof walk->path) {
        return 0;
    }
    const hid_t object = H5Oopen(group, name, walk->file->links);
    if (object < 0) {
        return 0;
    }
    sprintf(walk->path + length, "/%s", name);
    const H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_DATASET) {
        hdf5_add_array(walk, object);
    } else if (
        kind == H5I_GROUP && walk->depth < DEPTH && H5Oget_info(object, &info) >= 0 &&
        hdf5_is_new(walk, &info)) {
        char signal[200];
        if (!walk->signal[0] && hdf5_text(object, "signal", 0, signal, sizeof signal)) {
            snprintf(walk->signal, sizeof walk->signal, "%.300s/%.200s", walk->path, signal);
        }
        walk->depth++;
        H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, hdf5_visit, walk);
        walk->depth--;
    }
    walk->path[length] = 0;
    H5Oclose(object);
    return 0;
}

// Follows the attributes `default` of NeXus from the root; "": there are none.
static void hdf5_find_default(struct hdf5 *file, char out[512])
{
    char path[512] = "", name[200];
    out[0] = 0;
    for (int i = 0; i < DEPTH; i++) {
        const hid_t group = H5Oopen(file->file, path[0] ? path : "/", file->links);
        const size_t length = strlen(path);
        if (group < 0) {
            return;
        }
        if (hdf5_text(group, "signal", 0, name, sizeof name)) {
            snprintf(out, 512, "%.300s/%.200s", path, name);
        }
        const bool further =
            !out[0] && hdf5_text(group, "default", 0, name, sizeof name) && length < 300;
        H5Oclose(group);
        if (!further) {
            return;
        }
        snprintf(path + length, sizeof path - length, "/%s", name[0] == '/' ? name + 1 : name);
    }
}

static bool hdf5_has(struct hdf5 *file, const char *path)
{
    const hid_t object = H5Oopen(file->file, path, file->links);
    H5Oclose(object);
    return object >= 0;
}

// Imaris pads its arrays, and states sizes and extents as text.
static void hdf5_read_imaris(struct hdf5 *file, struct grid_array *array)
{
    char path[512], text[64];
    snprintf(path, sizeof path, "%s", array->path);
    *strrchr(path, '/') = 0;
    const hid_t channel = H5Oopen(file->file, path, file->links);
    const hid_t image = H5Oopen(file->file, "/DataSetInfo/Image", file->links);
    for (int i = 0; i < 3; i++) {
        struct grid_axis *axis = &array->axis[2 - i];
        static const char *const sizes[] = { "ImageSizeX", "ImageSizeY", "ImageSizeZ" };
        static const char *const leasts[] = { "ExtMin0", "ExtMin1", "ExtMin2" };
        static const char *const mosts[] = { "ExtMax0", "ExtMax1", "ExtMax2" };
        if (channel >= 0 && hdf5_text(channel, sizes[i], HDF5_LETTERS, text, sizeof text)) {
            const uint64_t true_size = strtoull(text, NULL, 10);
            axis->size = true_size > 0 && true_size < axis->size ? true_size : axis->size;
        }
        if (image >= 0 && hdf5_text(image, leasts[i], HDF5_LETTERS, text, sizeof text)) {
            const double first = strtod(text, NULL);
            if (hdf5_text(image, mosts[i], HDF5_LETTERS, text, sizeof text)) {
                const double step = (strtod(text, NULL) - first) / (double)axis->size;
                grid_space(axis, first + step / 2, step);
            }
            hdf5_text(image, "Unit", HDF5_LETTERS, axis->unit, sizeof axis->unit);
        }
    }
    H5Oclose(channel);
    H5Oclose(image);
}

// If the chosen array is one time, channel or level of several, chooses the one that the keys ask
// for.
static void hdf5_select_in_family(struct hdf5 *file)
{
    struct grid *grid = &file->grid;
    struct grid_array *array = &grid->arrays[grid->facts.chosen];
    for (size_t f = 0; f < sizeof hdf5_families / sizeof *hdf5_families; f++) {
        const char *pattern = hdf5_families[f].path;
        unsigned number[3];
        char path[512];
        if (sscanf(array->path, pattern, &number[0], &number[1], &number[2]) != 3) {
            continue;
        }
        snprintf(path, sizeof path, pattern, number[0], number[1], number[2]);
        if (strcmp(path, array->path) != 0) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            unsigned count = 0, at[3] = { 0, 0, 0 };
            do {
                at[i] = ++count;
                snprintf(path, sizeof path, pattern, at[0], at[1], at[2]);
            } while (hdf5_has(file, path));
            const int choice = hdf5_families[f].order[i];
            const bool named = protocol_value("array") && number[i] < count;
            number[i] = (unsigned)grid_select(grid, choice, count, named ? number[i] : 0);
        }
        snprintf(path, sizeof path, pattern, number[0], number[1], number[2]);
        array = grid_find(grid, path);
        if (f == 0 && array->rank == 3) {
            hdf5_read_imaris(file, array);
        }
        if (f == 1 && strcmp(array->type, "int16") == 0) {
            array->type = "uint16"; // BigDataViewer stores the same bits
        }
        return;
    }
}

// Opens the chosen array once more, with a cache of two layers of its chunks.
static void hdf5_open_cache(struct hdf5 *file)
{
    const struct grid_array *array = &file->grid.arrays[file->grid.facts.chosen];
    const hid_t access = H5Pcopy(file->links);
    const hid_t properties = H5Dget_create_plist(file->dataset);
    hsize_t chunk[H5S_MAX_RANK];
    if (H5Pget_chunk(properties, H5S_MAX_RANK, chunk) == array->rank) {
        struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
        getrlimit(RLIMIT_AS, &limit);
        const double most = limit.rlim_cur == RLIM_INFINITY ? 0x1p32 : (double)limit.rlim_cur / 4;
        double bytes = 2 * (double)H5Tget_size(file->type), chunks = 2;
        for (int i = 0; i < array->rank; i++) {
            const double count = (double)((array->axis[i].size + chunk[i] - 1) / chunk[i]);
            const bool crossed = i == file->grid.space[0] || i == file->grid.space[1];
            bytes *= (double)chunk[i] * (crossed ? count : 1);
            chunks *= crossed ? count : 1;
        }
        for (int i = 0; i < 3; i++) {
            file->grid.facts.granule[i] = chunk[file->grid.space[i]];
        }
        if (bytes > most) {
            grid_remark(
                &file->grid,
                "two layers of its chunks need %.3g GiB of memory, and %.3g GiB may "
                "be used: chunks are decoded several times",
                bytes / 0x1p30, most / 0x1p30);
        }
        H5Pset_chunk_cache(
            access, (size_t)(chunks < 1e5 ? 101 * chunks : 1e7),
            (size_t)(bytes < most ? bytes : most), 1);
        H5Dclose(file->dataset);
        file->dataset = H5Dopen2(file->file, array->path, access);
    }
    H5Pclose(properties);
    H5Pclose(access);
}

static bool hdf5_block(void *context, const uint64_t box[3][2], void *out, char *error, size_t room)
{
    struct hdf5 *file = context;
    const struct grid *grid = &file->grid;
    const int rank = grid->arrays[grid->facts.chosen].rank;
    hsize_t start[GRID_AXES], count[GRID_AXES];
    for (int i = 0; i < rank; i++) {
        start[i] = grid->at[i];
        count[i] = 1;
    }
    for (int i = 0; i < 3; i++) {
        start[grid->space[i]] = box[i][0];
        count[grid->space[i]] = box[i][1] - box[i][0];
    }
    const hid_t memory = H5Screate_simple(rank, count, NULL);
    const bool read =
        H5Sselect_hyperslab(file->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(file->dataset, file->type, memory, file->space, H5P_DEFAULT, out) >= 0;
    if (!read) {
        snprintf(error, room, "%s", hdf5_reason());
    } else {
        grid_apply(grid, box, out);
    }
    H5Sclose(memory);
    return read;
}

static void hdf5_take_values(struct hdf5 *file)
{
    double values[GRID_VALUES];
    memcpy(values, grid_no_values, sizeof values);
    for (int i = 0; i < GRID_VALUES; i++) {
        hdf5_numbers(file->dataset, grid_value_names[i], &values[i], 1);
    }
    grid_remark_values(&file->grid, values);
    hdf5_scale(file, &values[GRID_FIRST]);
}

static int hdf5_serve(const char *path)
{
    struct hdf5 file = { .files = json_array() };
    struct hdf5_walk walk = { .file = &file };
    char version[64], preferred[512];
    unsigned major, minor, release;
    const char *slash = strrchr(path, '/');
    snprintf(file.given, sizeof file.given, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
    char *current = path[0] == '/' ? NULL : getcwd(NULL, 0);
    const int length = snprintf(
        file.path, PATH_MAX, "%s/%s", current ? current : "", path[0] == '/' ? path + 1 : path);
    if (length >= PATH_MAX || (path[0] != '/' && !current)) {
        protocol_refuse("input", "its path is too long");
    }
    file.folder = (size_t)length - strlen(path) + strlen(file.given);
    free(current);
    protocol_limit(20);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0); // no code comes from outside
    protocol_add_file(file.files, path, NULL);
    file.links = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_elink_cb(file.links, hdf5_follow, &file);
    H5Pset_efile_prefix(file.links, "${ORIGIN}"); // external samples are beside their file
    file.file = H5Fopen(file.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file.file < 0) {
        protocol_refuse("input", "%s", hdf5_reason());
    }
    H5Literate(file.file, H5_INDEX_NAME, H5_ITER_INC, NULL, hdf5_visit, &walk);
    if (file.missing[0] && file.grid.count == 0) {
        protocol_refuse(
            "input",
            "it has no array of numbers with three axes, and a link leads to '%s', which "
            "is not there, or not beside the file or below",
            file.missing);
    }
    hdf5_find_default(&file, preferred);
    const char *first = preferred[0] ? preferred : walk.signal[0] ? walk.signal : NULL;
    grid_choose(&file.grid, first);
    hdf5_select_in_family(&file);
    struct grid_array *array = &file.grid.arrays[file.grid.facts.chosen];
    file.dataset = H5Dopen2(file.file, array->path, file.links);
    if (file.dataset < 0 || !hdf5_type(file.dataset, &file.type)) {
        protocol_refuse("input", "'%s': %s", array->path, hdf5_reason());
    }
    hdf5_check_sources(&file, file.dataset);
    hdf5_describe_axes(&file, file.dataset, array);
    grid_place(&file.grid);
    hdf5_open_cache(&file);
    file.space = H5Dget_space(file.dataset);
    hdf5_take_values(&file);
    protocol_limit(0);
    H5get_libversion(&major, &minor, &release);
    snprintf(version, sizeof version, "HDF5 %u.%u.%u", major, minor, release);
    grid_answer(&file.grid, version, file.files);
    return protocol_serve(file.grid.facts.size, H5Tget_size(file.type), hdf5_block, &file);
}

int main(int argc, char **argv)
{
    // Variables of the environment by which libhdf5 would look for other files elsewhere. They are
    // removed.
    static const char *const variables[] = { "HDF5_PLUGIN_PATH", "HDF5_PLUGIN_PRELOAD",
                                             "HDF5_VDS_PREFIX", "HDF5_EXTFILE_PREFIX",
                                             "HDF5_EXT_PREFIX" };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        unsetenv(variables[i]);
    }
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); // nothing is written
    const char *path = protocol_begin(
        argc, argv,
        "{\"cubist\": 1, \"name\": \"HDF5\", \"extensions\": [\".h5\", \".nc\"], \"magic\": "
        "[{\"at\": 0, \"bytes\": \"894844460d0a1a0a\"}, {\"at\": 0, \"bytes\": \"434446\"}]}");
    const int code = netcdf_serve(path);
    return code < 0 ? hdf5_serve(path) : code;
}
