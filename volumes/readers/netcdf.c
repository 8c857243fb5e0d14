// A classic NetCDF file: a header, then the samples of the variables, all big endian. The header
// says where each variable begins. Variables with the record dimension are cut into records: each
// record has the next piece of every such variable.
#include "volumes/readers/netcdf.h"
#include "volumes/readers/grid.h"

#include <errno.h>
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
} netcdf_types[] = {
    [1] = { "int8", 1 },    [2] = { NULL, 1 },      [3] = { "int16", 2 },   [4] = { "int32", 4 },
    [5] = { "float32", 4 }, [6] = { "float64", 8 }, [7] = { "uint8", 1 },   [8] = { "uint16", 2 },
    [9] = { "uint32", 4 },  [10] = { "int64", 8 },  [11] = { "uint64", 8 },
};

struct netcdf_dimension {
    char name[64];
    uint64_t size;
};

struct netcdf_variable {
    char name[256], unit[64];
    struct grid_values values;
    unsigned type, rank;
    uint32_t dimension[GRID_AXES]; // those beyond are not kept: such a variable is not read
    uint64_t begin;
    bool record;
};

struct netcdf {
    FILE *file;
    const char *path;
    int version;
    uint64_t size, records, record_size;
    uint32_t dimension_count, variable_count, record_variables;
    struct netcdf_dimension *dimensions;
    struct netcdf_variable *variables;
    const struct netcdf_variable *chosen;
    struct grid grid;
};

// From the order of the file to that of the host.
static void netcdf_turn(unsigned char *samples, size_t size, uint64_t count)
{
    for (uint64_t i = 0; i < count && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; i++) {
        for (size_t b = 0; b < size / 2; b++) {
            const unsigned char byte = samples[i * size + b];
            samples[i * size + b] = samples[i * size + size - 1 - b];
            samples[i * size + size - 1 - b] = byte;
        }
    }
}

// A sample in the host's order.
static double netcdf_real(unsigned type, const void *sample)
{
    union {
        int8_t i1;
        int16_t i2;
        int32_t i4;
        int64_t i8;
        uint8_t u1;
        uint16_t u2;
        uint32_t u4;
        uint64_t u8;
        float f4;
        double f8;
    } is;
    memcpy(&is, sample, netcdf_types[type].size);
    const double values[] = { NAN,   is.i1, NAN,   is.i2, is.i4,         (double)is.f4,
                              is.f8, is.u1, is.u2, is.u4, (double)is.i8, (double)is.u8 };
    return values[type];
}

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
        for (int i = 0; i < GRID_VALUE_NAMES && variable; i++) {
            if (strcmp(name, grid_value_names[i]) == 0 && count == 1 && netcdf_types[type].name) {
                netcdf_turn((unsigned char *)text, size, 1);
                variable->values.value[i] = netcdf_real(type, (unsigned char *)text);
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
    out->values = (struct grid_values)GRID_VALUES;
    netcdf_attributes(file, out);
    out->type = netcdf_type(file);
    netcdf_count(file); // its size follows from the dimensions
    out->begin = netcdf_number(file, file->version == 1 ? 4 : 8);
    if (__builtin_mul_overflow(bytes, netcdf_types[out->type].size, &bytes) || bytes > file->size) {
        protocol_refuse("input", "'%s' is larger than the file", out->name);
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
    netcdf_number(file, 3);
    file->version = (int)netcdf_number(file, 1);
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
}

// Reads `count` samples of the variable that begin at sample `first` of a record (of the variable
// where it has none), in the host's byte order.
static bool netcdf_samples(
    const struct netcdf *file, const struct netcdf_variable *variable, uint64_t record,
    uint64_t first, uint64_t count, unsigned char *out)
{
    const size_t size = netcdf_types[variable->type].size;
    uint64_t at = 0;
    if (__builtin_mul_overflow(record, file->record_size, &at) ||
        __builtin_add_overflow(at, variable->begin + first * size, &at) || at > file->size ||
        fseeko(file->file, (off_t)at, SEEK_SET) != 0 ||
        fread(out, size, count, file->file) != count) {
        return false;
    }
    netcdf_turn(out, size, count);
    return true;
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
        axis->at = axis->size <= file->size ? malloc(axis->size * sizeof *axis->at) : NULL;
        for (uint64_t k = 0; axis->at && k < axis->size; k++) {
            unsigned char sample[8];
            const bool there = netcdf_samples(
                file, variable, variable->record ? k : 0, variable->record ? 0 : k, 1, sample);
            axis->at[k] = there ? netcdf_real(variable->type, sample) : NAN;
        }
    }
}

static bool
netcdf_block(void *context, const uint64_t box[3][2], void *out, char *error, size_t room)
{
    struct netcdf *file = context;
    const struct grid *grid = &file->grid;
    const struct grid_array *array = &grid->arrays[grid->facts.chosen];
    const uint64_t row = box[0][1] - box[0][0];
    const size_t size = netcdf_types[file->chosen->type].size;
    unsigned char *to = out;
    for (uint64_t z = box[2][0]; z < box[2][1]; z++) {
        for (uint64_t y = box[1][0]; y < box[1][1]; y++, to += row * size) {
            uint64_t at[GRID_AXES], first = 0, stride = 1;
            memcpy(at, grid->at, sizeof at);
            at[grid->space[1]] = y;
            at[grid->space[2]] = z;
            at[grid->space[0]] = box[0][0];
            uint64_t strides[GRID_AXES];
            for (int i = array->rank; i-- > (file->chosen->record ? 1 : 0);) {
                strides[i] = stride;
                first += at[i] * stride;
                stride *= array->axis[i].size;
            }
            const bool run = strides[grid->space[0]] == 1;
            for (uint64_t x = 0; x < row; x += run ? row : 1) {
                if (!netcdf_samples(
                        file, file->chosen, file->chosen->record ? at[0] : 0,
                        first + x * strides[grid->space[0]], run ? row : 1, to + x * size)) {
                    snprintf(error, room, "'%s' ends too early", file->chosen->name);
                    return false;
                }
            }
        }
    }
    return true;
}

bool netcdf_matches(const char *path)
{
    char magic[4] = "";
    FILE *file = fopen(path, "re");
    const bool read = file && fread(magic, 1, 4, file) == 4;
    if (file) {
        fclose(file);
    }
    return read && memcmp(magic, "CDF", 3) == 0 &&
           (magic[3] == 1 || magic[3] == 2 || magic[3] == 5);
}

int netcdf_serve(const char *path)
{
    struct netcdf file = { .path = path, .file = fopen(path, "re") };
    json_t *files = json_array();
    protocol_add_file(files, path, NULL);
    if (!file.file || fseeko(file.file, 0, SEEK_END) != 0) {
        protocol_refuse("input", "it cannot be opened: %s", strerror(errno));
    }
    file.size = (uint64_t)ftello(file.file);
    rewind(file.file);
    netcdf_header(&file);
    for (uint32_t i = 0; i < file.variable_count; i++) {
        const struct netcdf_variable *variable = &file.variables[i];
        struct grid_array *array = netcdf_types[variable->type].name
                                       ? grid_add(&file.grid, variable->name, (int)variable->rank)
                                       : NULL;
        for (unsigned k = 0; array && k < variable->rank; k++) {
            const struct netcdf_dimension *dimension = &file.dimensions[variable->dimension[k]];
            strcpy(array->axis[k].name, dimension->name);
            array->axis[k].size = dimension->size ? dimension->size : file.records;
        }
        if (array) {
            array->type = netcdf_types[variable->type].name;
        }
    }
    grid_choose(&file.grid, NULL);
    struct grid_array *array = &file.grid.arrays[file.grid.facts.chosen];
    for (uint32_t i = 0; i < file.variable_count; i++) {
        file.chosen =
            strcmp(file.variables[i].name, array->path) == 0 ? &file.variables[i] : file.chosen;
    }
    for (int i = 0; i < array->rank; i++) {
        netcdf_positions(&file, file.chosen->dimension[i], &array->axis[i]);
    }
    grid_place(&file.grid);
    grid_remark_values(&file.grid, &file.chosen->values);
    grid_answer(&file.grid, "NetCDF classic", files);
    return protocol_serve(
        file.grid.facts.size, netcdf_types[file.chosen->type].size, netcdf_block, &file);
}
