// Whether a mesh format can hold the surface that is about to be made.
#pragma once

#include "app/extract/jobs.h"

// Checks whether the format can hold the whole mesh. Collective. Call it before extract_jobs_do,
// with the same arguments. The surface is made of the shares in `found` and of the layers that they
// lack. `format` may be NULL. Usually the volume's size, or a few layers of cells, show that it
// can. Otherwise each rank extracts its part once only to count vertices and triangles; the bytes
// read and the time are added to those of `jobs`. A file that can only be read forward is not
// counted, because that takes as long as the extraction. PROBLEM_LIMIT with the counts if the mesh
// is too large. The writer of the mesh counts again, so true does not guarantee that the mesh can
// be written.
bool mesh_limit_check(
    struct extract_jobs *jobs, const struct share_folder *found, const struct layers *lacks,
    size_t count, uint32_t step, const struct mesh_format *format, struct problem *problem);
