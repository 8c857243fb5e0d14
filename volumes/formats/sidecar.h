// Files that a header names. A header is untrusted: a file is opened only if it lies beside the
// header or below (no absolute path, no "..", no symbolic link that leads out), and only if it is a
// regular file. If a person has named the header (volume_params.named), its files may lie
// elsewhere.
//
// The header's own path may be a symbolic link, because the user named it. Then a file may also lie
// beside, or below, the file that the link names, and so on along a chain of links. So opening a
// link finds the same files as opening its target. If a link of that name also lies beside the
// header's link, both must lead to the same file.
//
// git-annex, DataLad and DVC store each file elsewhere and put a link to it into the folder. So a
// link beside the header may lead out in one case: header and file, with all links resolved, are
// objects of one store. An object is ROOT/annex/objects/.../KEY/KEY of git-annex, or ROOT/xx/y of
// DVC, where xx and y are 2 and 30 hexadecimal digits. Both must have the same ROOT. An archive
// that somebody else packed cannot lead into other files this way: its header lies where the
// archive was unpacked, and so does ROOT.
#pragma once

#include "volumes/formats/text.h"

#include <stdint.h>

// Opens `name` relative to the folder of `header`, or of a file that the link `header` names. If
// `anywhere`, it may lead out of that folder or be absolute. `out` owns the joined path.
// PROBLEM_INPUT. On false `out` is closed.
bool sidecar_open(
    const char *header, const char *name, bool anywhere, struct source *out,
    struct problem *problem);

// Whether a name is absolute or leads out of the header's folder.
bool sidecar_is_elsewhere(const char *name);

// Opens the folder `path`, "" or with a slash at its end, below the folder `store`. *fd is the
// caller's. PROBLEM_INPUT.
bool sidecar_open_folder(const char *store, const char *path, int *fd, struct problem *problem);

// Opens `name` in the folder `fd` of sidecar_open_folder(store, path). The file is not noted as an
// input. *there: whether there is such a file. `out` has the path `store`, for messages.
bool sidecar_open_in(
    int fd, const char *store, const char *path, const char *name, struct source *out, bool *there,
    struct problem *problem);

#define SIDECAR_FILES_MOST 100000

// Names in order. Zero-initialised means empty; release with sidecar_list_destroy.
struct sidecar_list {
    char **names;
    size_t count;
};

bool sidecar_list_add(
    struct sidecar_list *list, const char *name, size_t length, struct problem *problem);

// Adds the names in the remaining lines of `text`.
bool sidecar_list_read(struct sidecar_list *list, struct text *text, struct problem *problem);

// The names that a printf-like `format` with one integer conversion (%d, %i, %u; flag 0 and a width
// up to 9 are allowed; %% too) makes of first, first + step, ... up to `last`. PROBLEM_INPUT for
// any other conversion, a step of 0 or in the wrong direction, or more than
// SIDECAR_FILES_MOST names. `header` is for messages.
bool sidecar_list_pattern(
    struct sidecar_list *list, const char *header, const char *format, int64_t first, int64_t last,
    int64_t step, struct problem *problem);

// Keeps only `count` names from `first` on.
void sidecar_list_keep(struct sidecar_list *list, size_t first, size_t count);

void sidecar_list_destroy(struct sidecar_list *list);
