// The formats that a mesh can be written in: a table; each row has a file formats/NAME.c.
#pragma once

#include "compute/mesh/mesh.h"
#include "compute/mesh/mesh_sink.h"
#include "compute/mesh/mesh_source.h"

struct mesh_format {
    const char *name;      // "ply"
    const char *extension; // ".ply"
    const char *summary;   // one line for people
    bool has_objects;      // a file can have several objects, and a material for each
    // Refuses (PROBLEM_LIMIT) a mesh with more vertices or triangles than the format can count,
    // before the target is touched. Reads only the counts. NULL: every mesh fits.
    bool (*check)(const struct mesh *mesh, const char *path, struct problem *problem);
    // Writes the whole file to the sink. Only mesh_format_put calls it.
    bool (*put)(const struct mesh_source *mesh, struct mesh_sink *sink);
};

// Formats with a single file. The first row is the default. A row without a name ends the table.
extern const struct mesh_format mesh_formats[];

// The format with a file that names up to MESH_PIECES pieces, and a folder of these pieces beside
// it (formats/pvtp.c). It cannot be written to a pipe.
#define MESH_PIECES 99999
extern const struct mesh_format mesh_format_pvtp;

// The format at this index, of all formats; NULL after the last one.
const struct mesh_format *mesh_format_at(size_t index);

// NULL if there is no such format. Case is ignored.
const struct mesh_format *mesh_format_find(const char *name);

// Selects by the extension of `path`; the first format for "-" and for a name without an extension.
// For an unknown extension: NULL, with PROBLEM_USAGE that lists the known ones.
const struct mesh_format *mesh_format_of(const char *path, struct problem *problem);

// Writes the whole file to the sink, with a decimal point in every locale.
bool mesh_format_put(
    const struct mesh_format *format, const struct mesh_source *mesh, struct mesh_sink *sink);

// Functions of the rows.
bool mesh_check_ply(const struct mesh *mesh, const char *path, struct problem *problem);
bool mesh_check_stl(const struct mesh *mesh, const char *path, struct problem *problem);
bool mesh_check_glb(const struct mesh *mesh, const char *path, struct problem *problem);
bool mesh_put_ply(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_stl(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_obj(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_glb(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_vtp(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_off(const struct mesh_source *mesh, struct mesh_sink *sink);
