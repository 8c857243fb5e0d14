// Whether a mesh format can hold the surface that several ranks are about to make.
#pragma once

#include "app/extract/jobs.h"
#include "compute/mesh/mesh_formats.h"

// Collective. Before extract_jobs_do, with the same arguments: the surface has the shares of
// `found` and the layers that these lack. `format` may be NULL. Where it is doubtful whether there
// is room (mesh_room_is_doubtful), each rank makes its part of the surface once only to count it,
// which is added to the bytes read and the time of `jobs`. PROBLEM_LIMIT with the counts if the
// surface is too large. True is no promise.
bool extract_room(
    struct extract_jobs *jobs, const struct share_folder *found, const struct layers *lacks,
    size_t count, uint32_t step, const struct mesh_format *format, struct problem *problem);
