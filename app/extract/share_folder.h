// A folder of shares, in which the ranks store a surface while they make it. Finds which layers are
// there, and which are still missing.
#pragma once

#include "compute/mesh/share.h"

#include <limits.h>

// Some layers of cells: `from` up to, but not including, `to`.
struct layers {
    uint32_t from, to;
};

// Whether the ranges have a layer in common.
static inline bool layers_meet(struct layers a, struct layers b)
{
    return a.from < a.to && b.from < b.to && a.from < b.to && b.from < a.to;
}

// A share in the folder.
struct folder_share {
    struct layers layers;
    uint64_t vertices, triangles, active_cells;
    char name[NAME_MAX + 1]; // of its file
};

// Zero-initialised means empty. Release with share_folder_free.
struct share_folder {
    char path[PATH_MAX];
    struct folder_share *list; // in order of layers, after share_folder_read
    size_t count;
    size_t damaged; // how many damaged shares were removed
};

// The input that the shares must have been made from.
struct folder_input {
    const char *path;       // of the volume, for messages
    struct share_head head; // its layers are ignored
    uint32_t middle;        // the checksum of the slice in the middle: see share_slices
};

// Writes the file name of a share. Names sort in the order of their layers.
void share_folder_name(struct layers layers, char out[NAME_MAX + 1]);

// Marks a complete share as made by a run. Only a marked file is ever removed from the folder, and
// only if nobody else has changed it since.
void share_folder_mark(const char *path);

// Collective. Finds all shares in folder->path, and reads all bytes of each share with some of the
// layers `wanted`; each rank reads some shares. If such a share is damaged and has the mark, it is
// removed, and a note says that it is made again. PROBLEM_INPUT, naming the file: it is damaged
// without a mark, of another surface, or no share; or two shares have the same layers. Other
// processes may add other layers to the folder at the same time.
bool share_folder_read(
    struct share_folder *folder, const struct folder_input *input, struct layers wanted,
    struct problem *problem);

// The ranges of `wanted` that no share has, in ascending order. The caller frees *out.
bool share_folder_lacks(
    const struct share_folder *folder, struct layers wanted, struct layers **out, size_t *count,
    struct problem *problem);

// Collective. Adds the new shares of all ranks: `made` are the `count` new shares of this rank.
bool share_folder_add(
    struct share_folder *folder, const struct folder_share *made, size_t count,
    struct problem *problem);

void share_folder_free(struct share_folder *folder);
