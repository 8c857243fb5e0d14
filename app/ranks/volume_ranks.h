// What the ranks of a command do together with a volume's file: each reads its own slices, and all
// learn the same facts. With one rank that is the whole volume.
#pragma once

#include "app/base/json.h"
#include "volumes/formats/volume_file.h"

// With more than one rank: refuses a volume that comes through a pipe, because only one process can
// read it. PROBLEM_USAGE, before anything is opened. `path` may be NULL.
bool volume_ranks_can_read(const char *path, struct problem *problem);

// With more than one rank: refuses an open file that can only be read whole (PROBLEM_USAGE), and
// notes that one is decoded from the start by every rank.
bool volume_ranks_take(const struct volume_file *file, struct problem *problem);

// Collective. The volume_file_facts of the whole file, of which each rank reads its own slices. All
// ranks get the numbers of one process, also in `ranges` and `cubes`. Each of the three may be
// NULL. Adds the bytes of the samples that this rank has read to *bytes. PROBLEM_INPUT where a rank
// has another volume than the first one. On false `cubes` is empty.
bool volume_ranks_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *facts,
    struct slice_range *ranges, struct cubes *cubes, uint64_t *bytes, struct problem *problem);

// Collective. Adds the member "ranks" of a report: the slices of each rank, of `depth`, and how
// many bytes it has read. Ranks that do not report pass NULL for `json`.
bool volume_ranks_json(uint32_t depth, uint64_t bytes, json_t *json, struct problem *problem);
