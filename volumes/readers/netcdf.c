// A classic NetCDF file: a header, then the samples of the variables, all big endian. The header
// says where each variable begins. Variables with the record dimension are cut into records: each
// record has the next piece of every such variable. HDF5's library converts the samples.
#include "volumes/readers/netcdf.h"
#include "volumes/readers/grid.h"

#include <hdf5.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100000 // dimensions, attributes or variables

enum { NETCDF_DIMENSIONS = 10, NETCDF_VARIABLES = 11, NETCDF_ATTRIBUTES = 12 };

static const struct {
    const char *name;
    size_t size;
    const hid_t *stored;
} netcdf_types[] = {
    [1] = { "int8", 1, &H5T_STD_I8BE_g },      [2] = { NULL, 1, NULL }, // letters
    [3] = { "int16", 2, &H5T_STD_I16BE_g },    [4] = { "int32", 4, &H5T_STD_I32BE_g },
    [5] = { "float32", 4, &H5T_IEEE_F32BE_g }, [6] = { "float64", 8, &H5T_IEEE_F64BE_g },
    [7] = { "uint8", 1, &H5T_STD_U8BE_g },     [8] = { "uint16", 2, &H5T_STD_U16BE_g },
    [9] = { "uint32", 4, &H5T_STD_U32BE_g },   [10] = { "int64", 8, &H5T_STD_I64BE_g },
    [11] = { "uint64", 8, &H5T_STD_U64BE_g },
};

struct netcdf_dimension {
    char name[64];
    uint64_t size;
};

struct netcdf_variable {
    char name[256], unit[64];
    double values[GRID_VALUES];
    unsigned type, rank;
    uint32_t dimension[GRID_AXES]; // those beyond are not kept: such a variable is not read
    uint64_t stride[GRID_AXES];    // bytes from one sample to the next; of records set at the end
    uint64_t begin;
    bool record, is_unsigned; // unsigned by the attribute signtype of MINC
};

struct netcdf {
    FILE *file;
    int version;
    uint64_t size, records, record_size;
    uint32_t dimension_count, variable_count, record_variables;
    struct netcdf_dimension *dimensions;
    struct netcdf_variable *variables;
    const struct netcdf_variable *chosen;
    hid_t native; // the type of its samples in memory
    struct grid grid;
};

static void netcdf_read(struct netcdf *file, void *bytes, size_t size)
{
    if (fread(bytes, 1, size, file->file) != size) {
        protocol_refuse("input", "its header ends too early");
    }
}

static uint64_t netcdf_number(struct netcdf *file, size_t size)
{
    unsigned char bytes[8];
    uint64_t number = 0;
    netcdf_read(file, bytes, size);
    for (size_t i = 0; i < size; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

// A count or a size.
static uint64_t netcdf_count(struct netcdf *file)
{
    return netcdf_number(file, file->version == 5 ? 8 : 4);
}

// Text or values that fill whole words of 4 bytes; `out` gets the first of them and a zero.
static void netcdf_text(struct netcdf *file, uint64_t length, char *out, size_t room)
{
    const uint64_t whole = (length + 3) / 4 * 4, kept = length < room - 1 ? length : room - 1;
    if (length > file->size) {
        protocol_refuse("input", "its header is malformed: a length of %" PRIu64, length);
    }
    netcdf_read(file, out, kept);
    out[kept] = 0;
    fseeko(file->file, (off_t)(whole - kept), SEEK_CUR);
}

// The number of entries in a list that begins with this tag.
static uint32_t netcdf_list(struct netcdf *file, unsigned tag)
{
    const uint64_t found = netcdf_number(file, 4), count = netcdf_count(file);
    if ((found != tag && found != 0) || (found == 0 && count > 0) || count > MOST) {
        protocol_refuse("input", "its header is malformed: a list of %" PRIu64, count);
    }
    return (uint32_t)count;
}

static unsigned netcdf_type(struct netcdf *file)
{
    const uint64_t type = netcdf_number(file, 4);
    if (type == 0 || type >= sizeof netcdf_types / sizeof *netcdf_types) {
        protocol_refuse("input", "its header is malformed: type %" PRIu64, type);
    }
    return (unsigned)type;
}

// Reads attributes; `variable` gets its unit, and what is said of its values. It may be NULL.
static void netcdf_attributes(struct netcdf *file, struct netcdf_variable *variable)
{
    for (uint32_t n = netcdf_list(file, NETCDF_ATTRIBUTES); n > 0; n--) {
        char name[64], text[64];
        netcdf_text(file, netcdf_count(file), name, sizeof name);
        const unsigned type = netcdf_type(file);
        const size_t size = netcdf_types[type].size;
        const uint64_t count = netcdf_count(file);
        netcdf_text(file, count <= file->size ? count * size : count, text, sizeof text);
        if (strcmp(name, "units") == 0 && variable) {
            strcpy(variable->unit, text);
        }
        if (strcmp(name, "signtype") == 0 && variable) {
            variable->is_unsigned = strncmp(text, "unsigned", 8) == 0;
        }
        for (int i = 0; i < GRID_VALUES && variable; i++) {
            const bool range = i == GRID_FIRST && strcmp(name, "valid_range") == 0;
            if ((range || strcmp(name, grid_value_names[i]) == 0) && count == (range ? 2 : 1) &&
                netcdf_types[type].name) {
                double *value = &variable->values[i];
                memcpy(value, text, count * size);
                H5Tconvert(
                    *netcdf_types[type].stored, H5T_NATIVE_DOUBLE, count, value, NULL, H5P_DEFAULT);
            }
        }
    }
}

static void netcdf_variable(struct netcdf *file, struct netcdf_variable *out)
{
    netcdf_text(file, netcdf_count(file), out->name, sizeof out->name);
    const uint64_t rank = netcdf_count(file);
    uint64_t bytes = 1;
    if (rank > MOST) {
        protocol_refuse("input", "its header is malformed: %" PRIu64 " dimensions", rank);
    }
    for (uint64_t i = 0; i < rank; i++) {
        const uint64_t dimension = netcdf_count(file);
        if (dimension >= file->dimension_count) {
            protocol_refuse("input", "its header is malformed: dimension %" PRIu64, dimension);
        }
        out->record |= i == 0 && file->dimensions[dimension].size == 0;
        out->dimension[i < GRID_AXES ? i : 0] = (uint32_t)dimension;
        if ((i > 0 || !out->record) &&
            __builtin_mul_overflow(bytes, file->dimensions[dimension].size, &bytes)) {
            protocol_refuse("input", "its header is malformed: a variable is too large");
        }
    }
    out->rank = (unsigned)rank;
    memcpy(out->values, grid_no_values, sizeof out->values);
    netcdf_attributes(file, out);
    out->type = netcdf_type(file);
    if (out->is_unsigned && (out->type == 1 || out->type == 3 || out->type == 4)) {
        out->type = out->type == 1 ? 7 : out->type + 5;
    }
    netcdf_count(file); // its size follows from the dimensions
    out->begin = netcdf_number(file, file->version == 1 ? 4 : 8);
    if (__builtin_mul_overflow(bytes, netcdf_types[out->type].size, &bytes) || bytes > file->size) {
        protocol_refuse("input", "'%s' is larger than the file", out->name);
    }
    uint64_t stride = netcdf_types[out->type].size;
    for (uint64_t i = rank <= GRID_AXES ? rank : 0; i-- > 0;) {
        out->stride[i] = stride;
        stride *= file->dimensions[out->dimension[i]].size;
    }
    if (out->record) {
        // One variable alone is not filled up to whole words.
        file->record_size = file->record_variables == 0 ? bytes
                            : file->record_variables == 1
                                ? (file->record_size + 3) / 4 * 4 + (bytes + 3) / 4 * 4
                                : file->record_size + (bytes + 3) / 4 * 4;
        file->record_variables++;
    }
}

static void netcdf_header(struct netcdf *file)
{
    file->records = netcdf_count(file);
    file->dimension_count = netcdf_list(file, NETCDF_DIMENSIONS);
    file->dimensions = calloc(file->dimension_count + 1, sizeof *file->dimensions);
    for (uint32_t i = 0; file->dimensions && i < file->dimension_count; i++) {
        netcdf_text(file, netcdf_count(file), file->dimensions[i].name, 64);
        file->dimensions[i].size = netcdf_count(file);
    }
    netcdf_attributes(file, NULL);
    file->variable_count = netcdf_list(file, NETCDF_VARIABLES);
    file->variables = calloc(file->variable_count + 1, sizeof *file->variables);
    if (!file->dimensions || !file->variables) {
        exit(1);
    }
    for (uint32_t i = 0; i < file->variable_count; i++) {
        netcdf_variable(file, &file->variables[i]);
    }
    const uint64_t most = file->record_size ? file->size / file->record_size : 0;
    file->records = file->records < most ? file->records : most; // a stream does not know them
    for (uint32_t i = 0; i < file->dimension_count; i++) {
        uint64_t *size = &file->dimensions[i].size;
        *size = *size ? *size : file->records;
    }
    for (uint32_t i = 0; i < file->variable_count; i++) {
        struct netcdf_variable *variable = &file->variables[i];
        variable->stride[0] = variable->record ? file->record_size : variable->stride[0];
    }
}

// Reads `count` samples that begin at byte `at` of the variable, as numbers of the type `to`, which
// is not smaller.
static bool netcdf_samples(
    const struct netcdf *file, const struct netcdf_variable *variable, uint64_t at, uint64_t count,
    hid_t to, void *out)
{
    const size_t size = netcdf_types[variable->type].size;
    return variable->begin <= file->size && at <= file->size - variable->begin &&
           fseeko(file->file, (off_t)(variable->begin + at), SEEK_SET) == 0 &&
           fread(out, size, count, file->file) == count &&
           H5Tconvert(*netcdf_types[variable->type].stored, to, count, out, NULL, H5P_DEFAULT) >= 0;
}

// All numbers of a variable, malloc'ed; NAN: the file ends before.
static struct grid_limits
netcdf_numbers(const struct netcdf *file, const struct netcdf_variable *variable)
{
    uint64_t rows = 1, row = 1; // a row lies in one piece, of records too
    for (unsigned i = 0; i < variable->rank && i < GRID_AXES; i++) {
        *(i == 0 ? &rows : &row) *= file->dimensions[variable->dimension[i]].size;
    }
    struct grid_limits out = { .count = rows * row };
    out.numbers = out.count <= file->size ? malloc(out.count * sizeof *out.numbers) : NULL;
    for (uint64_t i = 0; out.numbers && i < rows; i++) {
        double *to = out.numbers + i * row;
        if (!netcdf_samples(file, variable, i * variable->stride[0], row, H5T_NATIVE_DOUBLE, to)) {
            for (uint64_t k = 0; k < row; k++) {
                to[k] = NAN;
            }
        }
    }
    return out;
}

// The positions along a dimension: those of the variable with its name.
static void netcdf_positions(struct netcdf *file, uint32_t dimension, struct grid_axis *axis)
{
    const char *name = file->dimensions[dimension].name;
    for (uint32_t i = 0; i < file->variable_count; i++) {
        const struct netcdf_variable *variable = &file->variables[i];
        if (variable->rank != 1 || variable->dimension[0] != dimension ||
            strcmp(variable->name, name) != 0 || !netcdf_types[variable->type].name) {
            continue;
        }
        strcpy(axis->unit, variable->unit);
        axis->at = netcdf_numbers(file, variable).numbers;
    }
}

// image-min or image-max of MINC. A count of 0: there is none.
static struct grid_limits netcdf_limits(const struct netcdf *file, const char *name)
{
    struct grid_limits out = { 0 };
    for (uint32_t i = 0; i < file->variable_count && out.count == 0; i++) {
        const struct netcdf_variable *variable = &file->variables[i];
        if (strcmp(variable->name, name) == 0 && netcdf_types[variable->type].name) {
            const bool follows = variable->rank <= file->chosen->rank &&
                                 memcmp(
                                     variable->dimension, file->chosen->dimension,
                                     variable->rank * sizeof *variable->dimension) == 0;
            out = follows ? netcdf_numbers(file, variable)
                          : (struct grid_limits){ .count = UINT64_MAX };
        }
    }
    return out;
}

static bool
netcdf_block(void *context, const uint64_t box[3][2], void *out, char *error, size_t room)
{
    const struct netcdf *file = context;
    const struct netcdf_variable *chosen = file->chosen;
    const struct grid *grid = &file->grid;
    const uint64_t size = netcdf_types[chosen->type].size, row = box[0][1] - box[0][0];
    const uint64_t step = chosen->stride[grid->space[0]], run = step == size ? row : 1;
    const size_t width = H5Tget_size(file->native);
    unsigned char *to = out;
    for (uint64_t z = box[2][0]; z < box[2][1]; z++) {
        for (uint64_t y = box[1][0]; y < box[1][1]; y++) {
            uint64_t at = box[0][0] * step + y * chosen->stride[grid->space[1]] +
                          z * chosen->stride[grid->space[2]];
            for (unsigned i = 0; i < chosen->rank; i++) {
                at += grid->at[i] * chosen->stride[i];
            }
            for (uint64_t x = 0; x < row; x += run, to += run * width) {
                if (!netcdf_samples(file, chosen, at + x * step, run, file->native, to)) {
                    snprintf(error, room, "'%s' ends too early", chosen->name);
                    return false;
                }
            }
        }
    }
    grid_apply(grid, box, out);
    return true;
}

int netcdf_serve(const char *path)
{
    struct netcdf file = { .file = fopen(path, "re") };
    char magic[4] = "";
    if (!file.file || fread(magic, 1, 4, file.file) != 4 || memcmp(magic, "CDF", 3) != 0 ||
        (magic[3] != 1 && magic[3] != 2 && magic[3] != 5)) {
        return -1;
    }
    json_t *files = json_array();
    protocol_add_file(files, path, NULL);
    fseeko(file.file, 0, SEEK_END);
    file.size = (uint64_t)ftello(file.file);
    fseeko(file.file, 4, SEEK_SET);
    file.version = magic[3];
    H5open();
    netcdf_header(&file);
    for (uint32_t i = 0; i < file.variable_count; i++) {
        const struct netcdf_variable *variable = &file.variables[i];
        struct grid_array *array = netcdf_types[variable->type].name
                                       ? grid_add(&file.grid, variable->name, (int)variable->rank)
                                       : NULL;
        for (unsigned k = 0; array && k < variable->rank; k++) {
            const struct netcdf_dimension *dimension = &file.dimensions[variable->dimension[k]];
            strcpy(array->axis[k].name, dimension->name);
            array->axis[k].size = dimension->size;
        }
        if (array) {
            array->type = netcdf_types[variable->type].name;
            array->number = i;
        }
    }
    grid_choose(&file.grid, NULL);
    struct grid_array *array = &file.grid.arrays[file.grid.facts.chosen];
    file.chosen = &file.variables[array->number];
    file.native = H5Tget_native_type(*netcdf_types[file.chosen->type].stored, H5T_DIR_ASCEND);
    for (int i = 0; i < array->rank; i++) {
        netcdf_positions(&file, file.chosen->dimension[i], &array->axis[i]);
    }
    grid_place(&file.grid);
    grid_remark_values(&file.grid, file.chosen->values);
    const struct grid_limits least = netcdf_limits(&file, "image-min");
    const struct grid_limits most = netcdf_limits(&file, "image-max");
    if ((least.count > 0 || most.count > 0) &&
        grid_scale(&file.grid, &file.chosen->values[GRID_FIRST], least, most)) {
        file.native = H5T_NATIVE_FLOAT;
    }
    grid_answer(&file.grid, "NetCDF classic", files);
    return protocol_serve(file.grid.facts.size, H5Tget_size(file.native), netcdf_block, &file);
}
