// A folder of shares, in which the ranks keep a surface while they make it: which layers it has,
// and which are still to be made.
#pragma once

#include "compute/mesh/share.h"

#include <limits.h>

// Some layers of cells: `from` up to, but not including, `to`.
struct layers {
    uint32_t from, to;
};

// Whether both have a layer.
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

// What the shares must be of.
struct folder_input {
    const char *path;       // of the volume, for messages
    struct share_head head; // its layers do not matter
    uint32_t middle;        // the checksum of the slice in the middle: see share_slices
};

// The name of the file of a share: names sort like their layers.
void share_folder_name(struct layers layers, char out[NAME_MAX + 1]);

// Notes that a run has made this share, which is complete. Only such a file is ever removed from
// the folder, and only as long as nobody else has changed it.
void share_folder_mark(const char *path);

// Collective. Finds all shares in folder->path, and reads those whole that have some of the layers
// `wanted`; each rank reads some of them. A damaged one of these that was made in the folder is
// removed, and a note says that it is made again. PROBLEM_INPUT, naming the file, where another one
// is damaged, where a share is of something else, where a file is no share, and where two shares
// have the same layers. Folders may be filled by other processes at the same time, with other
// layers.
bool share_folder_read(
    struct share_folder *folder, const struct folder_input *input, struct layers wanted,
    struct problem *problem);

// The ranges of `wanted` that no share has, in ascending order. The caller frees *out.
bool share_folder_lacks(
    const struct share_folder *folder, struct layers wanted, struct layers **out, size_t *count,
    struct problem *problem);

// Collective. Adds what the ranks have made: `made` are the `count` new shares of this one.
bool share_folder_add(
    struct share_folder *folder, const struct folder_share *made, size_t count,
    struct problem *problem);

void share_folder_free(struct share_folder *folder);
