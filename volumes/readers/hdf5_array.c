// One data set of an HDF5 file: the type of its samples, where they are, and what is said of its
// axes: by dimension scales (NetCDF-4), NeXus, MINC 2, Imaris, and the attribute element_size_um.
#include "volumes/readers/hdf5.h"

#include <hdf5_hl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static herr_t hdf5_take_reason(unsigned number, const H5E_error2_t *error, void *text)
{
    if (number == 0) {
        snprintf(text, 200, "%s", error->desc ? error->desc : "it is malformed");
    }
    return 0;
}

const char *hdf5_reason(void)
{
    static char text[200];
    strcpy(text, "it is malformed");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, hdf5_take_reason, text);
    return text;
}

const char *hdf5_add_file(struct hdf5 *file, const char *parent, const char *name)
{
    char path[PATH_MAX];
    size_t i;
    json_t *entry;
    snprintf(file->missing, sizeof file->missing, "%s", name);
    if (name[0] == '/' || strncmp(name, "../", 3) == 0 || strstr(name, "/../") ||
        strncmp(parent, file->path, file->folder) != 0) {
        return "is not beside the file or below";
    }
    const char *within = parent + file->folder, *slash = strrchr(within, '/');
    const int length = slash ? (int)(slash - within) + 1 : 0;
    if (snprintf(path, sizeof path, "%s%.*s%s", file->given, length, within, name) >= PATH_MAX ||
        access(path, R_OK) != 0) {
        return "is not there";
    }
    file->missing[0] = 0;
    json_array_foreach(file->files, i, entry)
    {
        if (strcmp(json_string_value(json_object_get(entry, "path")), path) == 0) {
            return NULL;
        }
    }
    protocol_add_file(file->files, path, NULL);
    return NULL;
}

// Opens an attribute. *points: how many values it has; 0: there is none.
static hid_t hdf5_open_attribute(hid_t object, const char *name, size_t *points)
{
    const hid_t attribute =
        H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    const hid_t space = H5Aget_space(attribute);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    *points = count > 0 ? (size_t)count : 0;
    H5Sclose(space);
    return attribute;
}

bool hdf5_text(hid_t object, const char *name, size_t index, char *out, size_t size)
{
    size_t count;
    const hid_t attribute = hdf5_open_attribute(object, name, &count);
    const hid_t type = H5Aget_type(attribute);
    bool found = false;
    if (H5Tget_class(type) == H5T_STRING && count > 0 && count < 4096) {
        const size_t each = H5Tget_size(type);
        const bool variable = H5Tis_variable_str(type) > 0;
        char *bytes = each < 65536 ? calloc(count + 1, each + 1) : NULL;
        const bool letters = index == HDF5_LETTERS && each == 1;
        index = index == HDF5_LETTERS ? 0 : index;
        found = bytes && H5Aread(attribute, type, bytes) >= 0 && index < count;
        if (found && variable) {
            const char *text = ((char **)bytes)[index];
            snprintf(out, size, "%s", text ? text : "");
            for (size_t i = 0; i < count; i++) {
                H5free_memory(((char **)bytes)[i]);
            }
        } else if (found) {
            snprintf(out, size, "%.*s", (int)(letters ? count : each), bytes + index * each);
        }
        free(bytes);
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return found;
}

size_t hdf5_numbers(hid_t object, const char *name, double *out, size_t most)
{
    size_t count;
    const hid_t attribute = hdf5_open_attribute(object, name, &count);
    const bool read = count > 0 && count <= most && H5Aread(attribute, H5T_NATIVE_DOUBLE, out) >= 0;
    H5Aclose(attribute);
    return read ? count : 0;
}

const char *hdf5_type(hid_t dataset, hid_t *memory)
{
    static const char *const whole[2][9] = {
        { [1] = "uint8", [2] = "uint16", [4] = "uint32", [8] = "uint64" },
        { [1] = "int8", [2] = "int16", [4] = "int32", [8] = "int64" },
    };
    const hid_t type = H5Dget_type(dataset);
    const hid_t base = H5Tget_class(type) == H5T_ENUM ? H5Tget_super(type) : H5Tcopy(type);
    const H5T_class_t class = H5Tget_class(base);
    const char *name = NULL;
    *memory = H5I_INVALID_HID;
    if (class == H5T_INTEGER) { // or words for integers
        *memory = H5Tget_native_type(type, H5T_DIR_ASCEND);
        const size_t size = H5Tget_size(*memory);
        name = size <= 8 ? whole[H5Tget_sign(base) == H5T_SGN_2][size] : NULL;
    } else if (class == H5T_FLOAT && H5Tget_size(base) == 2) {
        size_t sign, exponent, exponents, mantissa, mantissas;
        H5Tget_fields(base, &sign, &exponent, &exponents, &mantissa, &mantissas);
        *memory = H5Tcopy(base);
        H5Tset_order(*memory, H5Tget_order(H5T_NATIVE_INT));
        name = sign == 15 && exponent == 10 && exponents == 5 && mantissas == 10 ? "float16" : NULL;
    } else if (class == H5T_FLOAT) {
        const bool single = H5Tget_size(base) <= 4;
        *memory = H5Tcopy(single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE);
        name = single ? "float32" : "float64";
    }
    H5Tclose(base);
    H5Tclose(type);
    return name;
}

// ---- where the samples are ----

static void hdf5_check_filters(hid_t properties)
{
    for (int i = 0; i < H5Pget_nfilters(properties); i++) {
        char name[64] = "";
        unsigned flags, can = 0;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, (unsigned)i, &flags, &values, NULL, sizeof name, name, NULL);
        if (H5Zfilter_avail(filter) <= 0 || H5Zget_filter_info(filter, &can) < 0 ||
            !(can & H5Z_FILTER_CONFIG_DECODE_ENABLED)) {
            protocol_refuse(
                "unsupported",
                "its samples are compressed by the filter %d (%.60s), which the "
                "reader does not have; h5repack -f GZIP=1 writes them without it",
                (int)filter, name);
        }
    }
}

// Adds the file `name` beside the file `parent`, which has samples. Sets `path` to its path.
static void hdf5_take_source(
    struct hdf5 *file, const char *parent, const char *name, const char *array, char path[PATH_MAX])
{
    const char *wrong = strchr(name, '%') || strchr(array, '%')
                            ? "is a pattern, which the reader does not follow"
                            : hdf5_add_file(file, parent, name);
    const int length = wrong ? 0 : (int)(strrchr(parent, '/') - parent) + 1;
    if (!wrong && snprintf(path, PATH_MAX, "%.*s%s", length, parent, name) >= PATH_MAX) {
        wrong = "has a path that is too long";
    }
    if (wrong) {
        protocol_refuse("input", "its samples are in '%s', which %s", name, wrong);
    }
}

// A virtual data set takes samples from source `i`, which is `dataset`. Returns whether the source
// has all of these samples. If it does not, the library returns the fill value for the others.
static bool hdf5_covers(hid_t dataset, hid_t properties, size_t i)
{
    hsize_t first[H5S_MAX_RANK], last[H5S_MAX_RANK], size[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(dataset), from = H5Pget_virtual_srcspace(properties, i);
    const hid_t to = H5Pget_virtual_vspace(properties, i);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    bool covers = H5Sget_select_type(from) != H5S_SEL_ALL ||
                  H5Sget_select_npoints(to) <= H5Sget_simple_extent_npoints(space);
    if (H5Sget_simple_extent_ndims(from) == rank && H5Sget_select_bounds(from, first, last) >= 0) {
        for (int axis = 0; axis < rank; axis++) {
            covers = covers && last[axis] < size[axis];
        }
    }
    H5Sclose(to);
    H5Sclose(from);
    H5Sclose(space);
    return covers;
}

// Checks source `i` of a virtual data set: the array `array` in the file `name`. The name "." means
// the file that has the virtual data set.
static void hdf5_check_source(
    struct hdf5 *file, hid_t container, const char *parent, const char *name, const char *array,
    hid_t properties, size_t i)
{
    char path[PATH_MAX];
    hid_t other;
    if (strcmp(name, ".") == 0) {
        other = H5Iget_file_id(container);
    } else {
        hdf5_take_source(file, parent, name, array, path);
        other = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    const hid_t dataset = other < 0 ? H5I_INVALID_HID : H5Dopen2(other, array, file->links);
    if (dataset < 0) {
        protocol_refuse("input", "its samples are in '%s' of '%s': %s", array, name, hdf5_reason());
    }
    if (!hdf5_covers(dataset, properties, i)) {
        protocol_refuse(
            "input", "its samples are in '%s' of '%s', which has fewer than are taken from it",
            array, name);
    }
    hdf5_check_sources(file, dataset); // it may be virtual itself
    H5Dclose(dataset);
    H5Fclose(other);
}

// The library reads zeros behind the end of an external file. So a file that is too short is
// refused.
static void
hdf5_check_external(struct hdf5 *file, hid_t dataset, hid_t properties, const char *parent)
{
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    hsize_t left = (hsize_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
    for (int i = 0; i < H5Pget_external_count(properties); i++) {
        char name[PATH_MAX], path[PATH_MAX];
        off_t offset = 0;
        hsize_t size = 0;
        struct stat there;
        H5Pget_external(properties, (unsigned)i, sizeof name, name, &offset, &size);
        hdf5_take_source(file, parent, name, "", path);
        size = size < left ? size : left;
        left -= size;
        if (stat(path, &there) != 0 || there.st_size < offset ||
            (hsize_t)(there.st_size - offset) < size) {
            protocol_refuse("input", "its samples are in '%s', which ends too early", name);
        }
    }
    H5Sclose(space);
    H5Tclose(type);
}

// The library reads the fill value for a source that is missing. So this checks that each source is
// there.
void hdf5_check_sources(struct hdf5 *file, hid_t dataset)
{
    static int depth;
    const hid_t properties = H5Dget_create_plist(dataset);
    char own[PATH_MAX] = "", name[PATH_MAX], array[1024];
    size_t count = 0;
    H5Fget_name(dataset, own, sizeof own);
    if (++depth > 8) {
        protocol_refuse("input", "its virtual data sets lead to each other");
    }
    hdf5_check_filters(properties);
    if (H5Pget_layout(properties) == H5D_VIRTUAL) {
        H5Pget_virtual_count(properties, &count);
        for (size_t i = 0; i < count; i++) {
            if (H5Pget_virtual_filename(properties, i, name, sizeof name) < 0 ||
                H5Pget_virtual_dsetname(properties, i, array, sizeof array) < 0) {
                protocol_refuse("input", "its virtual data set: %s", hdf5_reason());
            }
            hdf5_check_source(file, dataset, own, name, array, properties, i);
        }
    }
    hdf5_check_external(file, dataset, properties, own);
    depth--;
    H5Pclose(properties);
}

// ---- axes ----

// All numbers of a data set, malloc'ed, and the number of its axes. NULL: it cannot be read.
static struct grid_limits hdf5_all_numbers(hid_t dataset, int *rank)
{
    const hid_t space = H5Dget_space(dataset);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    double *numbers = count > 0 && count < 1 << 24 ? malloc((size_t)count * sizeof *numbers) : NULL;
    if (numbers &&
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) {
        free(numbers);
        numbers = NULL;
    }
    *rank = H5Sget_simple_extent_ndims(space);
    H5Sclose(space);
    return (struct grid_limits){ (uint64_t)count, numbers };
}

// The positions in a data set of one axis.
static void hdf5_take_positions(hid_t scale, struct grid_axis *axis)
{
    int rank;
    const struct grid_limits found = hdf5_all_numbers(scale, &rank);
    if (rank == 1 && found.count == axis->size && found.numbers) {
        axis->at = found.numbers;
    } else {
        free(found.numbers);
    }
    hdf5_text(scale, "units", 0, axis->unit, sizeof axis->unit);
}

static herr_t hdf5_take_scale(hid_t dataset, unsigned number, hid_t scale, void *user)
{
    struct grid_axis *axis = user;
    char path[512] = "", class[100] = "";
    (void)dataset, (void)number;
    H5Iget_name(scale, path, sizeof path);
    snprintf(
        axis->name, sizeof axis->name, "%.63s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    hdf5_text(scale, "NAME", 0, class, sizeof class);
    if (strncmp(class, "This is a netCDF dimension but not", 34) != 0) {
        hdf5_take_positions(scale, axis);
    }
    return 1; // the first is enough
}

// MINC 2 states start, step and direction of the axes in data sets of their own.
static void hdf5_take_minc(struct hdf5 *file, hid_t dataset, struct grid_array *array)
{
    char order[200], path[300];
    const char *at = order;
    if (!hdf5_text(dataset, "dimorder", 0, order, sizeof order)) {
        return;
    }
    for (int i = 0; i < array->rank && *at; i++) {
        struct grid_axis *axis = &array->axis[i];
        const int length = (int)strcspn(at, ",");
        double start = 0, step = 1, direction[3];
        snprintf(axis->name, sizeof axis->name, "%.*s", length < 60 ? length : 60, at);
        snprintf(path, sizeof path, "/minc-2.0/dimensions/%s", axis->name);
        at += length + (at[length] == ',');
        const hid_t scale = H5Oopen(file->file, path, file->links);
        const int world = axis->name[0] - 'x';
        if (scale >= 0 && hdf5_numbers(scale, "step", &step, 1) == 1) {
            hdf5_numbers(scale, "start", &start, 1);
            grid_space(axis, start, step);
            hdf5_text(scale, "units", 0, axis->unit, sizeof axis->unit);
        }
        if (world >= 0 && world < 3 && strcmp(axis->name + 1, "space") == 0) {
            axis->direction[world] = 1;
            if (scale >= 0 && hdf5_numbers(scale, "direction_cosines", direction, 3) == 3) {
                memcpy(axis->direction, direction, sizeof direction);
            }
            file->grid.facts.space = "RAS";
        }
        H5Oclose(scale);
    }
}

void hdf5_scale(struct hdf5 *file, double valid[2])
{
    const char *image = file->grid.arrays[file->grid.facts.chosen].path;
    struct grid_limits limits[2] = { 0 };
    char order[200], own[200], path[600];
    int rank;
    if (!hdf5_text(file->dataset, "dimorder", 0, order, sizeof order)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const int folder = (int)(strrchr(image, '/') - image);
        snprintf(path, sizeof path, "%.*s/image-%s", folder, image, i == 0 ? "min" : "max");
        const hid_t dataset = H5Dopen2(file->file, path, file->links);
        hdf5_check_sources(file, dataset);
        limits[i] = hdf5_all_numbers(dataset, &rank);
        if (rank > 0 && hdf5_text(dataset, "dimorder", 0, own, sizeof own) &&
            strncmp(order, own, strlen(own)) != 0) {
            limits[i].count = 0; // it follows other axes
        }
        H5Dclose(dataset);
    }
    hdf5_numbers(file->dataset, "valid_range", valid, 2);
    if (grid_scale(&file->grid, valid, limits[0], limits[1])) {
        file->type = H5T_NATIVE_FLOAT;
    }
}

// NeXus names the positions of the axes in the group of the data set.
static void hdf5_take_nexus(struct hdf5 *file, struct grid_array *array)
{
    char parent[600], name[200];
    snprintf(parent, sizeof parent, "%s", array->path);
    *(strrchr(parent, '/') + 1) = 0;
    const hid_t group = H5Oopen(file->file, parent, file->links);
    for (int i = 0; group >= 0 && i < array->rank; i++) {
        struct grid_axis *axis = &array->axis[i];
        if (!hdf5_text(group, "axes", (size_t)i, name, sizeof name) || strcmp(name, ".") == 0) {
            continue;
        }
        const hid_t scale = H5Dopen2(group, name, file->links);
        snprintf(axis->name, sizeof axis->name, "%.63s", name);
        if (scale >= 0) {
            hdf5_take_positions(scale, axis);
            H5Dclose(scale);
        }
    }
    H5Oclose(group);
}

void hdf5_describe_axes(struct hdf5 *file, hid_t dataset, struct grid_array *array)
{
    double size[3];
    for (int i = 0; i < array->rank; i++) {
        struct grid_axis *axis = &array->axis[i];
        if (H5DSget_num_scales(dataset, (unsigned)i) > 0) {
            H5DSiterate_scales(dataset, (unsigned)i, NULL, hdf5_take_scale, axis);
        }
        if (!axis->name[0] && H5Aexists(dataset, "DIMENSION_LABELS") > 0) {
            hdf5_text(dataset, "DIMENSION_LABELS", (size_t)i, axis->name, sizeof axis->name);
        }
    }
    hdf5_take_minc(file, dataset, array);
    if (!array->axis[array->rank - 1].name[0]) {
        hdf5_take_nexus(file, array);
    }
    if (hdf5_numbers(dataset, "element_size_um", size, 3) == 3) {
        for (int i = 0; i < 3; i++) {
            struct grid_axis *axis = &array->axis[array->rank - 3 + i];
            grid_space(axis, 0, size[i]);
            strcpy(axis->unit, "um");
        }
    }
}
