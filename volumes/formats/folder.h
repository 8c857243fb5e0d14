// What a folder holds, for code that opens a folder or steps through the volumes in it.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a file of this name is listed as a volume. Only the name counts. A raw file without size
// in its name, and the image of a pair, are opened through the header beside them. Hidden files are
// not listed.
bool folder_lists(const char *name);

enum folder_kind {
    FOLDER_OTHER,   // neither of the two below, or the folder cannot be read
    FOLDER_SLICES,  // the folder itself is a volume: its images are the slices, or it is a store
    FOLDER_VOLUMES, // the files in the folder are volumes
};

struct folder {
    enum folder_kind kind;
    bool store;               // of Zarr or N5
    uint32_t volumes, slices; // number of files of each kind
    char first[NAME_MAX + 1]; // the name of the first volume, in the order of versionsort
};

// Whether a DICOM series lies in sub-folders of a folder that holds no volumes and no slices
// itself. Looks at 20000 names at most, six levels down, on one file system, and follows no links.
bool folder_nests_dicom(const char *path);

// Looks at the names in a folder. Colour PNG images are not slices, so screenshots do not count. If
// there are volumes and slices, the larger number decides; if both are equal, volumes. TIFF files
// are slices if all PNG files are pictures that cubist drew. They are volumes if the first of them
// has several pages and so cannot be a slice. Where there is neither, the files of a DICOM series
// are slices.
void folder_look(const char *path, struct folder *out);

struct folder_place {
    uint32_t count; // volumes in the folder
    bool listed;    // the file is listed as a volume
    bool whole;     // `path` ends in "/": it is the folder, and a step leads to its first volume
};

// The volume that is `step` places from the file at `path` in its folder, in the order of
// versionsort. The first volume follows the last. If the file is not listed, its name's place in
// the order counts. `next` is written where count > 0.
struct folder_place folder_beside(const char *path, int step, char next[PATH_MAX]);

// Returns the path to open for `path`: for a folder of volumes, that of its first volume, which is
// written to `first`; otherwise `path` itself, which may be NULL.
const char *folder_open(const char *path, char first[PATH_MAX]);
