#include "volumes/formats/reader_process.h"

#include "volumes/formats/chunks.h"
#include "volumes/formats/process.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "cubist-read-"
#define BLOCK  ((uint64_t)4 << 20) // bytes of samples that are asked for at a time

struct reader_process {
    const char *path;
    struct process *process;
    struct reader_answer answer;
    uint64_t depth; // slices that are asked for at a time
    // What is still to come after an interruption: a line, then bytes.
    bool owes_line;
    uint64_t owes;
};

// ---- where readers are ----

// The folder with this number, 0 to 2, of those that have readers. "": there is none.
static void reader_process_folder(int number, char folder[PATH_MAX])
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    const char *below = number ? "/../lib/cubist/readers" : "";
    char own[PATH_MAX] = "";
    if (number == 2) {
        const bool standard = config && *config == '/'; // as the XDG standard requires
        snprintf(own, sizeof own, "%s", standard ? config : home ? home : "");
        below = standard ? "/cubist/readers" : "/.config/cubist/readers";
    } else if (readlink("/proc/self/exe", own, sizeof own - 1) > 0) {
        *strrchr(own, '/') = 0;
    }
    if (snprintf(folder, PATH_MAX, "%s%s", own, below) >= PATH_MAX) {
        folder[0] = 0;
    }
}

static bool reader_process_find(const char *name, char program[PATH_MAX])
{
    char folder[PATH_MAX];
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) {
        reader_process_folder(i, folder);
        found = snprintf(program, PATH_MAX, "%s/" PREFIX "%s", folder, name) < PATH_MAX &&
                access(program, X_OK) == 0;
    }
    return found;
}

// ---- samples ----

static void reader_process_close(void *state)
{
    struct reader_process *reader = state;
    process_end(reader->process);
    source_files_free(&reader->answer.files);
    free(reader);
}

static bool reader_process_unchanged(const void *state, struct problem *problem)
{
    return source_files_unchanged(&((const struct reader_process *)state)->answer.files, problem);
}

// Reads the line before the bytes of a block. The process may go on after an error.
static bool
reader_process_receive(struct reader_process *reader, uint64_t bytes, struct problem *problem)
{
    const char *line;
    size_t length;
    if (!process_line(reader->process, 4096, &line, &length, problem)) {
        return false;
    }
    reader->owes_line = false;
    reader->owes = 0;
    char right[40];
    snprintf(right, sizeof right, "ok %" PRIu64, bytes);
    if (strncmp(line, "error ", 6) == 0) {
        return problem_set(problem, PROBLEM_INPUT, "'%s': %s", reader->path, line + 6);
    }
    if (strcmp(line, right) != 0) {
        return process_blame(
            reader->process, problem, "answered '%.80s' where '%s' was expected", line, right);
    }
    reader->owes = bytes;
    return true;
}

// Reads `size` bytes of the answer that the process is sending.
static bool reader_process_take(
    struct reader_process *reader, void *bytes, size_t size, struct problem *problem)
{
    size_t got;
    const bool fine = process_read(reader->process, bytes, size, &got, problem);
    reader->owes -= got;
    return fine;
}

// Drops the rest of an answer whose reading was interrupted.
static bool reader_process_settle(struct reader_process *reader, struct problem *problem)
{
    char bytes[1 << 14];
    if (reader->owes_line && !reader_process_receive(reader, reader->owes, problem) &&
        reader->owes_line) { // not an error that nobody waits for now
        return false;
    }
    while (reader->owes > 0) {
        const size_t n = reader->owes < sizeof bytes ? (size_t)reader->owes : sizeof bytes;
        if (!reader_process_take(reader, bytes, n, problem)) {
            return false;
        }
    }
    return true;
}

// Reads the slices of a chunk. The last chunk may have fewer.
static bool
reader_process_chunk(void *user, const uint64_t at[3], void *out, struct problem *problem)
{
    struct reader_process *reader = user;
    const uint64_t *dim = reader->answer.dim, z = at[2] * reader->depth;
    const uint64_t count = dim[2] - z < reader->depth ? dim[2] - z : reader->depth;
    const uint64_t bytes = count * dim[0] * dim[1] * sample_size(&reader->answer.format);
    char request[160];
    snprintf(
        request, sizeof request, "block 0 %" PRIu64 " 0 %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
        dim[0], dim[1], z, z + count);
    if (!reader_process_settle(reader, problem) ||
        !process_ask(reader->process, request, problem)) {
        return false;
    }
    reader->owes_line = true;
    reader->owes = bytes;
    return reader_process_receive(reader, bytes, problem) &&
           reader_process_take(reader, out, (size_t)bytes, problem);
}

// Completes `out`, which has the facts of the answer already. `out` owns the reader from here on,
// also if this returns false.
static bool reader_process_slices(
    struct reader_process *reader, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    const struct reader_answer *answer = &reader->answer;
    const struct volume_file facts = *out;
    const uint64_t slice = answer->dim[0] * answer->dim[1] * sample_size(&answer->format);
    const uint64_t most = slice < BLOCK ? BLOCK / slice : 1;
    // Slices that are decoded together are asked for together, if they are not too many.
    const uint64_t depth = most < answer->granule ? most : most - most % answer->granule;
    reader->depth = depth < answer->dim[2] ? depth : answer->dim[2];
    const struct chunks chunks = {
        .path = reader->path,
        .format = answer->format,
        .dim = { answer->dim[0], answer->dim[1], answer->dim[2] },
        .chunk = { answer->dim[0], answer->dim[1], reader->depth },
        .read = reader_process_chunk,
        .unchanged = reader_process_unchanged,
        .close = reader_process_close,
        .user = reader,
        .cache = 2 * reader->depth * slice,
    };
    const bool fine = chunks_open(&chunks, params, out, problem);
    out->volume = facts.volume;
    out->seekable = facts.seekable;
    return fine;
}

// ---- opening ----

#define ARGUMENTS 8
#define ARGUMENT  (PATH_MAX + 64)

// The path that the reader gets. It does not begin with "-", and that of a folder ends in "/".
// Standard input was written to a file without a name, which this process has open: its path is
// that of the descriptor.
static void reader_process_path(const char *path, char out[ARGUMENT])
{
    struct stat there;
    const size_t length = strlen(path);
    const bool folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
    if (strncmp(path, PROBLEM_STANDARD_INPUT, sizeof PROBLEM_STANDARD_INPUT - 1) == 0) {
        snprintf(
            out, ARGUMENT, "/proc/%d/fd/%s", (int)getpid(),
            path + sizeof PROBLEM_STANDARD_INPUT - 1);
    } else {
        snprintf(
            out, ARGUMENT, "%s%s%s", path[0] == '-' ? "./" : "", path,
            folder && path[length - 1] != '/' ? "/" : "");
    }
}

// What the person asked for, as arguments KEY=VALUE. `text` has memory for them.
static void reader_process_keys(
    const struct volume_params *params, char (*text)[ARGUMENT], const char **arguments)
{
    const struct pick *pick = &params->pick;
    const struct {
        const char *key, *value;
        uint32_t number;
    } keys[] = {
        { "array", pick->array, 0 },
        { "time", NULL, pick->time },
        { "channel", NULL, pick->channel },
        { "level", NULL, pick->level },
        { "gaps", params->gaps ? params->gaps == GAPS_BLANK ? "blank" : "resample" : NULL, 0 },
        { "axis-index", params->axis_index, 0 },
    };
    static_assert(sizeof keys / sizeof *keys <= ARGUMENTS, "memory for the arguments");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].value) {
            snprintf(*text, ARGUMENT, "%s=%s", keys[i].key, keys[i].value);
        } else if (keys[i].number > 0) {
            snprintf(*text, ARGUMENT, "%s=%u", keys[i].key, keys[i].number - 1);
        } else {
            continue;
        }
        *arguments++ = *text++;
    }
}

static bool reader_process_start(
    const char *program, const char *name, const char *path, const struct volume_params *params,
    struct volume_file *out, struct problem *problem)
{
    char who[PROCESS_WHO], asked[ARGUMENT], text[ARGUMENTS][ARGUMENT];
    const char *arguments[ARGUMENTS + 3] = { program, asked };
    const char *line;
    size_t length;
    struct reader_process *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return problem_no_memory(problem, "reading", path);
    }
    reader->path = path;
    out->process = true;
    reader_process_path(path, asked);
    reader_process_keys(params, text, arguments + 2);
    snprintf(who, sizeof who, "'%s': the %s reader", path, name);
    reader->process = process_start(arguments, path, who, problem);
    if (!reader->process || !process_line(reader->process, READER_LINE, &line, &length, problem) ||
        !reader_answer_parse(
            line, length, path, asked, who, params, out, &reader->answer, problem)) {
        reader_process_close(reader);
        return false;
    }
    if (reader->answer.version[0]) {
        snprintf(who, sizeof who, "'%s': the %s reader (%s)", path, name, reader->answer.version);
        process_rename(reader->process, who);
    }
    return reader_process_slices(reader, params, out, problem);
}

bool reader_process_open(
    const struct reader *row, const char *path, const struct volume_params *params,
    struct volume_file *out, struct problem *problem)
{
    char program[PATH_MAX];
    struct stat there;
    if (!reader_process_find(row->process, program)) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' is %s %s %s; apt install cubist-formats", path,
            row->name[0] == 'H' ? "an" : "a", row->name,
            stat(path, &there) == 0 && S_ISDIR(there.st_mode) ? "series" : "file");
    }
    return reader_process_start(program, row->name, path, params, out, problem);
}

// ---- readers that the user has added ----

static int reader_process_added(const struct dirent *entry)
{
    bool known = strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0;
    for (size_t i = 0; i < reader_count && !known; i++) {
        known =
            readers[i].process && strcmp(entry->d_name + strlen(PREFIX), readers[i].process) == 0;
    }
    return !known;
}

// Asks a reader whether it takes the file. A reader that fails does not.
static bool reader_process_takes(
    const struct file_head *head, const char *program, struct reader_formats *formats)
{
    const char *const arguments[] = { program, "--formats", NULL };
    struct process *process = process_start(arguments, head->path, program, NULL);
    const char *line;
    size_t length;
    const bool fine = process && process_line(process, 1 << 16, &line, &length, NULL) &&
                      reader_formats_parse(line, length, head, formats);
    process_end(process);
    return fine && formats->matches;
}

bool reader_process_open_added(
    const struct file_head *head, const struct volume_params *params, struct volume_file *out,
    bool *fine, struct problem *problem)
{
    char folder[PATH_MAX], program[PATH_MAX];
    struct reader_formats formats;
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) {
        struct dirent **entries = NULL;
        reader_process_folder(i, folder);
        const int count = scandir(folder, &entries, reader_process_added, alphasort);
        for (int k = 0; k < count; k++) {
            found =
                found || (snprintf(program, sizeof program, "%s/%s", folder, entries[k]->d_name) <
                              PATH_MAX &&
                          reader_process_takes(head, program, &formats));
            free(entries[k]);
        }
        free(entries);
    }
    *fine = found && reader_process_start(program, formats.name, head->path, params, out, problem);
    return found;
}
