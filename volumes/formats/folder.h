// What a folder holds, for who opens a folder or steps through the volumes in it.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a file of this name is listed as a volume. Goes by the name alone. A raw file without
// size in its name, and the image of a pair, are opened through the header beside them. Hidden
// files are none.
bool folder_lists(const char *name);

enum folder_kind {
    FOLDER_OTHER,   // neither; or it cannot be read
    FOLDER_SLICES,  // the folder itself is a volume: its images are the slices
    FOLDER_VOLUMES, // its files are volumes
};

struct folder {
    enum folder_kind kind;
    uint32_t volumes, slices; // files
    char first[NAME_MAX + 1]; // the name of the first volume, in the order of versionsort
};

// Looks at the names in a folder. PNG images in colour are no slices, so screenshots do not count.
// Where there are both volumes and slices, the larger number decides; volumes where both are equal.
// TIFF files are slices where there are no PNG files but pictures that cubist drew; volumes where
// the first of them cannot be a slice, as it has several pages.
void folder_look(const char *path, struct folder *out);

struct folder_place {
    uint32_t count; // volumes in the folder
    bool listed;    // the file is one of them
    bool whole;     // `path` ends in "/": it is the folder, and a step leads to its first volume
};

// The volume that is `step` places from the file at `path` in its folder, in the order of
// versionsort, round and round. If the file is not listed, its name's place in the order counts.
// `next` is written where count > 0.
struct folder_place folder_beside(const char *path, int step, char next[PATH_MAX]);

// What is opened for a path: of a folder of volumes the first one, whose path is written to
// `first`; else `path` itself, which may be NULL.
const char *folder_open(const char *path, char first[PATH_MAX]);
