#include "volumes/readers/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

static FILE *protocol_out;
static char **protocol_arguments; // KEY=VALUE, up to NULL

const char *const protocol_choices[3] = { "time", "channel", "level" };

static const char *const protocol_keys[] = { "array", "time", "channel",
                                             "level", "gaps", "axis-index" };

// Where the argument has this key, its value; else NULL.
static const char *protocol_match(const char *argument, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(argument, key, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                          : NULL;
}

const char *protocol_begin(int argc, char **argv, const char *formats)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 }); // what a file holds is not left behind
    // A library may print on stdout, which would break the protocol.
    const int out = dup(STDOUT_FILENO);
    protocol_out = out < 0 ? NULL : fdopen(out, "w");
    if (!protocol_out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        exit(1);
    }
    if (argc == 2 && strcmp(argv[1], "--formats") == 0) {
        fprintf(protocol_out, "%s\n", formats);
        exit(fflush(protocol_out) ? 1 : 0);
    }
    if (argc < 2) {
        protocol_refuse("usage", "usage: %s PATH [KEY=VALUE...]", argv[0]);
    }
    protocol_arguments = argv + 2;
    for (char **each = protocol_arguments; *each; each++) {
        size_t i = 0;
        while (i < sizeof protocol_keys / sizeof *protocol_keys &&
               !protocol_match(*each, protocol_keys[i])) {
            i++;
        }
        if (i == sizeof protocol_keys / sizeof *protocol_keys) {
            protocol_refuse("usage", "the reader does not know '%s'", *each);
        }
    }
    return argv[1];
}

const char *protocol_value(const char *key)
{
    for (char **each = protocol_arguments; *each; each++) {
        const char *value = protocol_match(*each, key);
        if (value) {
            return value;
        }
    }
    return NULL;
}

uint64_t protocol_select(const char *key, uint64_t count)
{
    const char *text = protocol_value(key);
    if (!text) {
        return 0;
    }
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno) {
        protocol_refuse("usage", "%s=%s is not a number", key, text);
    }
    if (value >= count) {
        protocol_refuse(
            "usage", "--%s %s is not one of 0 to %" PRIu64, key, text, count ? count - 1 : 0);
    }
    return value;
}

// Prints on one line, and releases.
static void protocol_print(json_t *answer)
{
    if (!answer || json_dumpf(answer, protocol_out, JSON_COMPACT) || putc('\n', protocol_out) < 0 ||
        fflush(protocol_out)) {
        exit(1); // out of memory, or nobody listens
    }
    json_decref(answer);
}

static char protocol_others[400]; // arrays, in words that end a refusal

void protocol_other_array(const char *path)
{
    const size_t length = strlen(protocol_others), room = sizeof protocol_others - length;
    const char *before = length ? ", " : "; --array NAME reads another: ";
    if (!protocol_value("array") &&
        snprintf(protocol_others + length, room, "%s'%s'", before, path) >= (int)room) {
        protocol_others[length] = 0;
    }
}

void protocol_refuse(const char *kind, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strcmp(kind, "usage") != 0) {
        strncat(text, protocol_others, sizeof text - strlen(text) - 1);
    }
    protocol_print(
        json_pack("{s:i, s:o, s:s}", "cubist", 1, "error", protocol_text(text), "kind", kind));
    exit(0);
}

static void protocol_give_up(int number)
{
    static const char line[] =
        "{\"cubist\":1,\"error\":\"it is malformed: its description does not "
        "come to an end\",\"kind\":\"input\"}\n";
    (void)number;
    _exit(write(fileno(protocol_out), line, sizeof line - 1) < 0);
}

void protocol_limit(unsigned seconds)
{
    const struct itimerval timer = { .it_value.tv_sec = seconds };
    signal(SIGVTALRM, protocol_give_up);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

json_t *protocol_text(const char *bytes)
{
    json_t *text = json_string(bytes);
    if (text) {
        return text;
    }
    char *copy = strdup(bytes);
    for (char *at = copy; at && *at; at++) {
        if ((unsigned char)*at >= 0x80) {
            *at = '?';
        }
    }
    text = copy ? json_string(copy) : NULL;
    free(copy);
    return text;
}

void protocol_add_file(json_t *files, const char *path, const struct stat *seen)
{
    struct stat state;
    if (seen) {
        state = *seen;
    } else if (stat(path, &state) < 0) {
        protocol_refuse("input", "cannot open '%s': %s", path, strerror(errno));
    }
    json_t *file = json_pack(
        "{s:s, s:I, s:[I, I]}", "path", path, "size", (json_int_t)state.st_size, "time",
        (json_int_t)state.st_mtim.tv_sec, (json_int_t)state.st_mtim.tv_nsec);
    if (!file) {
        protocol_refuse("input", "the name '%s' is not UTF-8: rename the file or folder", path);
    }
    json_array_append_new(files, file);
}

void protocol_answer(
    const struct protocol_facts *facts, json_t *arrays, json_t *files, json_t *remarks)
{
    json_t *choices = json_object();
    const double(*steps)[3] = facts->steps, *origin = facts->origin;
    static const uint64_t one[3] = { 1, 1, 1 };
    const uint64_t *size = facts->size, *granule = facts->granule[0] ? facts->granule : one;
    for (int i = 0; i < 3; i++) {
        const json_int_t count = (json_int_t)facts->choice[i].count;
        if (count > 0) {
            json_object_set_new(
                choices, protocol_choices[i],
                json_pack("{s:I, s:I}", "count", count, "at", (json_int_t)facts->choice[i].at));
        }
    }
    json_t *answer = json_pack(
        "{s:i, s:s, s:s, s:s*, s:[III], s:[III], s:[[fff][fff][fff]], s:[fff], s:b, s:I, s:o, s:o, "
        "s:o, s:o*, s:s*}",
        "cubist", 1, "reader", facts->reader, "type", facts->type, "space", facts->space, "size",
        size[0], size[1], size[2], "granule", granule[0], granule[1], granule[2], "steps",
        steps[0][0], steps[0][1], steps[0][2], steps[1][0], steps[1][1], steps[1][2], steps[2][0],
        steps[2][1], steps[2][2], "origin", origin[0], origin[1], origin[2], "seekable", 1,
        "chosen", (json_int_t)facts->chosen, "arrays", arrays, "choices", choices, "files", files,
        "remarks", remarks, "flat", facts->flat);
    if (!answer) { // JSON has no NaN
        protocol_refuse("input", "the positions of its samples are not finite");
    }
    protocol_print(answer);
}

// A buffer for one block, which grows and is used again. NULL: out of memory.
static void *protocol_buffer(const uint64_t box[3][2], size_t sample_bytes, uint64_t *bytes)
{
    static void *buffer;
    static uint64_t room;
    *bytes = sample_bytes;
    for (int i = 0; i < 3; i++) {
        if (__builtin_mul_overflow(*bytes, box[i][1] - box[i][0], bytes)) {
            return NULL;
        }
    }
    if (*bytes > room) {
        free(buffer);
        buffer = malloc(*bytes);
        room = buffer ? *bytes : 0;
    }
    return buffer;
}

// Sends one block, or says why not. False: nobody listens.
static bool
protocol_send(const uint64_t box[3][2], size_t sample_bytes, protocol_block *block, void *context)
{
    char error[512] = "out of memory";
    uint64_t bytes;
    void *samples = protocol_buffer(box, sample_bytes, &bytes);
    if (samples && block(context, box, samples, error, sizeof error)) {
        return fprintf(protocol_out, "ok %" PRIu64 "\n", bytes) > 0 &&
               fwrite(samples, 1, bytes, protocol_out) == bytes && fflush(protocol_out) == 0;
    }
    for (char *at = error; *at; at++) {
        *at = *at == '\n' || *at == '\r' ? ' ' : *at; // it is one line
    }
    return fprintf(protocol_out, "error %s\n", error) > 0 && fflush(protocol_out) == 0;
}

int protocol_serve(
    const uint64_t size[3], size_t sample_bytes, protocol_block *block, void *context)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        uint64_t box[3][2];
        int end = 0;
        bool fits =
            sscanf(
                line,
                "block %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n",
                &box[0][0], &box[0][1], &box[1][0], &box[1][1], &box[2][0], &box[2][1],
                &end) == 6 &&
            line[end] == '\n';
        for (int i = 0; fits && i < 3; i++) {
            fits = box[i][0] < box[i][1] && box[i][1] <= size[i];
        }
        if (!fits) {
            if (fprintf(protocol_out, "error the reader does not know this request\n") < 0 ||
                fflush(protocol_out)) {
                return 1;
            }
        } else if (!protocol_send(box, sample_bytes, block, context)) {
            return 1;
        }
    }
    return 0;
}
