// The side of a reader process that all readers share: the arguments, the answer, the requests.
// A reader is a program of its own; README.md has the protocol. C and C++ may include this.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

// Call it first in main. `formats` is the JSON line that --formats prints. Keeps stdout for the
// protocol: what a library prints goes to stderr. Returns the path to open. Ends the process for
// --formats, and for arguments that are wrong.
const char *protocol_begin(int argc, char **argv, const char *formats);

// From now on the process may use so many seconds of CPU time, or it refuses the input: a library
// may never come to an end with a damaged file. 0: no limit.
void protocol_limit(unsigned seconds);

// The value of an argument KEY=VALUE; NULL where it is not given.
const char *protocol_value(const char *key);

// The value of "time", "channel" or "level" as a number; 0 where it is not given. Refuses, as
// usage, what is no number or not below `count`.
uint64_t protocol_select(const char *key, uint64_t count);

// Tells why nothing is opened, and ends the process. `kind` is "input", "usage" or "unsupported",
// or the key that would let it be opened, "gaps" or "axis-index".
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
__attribute__((format(printf, 2, 3))) void
protocol_refuse(const char *kind, const char *format, ...);

// Adds an array that could be read in place of the chosen one. A refusal that follows lists them,
// unless the key "array" is given.
void protocol_other_array(const char *path);

// A JSON text of bytes that may be anything: those that are not UTF-8 become "?".
json_t *protocol_text(const char *bytes);

// Appends a file that is read to the array `files`, with its size and time: those of `seen`, or of
// now where that is NULL. Refuses, as input, a file that is not there or whose path is not UTF-8.
void protocol_add_file(json_t *files, const char *path, const struct stat *seen);

extern const char *const protocol_choices[3]; // "time", "channel", "level"

// The facts of a volume, as README.md of volumes/formats has them.
struct protocol_facts {
    const char *reader, *type;
    const char *space; // NULL: none
    uint64_t size[3];
    uint64_t granule[3]; // 0: 1
    double steps[3][3], origin[3];
    size_t chosen;
    struct {
        uint64_t count, at; // a count of 0 is none
    } choice[3];            // of protocol_choices
    const char *flat;       // NULL: none
};

// Prints the answer, whose arrays these are, on one line, and releases them. Refuses, as input,
// steps that are not finite.
void protocol_answer(
    const struct protocol_facts *facts, json_t *arrays, json_t *files, json_t *remarks);

// Writes the samples of the box into `out`, x fastest. box[axis] is {first, end}, and lies within
// the size. On false `error` (of `room` bytes) says why, in one line.
typedef bool
protocol_block(void *context, const uint64_t box[3][2], void *out, char *error, size_t room);

// Answers requests until the end of input: 0 for main.
int protocol_serve(
    const uint64_t size[3], size_t sample_bytes, protocol_block *block, void *context);

#ifdef __cplusplus
}
#endif
