// What the ranks of a command do together with the file of a volume: each reads its own slices, and
// all get the same facts. A single rank reads all slices.
#pragma once

#include "app/base/fingerprint.h"
#include "app/base/json.h"
#include "volumes/formats/volume_file.h"

// Refuses a volume that comes through a pipe if `count`, the number of ranks, is above 1: only one
// process can read it. PROBLEM_USAGE. Call it before anything is opened. `path` may be NULL.
bool volume_ranks_can_read(const char *path, int count, struct problem *problem);

// Prints a note if several ranks read a compressed file: each decodes it from its start. `count` is
// the number of ranks.
void volume_ranks_note(const struct volume_file *file, int count);

// Collective. Checks that all ranks have opened the same volume: a node may have a copy, or an old
// version. PROBLEM_INPUT if a volume differs from that of rank 0 in its size, its position, or
// samples that are spread over it. Warns if only the times of the files differ, as those of copies
// may. With several ranks, sets files->time to that of rank 0, and *middle to the checksum of the
// slice in the middle.
bool volume_ranks_same(
    struct volume_file *file, struct files_fingerprint *files, uint32_t *middle,
    struct problem *problem);

// Collective. Does volume_file_facts for the whole file; each rank reads its own slices. All ranks
// get the same numbers as a single process, also in `ranges` and `cubes`. `facts`, `ranges` and
// `cubes` may be NULL. Adds the bytes of samples that this rank has read to *bytes. On false
// `cubes` is empty.
bool volume_ranks_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *facts,
    struct slice_range *ranges, struct cubes *cubes, uint64_t *bytes, struct problem *problem);

// Collective. Adds the member "ranks" of a report: the slices of each rank, out of `depth`, and the
// bytes that it has read (`bytes` for this rank). Ranks that do not report pass NULL for `json`.
bool volume_ranks_json(uint32_t depth, uint64_t bytes, json_t *json, struct problem *problem);
