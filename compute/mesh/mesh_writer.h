// A mesh written while it is made: vertices and triangles come in pieces, in memory that does not
// grow with them. The file is the one that mesh_write makes of the same mesh.
//
// What formats say first (counts, bounds) is known last: the pieces are kept in files without names
// in the target's folder ($TMPDIR or /tmp where the target is a pipe) and put together by
// mesh_writer_commit. They take 24 bytes a vertex and 15 a triangle beside the file itself, and are
// gone with the process, however it ends.
#pragma once

#include "compute/mesh/mesh_formats.h"

struct mesh_spool {
    int fd;
    uint64_t size; // bytes handed to the file
    unsigned char *buffer;
    size_t filled;
};

// Zero means default.
struct mesh_writer_params {
    const struct mesh_format *format; // NULL: as the path says
    enum volume_frame frame;          // of the positions: named in the file where it is known
    char *placed;                     // NULL, or as in output_open_new: then nothing is replaced
};

struct mesh_writer {
    const struct mesh_format *format;
    struct output output;
    enum volume_frame frame;
    struct mesh whole;                     // that was given at once; else empty
    struct mesh_spool vertices, triangles; // closed until there is something for them
    uint64_t vertex_count, triangle_count;
    uint64_t corners; // one more than the highest vertex named
};

// Opens the target (see output_open). On false `out` is closed.
bool mesh_writer_open(
    const char *path, const struct mesh_writer_params *params, struct mesh_writer *out,
    struct problem *problem);

// Take the next ones, numbered on from those before; triangles may name vertices that come later.
// PROBLEM_LIMIT as soon as there are more than the format can count, PROBLEM_OUTPUT where the disk
// is full. After false only mesh_writer_abort may follow.
bool mesh_writer_vertices(
    struct mesh_writer *writer, uint64_t count, const float (*positions)[3],
    const float (*normals)[3], struct problem *problem);
bool mesh_writer_triangles(
    struct mesh_writer *writer, uint64_t count, const uint64_t (*corners)[3],
    struct problem *problem);

// A part of a surface: `mesh` has `own` vertices of its own, the first of which is number
// first_vertex of the surface, and behind them the first ones of the next part. A mesh that is the
// whole surface (it is `last`, and nothing came before) is not kept in files but taken over.
bool mesh_writer_part(
    struct mesh_writer *writer, struct mesh *mesh, uint64_t own, uint64_t first_vertex, bool last,
    struct problem *problem);

// Bytes in the files so far: what mesh_writer_commit reads again.
uint64_t mesh_writer_bytes(const struct mesh_writer *writer);

// Puts the file together and in its place; `progress` may be NULL, and false from it is
// PROBLEM_INTERRUPTED. PROBLEM_INTERNAL where a triangle names a vertex that has not come. Closes
// the writer on true and on false; on false an old file is as it was and nothing is left beside it.
bool mesh_writer_commit(
    struct mesh_writer *writer, const struct progress *progress, struct problem *problem);

// Drops what was written. Takes a closed, committed or zeroed one.
void mesh_writer_abort(struct mesh_writer *writer);

// Zero means default.
struct mesh_write_params {
    const struct mesh_format *format; // NULL: as the path says
    enum volume_frame frame;          // of the positions: named in the file where it is known
    const struct progress *progress;  // may be NULL
    char *placed;                     // NULL, or as in output_open_new: then nothing is replaced
};

// Writes the mesh. A regular file (or none yet) is replaced atomically: a temporary name beside the
// target, fsync, rename; anything else at the path (a pipe, /dev/full) is written straight. "-" is
// standard output. On false nothing is left behind and an old file is as it was. Little-endian on
// every host; positions as they stand in the mesh.
bool mesh_write(
    const struct mesh *mesh, const char *path, const struct mesh_write_params *params,
    struct problem *problem);
