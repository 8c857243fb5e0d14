// What the ranks of a command do together with a volume's file: each reads its own slices, and all
// learn the same facts. With one rank that is the whole volume.
#pragma once

#include "app/base/fingerprint.h"
#include "app/base/json.h"
#include "volumes/formats/volume_file.h"

// Refuses a volume that comes through a pipe, where `count` ranks are more than one: only one
// process can read it. PROBLEM_USAGE, before anything is opened. `path` may be NULL.
bool volume_ranks_can_read(const char *path, int count, struct problem *problem);

// Refuses an open file that can only be read whole (PROBLEM_USAGE), where `count` ranks are
// more than one. Notes that a compressed one is decoded from its start by each of them.
bool volume_ranks_take(const struct volume_file *file, int count, struct problem *problem);

// Collective. Whether all ranks have opened the same volume: a node may have a copy of its own, or
// an old one. PROBLEM_INPUT where a rank has another than the first one: by its size, its position,
// or samples that are spread over it. A warning where only the files' times differ, as copies' may.
// With several ranks `files` get the time of the first rank's, and *middle the checksum of the
// slice in the middle.
bool volume_ranks_same(
    struct volume_file *file, struct files_fingerprint *files, uint32_t *middle,
    struct problem *problem);

// Collective. The volume_file_facts of the whole file, of which each rank reads its own slices. All
// ranks get the numbers of one process, also in `ranges` and `cubes`. Each of the three may be
// NULL. Adds the bytes of the samples that this rank has read to *bytes. On false `cubes` is empty.
bool volume_ranks_facts(
    struct volume_file *file, const struct progress *progress, struct volume_facts *facts,
    struct slice_range *ranges, struct cubes *cubes, uint64_t *bytes, struct problem *problem);

// Collective. Adds the member "ranks" of a report: the slices of each rank, of `depth`, and how
// many bytes it has read. Ranks that do not report pass NULL for `json`.
bool volume_ranks_json(uint32_t depth, uint64_t bytes, json_t *json, struct problem *problem);
