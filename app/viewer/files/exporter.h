// Sorts a mesh and writes it to a file in a thread of its own, while the viewer continues.
#pragma once

#include "compute/mesh/mesh.h"

struct exporter;

enum exporter_state { EXPORTER_BUSY, EXPORTER_DONE, EXPORTER_FAILED };

// Writes a new file: `path`, or NAME-2.ply and so on if that exists. Owns the mesh, also on false.
// The mesh is in grid units and in any order. `volume` gives its position in the world and is not
// used after the call.
bool exporter_start(
    struct mesh *mesh, const struct volume *volume, const char *path, struct exporter **out,
    struct problem *problem);

// Cancels the export, waits for its thread and frees it. NULL is allowed.
void exporter_destroy(struct exporter *exporter);

void exporter_cancel(struct exporter *exporter); // it soon fails with PROBLEM_INTERRUPTED
const char *exporter_path(const struct exporter *exporter); // of the file; final when it is done
uint64_t exporter_triangles(const struct exporter *exporter);
double exporter_share(const struct exporter *exporter); // 0..1 of writing; 0 while sorting

// If it failed, the problem says why.
enum exporter_state exporter_look(const struct exporter *exporter, struct problem *problem);
