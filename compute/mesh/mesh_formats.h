// The formats in which a mesh leaves: a table, one file formats/NAME.c behind each row.
#pragma once

#include "compute/mesh/mesh.h"
#include "compute/mesh/mesh_sink.h"
#include "compute/mesh/mesh_source.h"

struct mesh_format {
    const char *name;      // "ply"
    const char *extension; // ".ply"
    const char *summary;   // one line for people
    // Refuses (PROBLEM_LIMIT) a mesh with more in it than the format can count, before the target
    // is touched. Looks at the counts only. NULL: every mesh fits.
    bool (*check)(const struct mesh *mesh, const char *path, struct problem *problem);
    // Puts the whole file into the sink. Called by mesh_format_put alone.
    bool (*put)(const struct mesh_source *mesh, struct mesh_sink *sink);
};

// The first is taken where nothing says which. Ended by a row without a name.
extern const struct mesh_format mesh_formats[];

// NULL where there is no such format. Case plays no part.
const struct mesh_format *mesh_format_find(const char *name);

// Chooses by the extension of `path`; the first format for "-" and for a name without an
// extension. NULL with PROBLEM_USAGE, which names what there is, for an unknown extension.
const struct mesh_format *mesh_format_of(const char *path, struct problem *problem);

// Puts the whole file into the sink, with a point in every number whatever the locale says.
bool mesh_format_put(
    const struct mesh_format *format, const struct mesh_source *mesh, struct mesh_sink *sink);

// Behind the rows.
bool mesh_check_ply(const struct mesh *mesh, const char *path, struct problem *problem);
bool mesh_check_stl(const struct mesh *mesh, const char *path, struct problem *problem);
bool mesh_check_glb(const struct mesh *mesh, const char *path, struct problem *problem);
bool mesh_put_ply(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_stl(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_obj(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_glb(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_vtp(const struct mesh_source *mesh, struct mesh_sink *sink);
bool mesh_put_off(const struct mesh_source *mesh, struct mesh_sink *sink);
