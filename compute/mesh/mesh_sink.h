// Where a format's functions write their bytes: an output, which reports progress and can be
// cancelled. Numbers are written by put_*, byte by byte, so the host's byte order does not matter.
#pragma once

#include "compute/mesh/mesh_place.h"
#include "compute/mesh/mesh_source.h"
#include "compute/mesh/mesh_window.h"
#include "volumes/base/output.h"

#include <assert.h>
#include <string.h>

struct mesh_sink {
    struct output *output;
    struct mesh_place place;
    const struct mesh_window *window; // NULL: the whole mesh
    const struct progress *progress;  // may be NULL
    struct problem *problem;
    uint64_t records, done; // records in all, set before the first; records written
    uint64_t at;            // where in the file the next section begins
    size_t record;          // bytes of each record of a loop such as mesh_sink_each_vertex, or 0
    bool counts;            // bytes of records are added to `counted` instead of being written
    uint64_t counted;
    uint32_t pieces;   // number of a format's pieces; 0: depends on the mesh's size
    bool ids;          // the mesh is a piece: formats that can number its vertices do so
    uint64_t first_id; // number of the first vertex in the whole mesh
};

// Appends bytes that are not a record, such as a header. On false the caller returns false.
bool mesh_sink_put(struct mesh_sink *sink, const void *bytes, size_t size);

// Appends one record and counts it.
bool mesh_sink_record(struct mesh_sink *sink, const void *bytes, size_t size);

// Appends a printf-style line as one record.
bool mesh_sink_line(struct mesh_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Read elements of the mesh as the file has them: vertices in the volume's units, and corners
// counter-clockwise, even if the affine mirrors. Formats read the mesh only by these functions.
// Positions are rounded to floats, but stored in doubles, unless place.doubles is set. `count` is
// up to MESH_BLOCK.
bool mesh_sink_vertices(
    struct mesh_sink *sink, const struct mesh_source *mesh, uint64_t first, size_t count,
    double (*positions)[3], float (*normals)[3]);
bool mesh_sink_triangles(
    struct mesh_sink *sink, const struct mesh_source *mesh, uint64_t first, size_t count,
    uint64_t (*corners)[3]);
bool mesh_sink_vertex(
    struct mesh_sink *sink, const struct mesh_source *mesh, uint64_t vertex, double out[3]);

// Calls `put` for each vertex, or for each triangle, or for each number below `total`, in order,
// until a call returns false. Each call appends a record of `size` bytes; RECORDS_OF_TEXT: lines of
// text. With a window, only its elements are put; lines of text are put twice, because the first
// pass counts the bytes.
#define RECORDS_OF_TEXT 0
typedef bool
mesh_put_vertex(struct mesh_sink *sink, const double position[3], const float normal[3]);
typedef bool mesh_put_triangle(struct mesh_sink *sink, const uint64_t corners[3]);
typedef bool mesh_put_number(struct mesh_sink *sink, uint64_t number);
bool mesh_sink_each_vertex(
    struct mesh_sink *sink, const struct mesh_source *mesh, size_t size, mesh_put_vertex *put);
bool mesh_sink_each_triangle(
    struct mesh_sink *sink, const struct mesh_source *mesh, size_t size, mesh_put_triangle *put);
bool mesh_sink_each_number(
    struct mesh_sink *sink, uint64_t total, size_t size, mesh_put_number *put);

// Appends the positions of all vertices, or their normals, each a record of three numbers. Normals
// are floats; positions take mesh_sink_position_size bytes.
bool mesh_sink_vectors(struct mesh_sink *sink, const struct mesh_source *mesh, bool of_normals);

// Reports progress; functions that read the mesh without writing call it between blocks. False: the
// work is cancelled.
bool mesh_sink_go_on(struct mesh_sink *sink);

// Bytes of a position in binary formats, and the digits of a coordinate in text that preserve it.
static inline unsigned mesh_sink_position_size(const struct mesh_sink *sink)
{
    return sink->place.doubles ? 24 : 12;
}

static inline int mesh_sink_digits(const struct mesh_sink *sink)
{
    return sink->place.doubles ? 17 : 9;
}

// "SPACE=LPS", which 3D Slicer looks for in comments; NULL if the frame is not known.
const char *mesh_sink_space(const struct mesh_sink *sink);

// For formats that read the mesh by themselves: begins a section of `bytes` bytes where the last
// one ended, and goes to its byte `before`. There this process writes the records of its window.
bool mesh_sink_section(struct mesh_sink *sink, uint64_t before, uint64_t bytes);

static inline unsigned char *put_u16(unsigned char *at, uint16_t value)
{
    *at++ = (unsigned char)value;
    *at++ = (unsigned char)(value >> 8);
    return at;
}

static inline unsigned char *put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        *at++ = (unsigned char)(value >> 8 * i);
    }
    return at;
}

static inline unsigned char *put_u64(unsigned char *at, uint64_t value)
{
    return put_u32(put_u32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

static inline unsigned char *put_floats(unsigned char *at, const float values[3])
{
    for (int i = 0; i < 3; i++) {
        uint32_t word;
        static_assert(sizeof word == sizeof values[i], "a float is 32 bits");
        memcpy(&word, &values[i], sizeof word);
        at = put_u32(at, word);
    }
    return at;
}

// Puts doubles if place.doubles is set, otherwise floats.
static inline unsigned char *
put_position(unsigned char *at, const struct mesh_sink *sink, const double position[3])
{
    if (!sink->place.doubles) {
        return put_floats(
            at, (const float[3]){ (float)position[0], (float)position[1], (float)position[2] });
    }
    for (int i = 0; i < 3; i++) {
        uint64_t word;
        memcpy(&word, &position[i], sizeof word);
        at = put_u64(at, word);
    }
    return at;
}
