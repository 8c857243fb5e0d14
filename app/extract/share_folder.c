#include "app/extract/share_folder.h"

#include "app/base/progress.h"
#include "app/ranks/ranks.h"
#include "volumes/base/log.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

void share_folder_name(struct layers layers, char out[NAME_MAX + 1])
{
    snprintf(
        out, NAME_MAX + 1, "layers_%010" PRIu32 "-%010" PRIu32 SHARE_EXTENSION, layers.from,
        layers.to - 1);
}

// The mark of a file that was made in the folder: an extended attribute with the file's inode and
// time of last change. A copy has another inode. Overwriting the file changes its time. A file
// system without extended attributes has no marks.
#define FOLDER_MARK "user.cubist.made"
#define MARK_TEXT   80

static int folder_mark_text(const struct stat *st, char out[MARK_TEXT])
{
    return snprintf(
        out, MARK_TEXT, "%ju %jd.%09ld", (uintmax_t)st->st_ino, (intmax_t)st->st_mtim.tv_sec,
        st->st_mtim.tv_nsec);
}

void share_folder_mark(const char *path)
{
    struct stat st;
    char text[MARK_TEXT];
    if (lstat(path, &st) == 0) {
        lsetxattr(path, FOLDER_MARK, text, (size_t)folder_mark_text(&st, text), 0);
    }
}

static bool folder_made(const char *path)
{
    struct stat st;
    char text[MARK_TEXT], found[MARK_TEXT];
    return lstat(path, &st) == 0 &&
           lgetxattr(path, FOLDER_MARK, found, sizeof found) == folder_mark_text(&st, text) &&
           memcmp(found, text, strlen(text)) == 0;
}

static bool folder_no_memory(struct problem *problem)
{
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading a folder of shares");
}

// ---- the files

// The names of the folder's files, as the first rank sees them.
struct names {
    struct folder_share *list; // only the names are set
    size_t count;
};

static int names_take(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), end = strlen(SHARE_EXTENSION);
    return entry->d_name[0] != '.' && length > end &&
           strcmp(entry->d_name + length - end, SHARE_EXTENSION) == 0;
}

static int names_compare(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool names_read(const char *path, struct names *names, struct problem *problem)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, names_take, names_compare);
    if (count < 0) {
        return errno == ENOMEM
                   ? folder_no_memory(problem)
                   : problem_set(
                         problem, PROBLEM_INPUT, "the folder '%.400s' cannot be read: %s", path,
                         strerror(errno));
    }
    names->count = (size_t)count;
    names->list = calloc(names->count + 1, sizeof *names->list);
    for (int i = 0; i < count; i++) {
        if (names->list) {
            snprintf(names->list[i].name, sizeof names->list[i].name, "%s", entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return names->list || folder_no_memory(problem);
}

// Collective. All ranks get the names that the first rank has read.
static bool names_share(const char *path, struct names *names, struct problem *problem)
{
    if (ranks()->rank == 0 && !names_read(path, names, problem)) {
        return false;
    }
    uint64_t count = names->count;
    if (!ranks_share(0, &count, sizeof count, problem)) {
        return false;
    }
    if (ranks()->rank > 0) {
        names->list = calloc(count + 1, sizeof *names->list);
        names->count = count;
        if (!names->list) {
            return folder_no_memory(problem);
        }
    }
    return count == 0 || ranks_share(0, names->list, count * sizeof *names->list, problem);
}

// ---- each share

enum folder_state { FOLDER_GONE, FOLDER_WHOLE, FOLDER_DAMAGED };

// What a rank has found out about a share; sent to all ranks.
struct folder_found {
    enum folder_state state;
    bool other_files; // the input had another size or time
    struct layers layers;
    uint64_t vertices, triangles, active_cells;
};

// Whether a share must be checked: it has some of the wanted layers, or no layers at all.
static bool folder_wants(struct layers share, struct layers wanted)
{
    return share.from == share.to || layers_meet(share, wanted);
}

// Reads the layers from a name that share_folder_name wrote; false for other names.
static bool folder_named(const char *name, struct layers *out)
{
    char again[NAME_MAX + 1];
    if (sscanf(name, "layers_%10" SCNu32 "-%10" SCNu32, &out->from, &out->to) != 2) {
        return false;
    }
    out->to++;
    share_folder_name(*out, again);
    return strcmp(again, name) == 0;
}

// A file with a name of share_folder_name is replaced when the layers in its name are made. So it
// must not have other layers.
static bool folder_is_named_so(
    const char *path, const char *name, struct layers layers, struct problem *problem)
{
    struct layers named;
    return !folder_named(name, &named) || (named.from == layers.from && named.to == layers.to) ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%.400s' has layers %" PRIu32 " to %" PRIu32
               ", which its name does not say; give it another name",
               path, layers.from, layers.to - 1);
}

// Handles a share that is cut short or damaged. False if it has wanted layers and may not be
// removed: no run made it here, or its layers are not known.
static bool folder_take_damaged(
    const char *path, struct layers wanted, struct folder_found *out, struct problem *problem)
{
    out->state = FOLDER_DAMAGED;
    const bool known = out->layers.to != UINT32_MAX;
    return !folder_wants(out->layers, wanted) || (known && folder_made(path)) ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%.400s' is cut short or damaged, or still being copied, and nothing shows that "
               "a run has made it here, so it stays: wait until it is whole, or remove it",
               path);
}

// Reads the whole file if it has some of the wanted layers. out->layers are those of its head.
static bool folder_check(
    struct share *share, struct layers wanted, struct folder_found *out, struct problem *problem)
{
    struct problem why;
    out->state = FOLDER_WHOLE;
    if (!folder_wants(out->layers, wanted)) {
        return true;
    }
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "checking");
    meter.bytes = share->stamp.size;
    const bool whole = share_check(share, &progress, 0, share->stamp.size, &why);
    progress_end(&meter);
    if (!whole && why.kind == PROBLEM_INPUT) {
        return folder_take_damaged(share->path, wanted, out, problem);
    }
    return whole || problem_set(problem, why.kind, "%s", why.text);
}

// Whether the share is of this run's surface. `middle` NULL: the share's end was not read.
static bool folder_is_ours(
    const struct share *share, const struct folder_input *input, const uint32_t *middle,
    struct problem *problem)
{
    char whose[500];
    struct problem why;
    snprintf(whose, sizeof whose, "this run with '%.400s'", input->path);
    const bool ours =
        middle ? share_matches(share, &input->head, *middle, whose, &why)
               : share_head_matches(share->path, &share->head, &input->head, whose, &why);
    return ours ||
           problem_set(
               problem, why.kind, "%s; give this run another folder with --resume", why.text);
}

// Examines a file that is no whole share. If its head is damaged, its name may state its layers.
static bool folder_examine_rest(
    const char *path, const char *name, const struct folder_input *input, struct layers wanted,
    const struct problem *why, struct folder_found *out, struct problem *problem)
{
    struct share share = { .path = path };
    bool sound;
    struct stat st;
    if (stat(path, &st) != 0 && errno == ENOENT) {
        return true; // another process has removed it, because it was damaged
    }
    if (why->kind != PROBLEM_INPUT || !share_is_damaged(path, &share.head, &sound)) {
        return problem_set(problem, why->kind, "%s", why->text);
    }
    if (sound && !folder_is_ours(&share, input, NULL, problem)) {
        return false;
    }
    if (sound) {
        out->layers = (struct layers){ share.head.from, share.head.to };
    } else if (!folder_named(name, &out->layers)) {
        out->layers = (struct layers){ 0, UINT32_MAX };
    }
    return folder_take_damaged(path, wanted, out, problem);
}

static bool folder_examine(
    const char *path, const char *name, const struct folder_input *input, struct layers wanted,
    struct folder_found *out, struct problem *problem)
{
    struct share share;
    struct problem why;
    memset(out, 0, sizeof *out);
    if (!share_open(path, &share, &why)) {
        return folder_examine_rest(path, name, input, wanted, &why, out, problem);
    }
    const struct share_head *a = &share.head, *b = &input->head;
    out->layers = (struct layers){ a->from, a->to };
    out->vertices = share.end.vertices;
    out->triangles = share.end.triangles;
    out->active_cells = share.end.active_cells;
    out->other_files = a->input_bytes && b->input_bytes &&
                       (a->input_bytes != b->input_bytes || a->input_time != b->input_time);
    const bool fine = folder_is_ours(&share, input, &input->middle, problem) &&
                      folder_is_named_so(path, name, out->layers, problem) &&
                      folder_check(&share, wanted, out, problem);
    share_close(&share);
    return fine;
}

static bool folder_path(
    const struct share_folder *folder, const char *name, char out[PATH_MAX],
    struct problem *problem)
{
    return snprintf(out, PATH_MAX, "%s/%s", folder->path, name) < PATH_MAX ||
           problem_set(problem, PROBLEM_INPUT, "the path of '%.400s' is too long", name);
}

// Collective. Each rank examines every ranks()->count-th share. *out, which the caller frees, has
// the results of share i at (i % ranks) * *each + i / ranks.
static bool folder_examine_all(
    const struct share_folder *folder, const struct names *names, const struct folder_input *input,
    struct layers wanted, struct folder_found **out, size_t *each, struct problem *problem)
{
    const size_t count = (size_t)ranks()->count, rank = (size_t)ranks()->rank;
    *each = names->count / count + 1;
    struct folder_found *own = calloc(*each, sizeof *own);
    *out = calloc(count * *each, sizeof **out);
    bool fine = own && *out;
    if (!fine) {
        folder_no_memory(problem);
    }
    for (size_t i = rank; fine && i < names->count; i += count) {
        char path[PATH_MAX];
        const char *name = names->list[i].name;
        fine = folder_path(folder, name, path, problem) &&
               folder_examine(path, name, input, wanted, &own[i / count], problem) &&
               progress_go_on(problem);
    }
    fine = fine && ranks_gather(own, *each * sizeof *own, *out, problem);
    free(own);
    return fine;
}

// ---- all shares

static int folder_compare(const void *left, const void *right)
{
    const struct layers *a = &((const struct folder_share *)left)->layers;
    const struct layers *b = &((const struct folder_share *)right)->layers;
    const int order = (a->from > b->from) - (a->from < b->from);
    return order ? order : (a->to > b->to) - (a->to < b->to);
}

static bool folder_refuse_overlaps(const struct share_folder *folder, struct problem *problem)
{
    const struct folder_share *below = NULL;
    for (size_t i = 0; i < folder->count; i++) {
        const struct folder_share *share = &folder->list[i];
        if (share->layers.from == share->layers.to) {
            continue;
        }
        if (below && share->layers.from < below->layers.to) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "in '%.300s', '%.200s' has layers %" PRIu32 " to %" PRIu32
                ", and '%.200s' has layers %" PRIu32 " to %" PRIu32
                ": each layer may be in one share only; remove one of the two",
                folder->path, share->name, share->layers.from, share->layers.to - 1, below->name,
                below->layers.from, below->layers.to - 1);
        }
        below = share;
    }
    return true;
}

// Removes a damaged share. Only the first rank does it, and prints a note.
static bool
folder_remove(const struct share_folder *folder, const char *name, struct problem *problem)
{
    char path[PATH_MAX];
    if (ranks()->rank > 0) {
        return true;
    }
    if (!folder_path(folder, name, path, problem)) {
        return false;
    }
    if (unlink(path) != 0 && errno != ENOENT) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "'%.400s' is damaged and cannot be removed: %s", path,
            strerror(errno));
    }
    log_note(
        "'%s' was damaged or cut short, and is removed: layers that no other share has are made "
        "again",
        path);
    return true;
}

bool share_folder_read(
    struct share_folder *folder, const struct folder_input *input, struct layers wanted,
    struct problem *problem)
{
    struct names names = { 0 };
    struct folder_found *found = NULL;
    size_t each = 0;
    bool fine = names_share(folder->path, &names, problem) &&
                folder_examine_all(folder, &names, input, wanted, &found, &each, problem);
    const struct folder_share *other = NULL;
    for (size_t i = 0; fine && i < names.count; i++) {
        const size_t count = (size_t)ranks()->count;
        const struct folder_found *one = &found[i % count * each + i / count];
        struct folder_share *share = &names.list[i];
        share->layers = one->layers;
        share->vertices = one->vertices;
        share->triangles = one->triangles;
        share->active_cells = one->active_cells;
        if (one->state == FOLDER_WHOLE) {
            names.list[folder->count++] = *share;
            other = one->other_files && !other ? share : other;
        } else if (one->state == FOLDER_DAMAGED && folder_wants(one->layers, wanted)) {
            folder->damaged++;
            fine = folder_remove(folder, share->name, problem);
        }
    }
    if (fine && other && ranks()->rank == 0) {
        log_warn(
            "when '%s/%s' was made, the input had another size or time; this is right only if it "
            "was a copy, or was not changed",
            folder->path, other->name);
    }
    free(found);
    folder->list = names.list;
    if (fine && folder->count > 0) {
        qsort(folder->list, folder->count, sizeof *folder->list, folder_compare);
    }
    return fine && folder_refuse_overlaps(folder, problem);
}

bool share_folder_lacks(
    const struct share_folder *folder, struct layers wanted, struct layers **out, size_t *count,
    struct problem *problem)
{
    uint32_t at = wanted.from;
    *count = 0;
    *out = calloc(folder->count + 1, sizeof **out);
    if (!*out) {
        return folder_no_memory(problem);
    }
    for (size_t i = 0; i < folder->count && at < wanted.to; i++) {
        const struct layers layers = folder->list[i].layers;
        if (layers.from == layers.to) {
            continue;
        }
        if (layers.from > at) {
            (*out)[(*count)++] = (struct layers){
                at,
                layers.from < wanted.to ? layers.from : wanted.to,
            };
        }
        at = layers.to > at ? layers.to : at;
    }
    if (at < wanted.to) {
        (*out)[(*count)++] = (struct layers){ at, wanted.to };
    }
    return true;
}

// Collective. Gathers the new shares of all ranks in one list. The caller frees *out.
static bool folder_gather(
    const struct folder_share *made, size_t count, struct folder_share **out, size_t *all,
    struct problem *problem)
{
    const size_t ranks_count = (size_t)ranks()->count;
    uint64_t own = count, *counts = calloc(ranks_count, sizeof *counts), most = 0;
    struct folder_share *block = NULL, *blocks = NULL;
    bool fine =
        counts ? ranks_gather(&own, sizeof own, counts, problem) : folder_no_memory(problem);
    for (size_t rank = 0; fine && rank < ranks_count; rank++) {
        most = counts[rank] > most ? counts[rank] : most;
    }
    if (fine && most > 0) {
        block = calloc(most, sizeof *block);
        blocks = calloc(ranks_count * most, sizeof *blocks);
        fine = block && blocks ? true : folder_no_memory(problem);
    }
    if (fine && most > 0) {
        if (count > 0) {
            memcpy(block, made, count * sizeof *block);
        }
        fine = ranks_gather(block, most * sizeof *block, blocks, problem);
    }
    *all = 0;
    for (size_t rank = 0; fine && rank < ranks_count; rank++) {
        for (uint64_t i = 0; i < counts[rank]; i++) {
            blocks[(*all)++] = blocks[rank * most + i];
        }
    }
    *out = blocks;
    free(block);
    free(counts);
    return fine;
}

bool share_folder_add(
    struct share_folder *folder, const struct folder_share *made, size_t count,
    struct problem *problem)
{
    struct folder_share *all = NULL;
    size_t more = 0;
    bool fine = folder_gather(made, count, &all, &more, problem);
    if (fine && more > 0) {
        struct folder_share *list =
            realloc(folder->list, (folder->count + more) * sizeof *folder->list);
        fine = list || folder_no_memory(problem);
        if (list) {
            folder->list = list;
            memcpy(list + folder->count, all, more * sizeof *list);
            folder->count += more;
            qsort(list, folder->count, sizeof *list, folder_compare);
        }
    }
    free(all);
    return fine;
}

void share_folder_free(struct share_folder *folder)
{
    free(folder->list);
    *folder = (struct share_folder){ 0 };
}
