// Writes a mesh while it is made: vertices and triangles come in parts, and memory does not grow
// with them. The file is the same as mesh_write makes of the whole mesh.
//
// Formats begin with counts and bounds, which are known last. So the parts are kept in temporary
// files without names, in the target's folder ($TMPDIR or /tmp if the target is a pipe).
// mesh_writer_commit reads them back and writes the target. The temporary files take 24 bytes per
// vertex and 15 per triangle, in addition to the target. They disappear with the process, however
// it ends.
#pragma once

#include "compute/mesh/mesh_formats.h"

struct mesh_spool {
    int fd;
    uint64_t size; // bytes written to the file
    unsigned char *buffer;
    size_t filled;
};

// Zero means default.
struct mesh_write_params {
    const struct mesh_format *format; // NULL: selected by the path's extension
    const struct volume *volume;      // says where the mesh lies. NULL: the file is in grid units
    const struct progress *progress;  // for a mesh that is written at once; may be NULL
    char *placed;                     // NULL, or as in output_open_new: then nothing is replaced
    uint32_t pieces;                  // number of a format's pieces; 0: depends on the mesh's size
    struct mesh_material material;    // of a mesh that is written part by part
};

struct mesh_writer {
    const struct mesh_format *format;
    uint32_t pieces;
    struct output output;
    struct mesh_place place;
    struct mesh whole;                     // a mesh that came as a whole; otherwise empty
    struct mesh_spool vertices, triangles; // closed until the first element comes
    uint64_t vertex_count, triangle_count;
    uint64_t corners; // one more than the highest vertex number of a triangle
    struct mesh_object objects[MESH_OBJECTS];
    size_t object_count;
};

// Opens the target (see output_open). On false `out` is closed.
bool mesh_writer_open(
    const char *path, const struct mesh_write_params *params, struct mesh_writer *out,
    struct problem *problem);

// Begins the next object, which has what is appended until the next call; for formats that have
// objects. Vertices are numbered from 0 in each. Call it before anything is appended, at most
// MESH_OBJECTS times. Objects without triangles are left out.
void mesh_writer_object(
    struct mesh_writer *writer, const char *name, const struct mesh_material *material);

// Append vertices or triangles; numbers continue those of earlier calls. Triangles may name
// vertices that come later. PROBLEM_LIMIT as soon as there are more than the format can count,
// PROBLEM_OUTPUT if the disk is full. After false only mesh_writer_abort may be called.
bool mesh_writer_vertices(
    struct mesh_writer *writer, uint64_t count, const float (*positions)[3],
    const float (*normals)[3], struct problem *problem);
bool mesh_writer_triangles(
    struct mesh_writer *writer, uint64_t count, const uint64_t (*corners)[3],
    struct problem *problem);

// Appends a part of a surface. The first `own` vertices of `mesh` belong to the part; the first one
// has number first_vertex in the surface. The vertices after them are the first ones of the next
// part. A mesh that is the whole surface (`last`, and nothing came before) is not written to
// temporary files: the writer takes ownership of it and leaves `mesh` empty.
bool mesh_writer_part(
    struct mesh_writer *writer, struct mesh *mesh, uint64_t own, uint64_t first_vertex, bool last,
    struct problem *problem);

// Bytes in the temporary files so far, which mesh_writer_commit will read.
uint64_t mesh_writer_bytes(const struct mesh_writer *writer);

// Writes the file and moves it to its place. `progress` may be NULL; if it returns false,
// PROBLEM_INTERRUPTED. PROBLEM_INTERNAL if a triangle names a vertex that does not exist. Closes
// the writer on true and on false. On false an old file is unchanged and nothing is left beside it.
bool mesh_writer_commit(
    struct mesh_writer *writer, const struct progress *progress, struct problem *problem);

// Drops what was written. Takes a closed, committed or zeroed writer.
void mesh_writer_abort(struct mesh_writer *writer);

// Writes the mesh. A regular file, or a path without a file, is written atomically: a temporary
// file beside the target, fsync, rename. Anything else at the path (a pipe, /dev/full) is written
// to directly. "-" is standard output. On false nothing is left behind and an old file is
// unchanged. Files are little-endian on every host. Meshes are in grid units; the file is in the
// volume's units (mesh_place.h).
bool mesh_write_source(
    const struct mesh_source *source, const char *path, const struct mesh_write_params *params,
    struct problem *problem);
// Does what mesh_write_source does, for a mesh in memory.
bool mesh_write(
    const struct mesh *mesh, const char *path, const struct mesh_write_params *params,
    struct problem *problem);

// Writes a part of a file that several processes write (mesh_window.h) into `output`: the file's
// owner has opened it, the others have joined it (volumes/base/output.h). All processes call it for
// the same mesh, which format->check allows. All call window->gather equally often and in the same
// order. A process that fails returns false at once; gather tells the others. Nothing is committed.
// `window` NULL: writes the whole file. `progress` may be NULL; it is told about the part.
bool mesh_write_window(
    const struct mesh_source *source, const struct mesh_format *format, const struct volume *volume,
    const struct mesh_window *window, struct output *output, const struct progress *progress,
    struct problem *problem);
