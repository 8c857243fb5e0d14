#include "volumes/formats/folder.h"

#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/slice_image.h"
#include "volumes/formats/tiff.h"
#include "volumes/formats/zarr.h"

#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TIFF ".tif .tiff"

bool folder_lists(const char *name)
{
    struct raw_name raw;
    raw_name_parse(name, &raw);
    if (name[0] == '.' || raw.raw || path_has_extension(name, ".img .img.gz")) {
        return name[0] != '.' && raw.has_dim;
    }
    for (size_t i = 0; i < reader_count; i++) {
        if (!readers[i].series && path_has_extension(name, readers[i].extensions)) {
            return true;
        }
    }
    return false;
}

// Whether the file can be a slice: a TIFF file of one page, or a PNG image without colour that
// cubist did not draw.
static bool folder_is_slice(const char *folder, const char *name)
{
    char path[PATH_MAX + NAME_MAX + 2];
    struct source source;
    struct problem problem;
    struct slice_image image = { 0 };
    struct slice_shape page;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!source_open(path, &source, &problem)) {
        return false;
    }
    const bool slice = path_has_extension(name, TIFF)
                           ? tiff_slice_probe(&source, &page, &problem)
                           : slice_image_probe(&source, &image, &problem) && image.channels <= 2 &&
                                 !slice_image_is_picture(folder, name);
    source_close(&source);
    return slice;
}

static int folder_wants(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return folder_lists(name) || (name[0] != '.' && path_has_extension(name, ".png"));
}

bool folder_nests_dicom(const char *path)
{
    char root[PATH_MAX];
    char *const roots[] = { root, NULL };
    int names = 20000;
    bool found = false;
    DIR *top = opendir(path);
    for (struct dirent *entry; top && (entry = readdir(top));) {
        names = folder_wants(entry) ? 0 : names;
    }
    if (top) {
        closedir(top);
    }
    // fts_close() leaks what fts_open() allocated where nothing was read between them.
    const bool walks = names > 0 && snprintf(root, sizeof root, "%s", path) < (int)sizeof root;
    FTS *walk =
        walks ? fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL) : NULL;
    for (FTSENT *at; walk && !found && names-- > 0 && (at = fts_read(walk));) {
        if (at->fts_info == FTS_D && at->fts_level > 0) {
            const bool looks = at->fts_level <= 6 && at->fts_name[0] != '.';
            found = looks && reader_folder_form(at->fts_path) == FOLDER_FORM_DICOM;
            fts_set(walk, at, looks ? 0 : FTS_SKIP);
        }
    }
    if (walk) {
        fts_close(walk);
    }
    return found;
}

// How many of the images can be slices.
static uint32_t
folder_slices(const char *path, struct dirent **entries, int count, const char *extensions)
{
    uint32_t slices = 0;
    for (int i = 0; i < count; i++) {
        slices += path_has_extension(entries[i]->d_name, extensions) &&
                  folder_is_slice(path, entries[i]->d_name);
    }
    return slices;
}

// How many files are in the folder, without hidden ones.
static uint32_t folder_files(const char *path)
{
    DIR *folder = opendir(path);
    uint32_t files = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        files += entry->d_name[0] != '.';
    }
    if (folder) {
        closedir(folder);
    }
    return files;
}

void folder_look(const char *path, struct folder *out)
{
    struct dirent **entries = NULL;
    const int found = scandir(path, &entries, folder_wants, versionsort);
    const int count = found > 0 ? found : 0;
    uint32_t pngs = 0, tiffs = 0, others = 0;
    const char *first = NULL, *first_tiff = NULL;
    *out = (struct folder){ .store = zarr_matches(path) };
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (path_has_extension(name, ".png")) {
            pngs += !slice_image_is_picture(path, name);
        } else if (path_has_extension(name, TIFF)) {
            tiffs++;
            first_tiff = first_tiff ? first_tiff : name;
        } else {
            others++;
            first = first ? first : name;
        }
    }
    const uint32_t images = pngs ? folder_slices(path, entries, count, ".png") : 0;
    if (images > 0) {
        out->slices = images; // TIFF files beside PNG slices are ignored
    } else if (first_tiff && folder_is_slice(path, first_tiff)) {
        out->slices = pngs ? 0 : tiffs;
    } else if (first_tiff) {
        others += tiffs;
        first = !first || strverscmp(first_tiff, first) < 0 ? first_tiff : first;
    }
    out->volumes = others;
    if (first) {
        snprintf(out->first, sizeof out->first, "%s", first);
    }
    if (others == 0 && out->slices == 0 && reader_folder_form(path) == FOLDER_FORM_DICOM) {
        out->slices = folder_files(path);
    }
    out->kind = out->store || out->slices > others ? FOLDER_SLICES
                : others > 0                       ? FOLDER_VOLUMES
                                                   : FOLDER_OTHER;
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

static int folder_wants_volume(const struct dirent *entry)
{
    return folder_lists(entry->d_name);
}

struct folder_place folder_beside(const char *path, int step, char next[PATH_MAX])
{
    const char *name = basename(path);
    const int head = (int)(name - path);
    char folder[PATH_MAX];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%.*s", head, path);
    const int found = scandir(head > 0 ? folder : ".", &entries, folder_wants_volume, versionsort);
    const int count = found > 0 ? found : 0;
    int at = 0;
    while (at < count && strverscmp(entries[at]->d_name, name) < 0) {
        at++;
    }
    const bool listed = at < count && strcmp(entries[at]->d_name, name) == 0;
    bool fits = count > 0;
    if (count > 0) {
        const int to = (at + (step > 0 && !listed ? step - 1 : step) % count + count) % count;
        fits = snprintf(next, PATH_MAX, "%s%s", folder, entries[to]->d_name) < PATH_MAX;
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return (struct folder_place){ fits ? (uint32_t)count : 0, listed, !*name };
}

const char *folder_open(const char *path, char first[PATH_MAX])
{
    struct stat there;
    struct folder folder;
    if (!path || !*path || stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) {
        return path;
    }
    folder_look(path, &folder);
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    return folder.kind == FOLDER_VOLUMES &&
                   snprintf(first, PATH_MAX, "%s%s%s", path, slash, folder.first) < PATH_MAX
               ? first
               : path;
}
