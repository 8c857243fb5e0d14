// Whether a mesh format can count the surface that is about to be made.
#pragma once

#include "app/extract/jobs.h"

// Collective. Before extract_jobs_do, with the same arguments: the surface has the shares of
// `found` and the layers that these lack. `format` may be NULL. For most surfaces the size of the
// volume or a few layers of cells show that there is no doubt. Otherwise each rank makes its part
// of the surface once only to count it, which is added to the bytes read and the time of `jobs`. A
// file that can only be read forward is not looked at, because that takes as long as the
// extraction. PROBLEM_LIMIT with the counts if the surface is too large. True is no promise; the
// mesh's writer counts, too.
bool mesh_limit_check(
    struct extract_jobs *jobs, const struct share_folder *found, const struct layers *lacks,
    size_t count, uint32_t step, const struct mesh_format *format, struct problem *problem);
