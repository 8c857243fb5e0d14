// What a file holds: its arrays, and the time steps, channels and levels of the one that is read.
#pragma once

#include "volumes/volume.h"

#define CONTENTS_AXES 6 // of an array, at most; more are multiplied into the last

struct contents_axis {
    char name[16]; // "x", "time"
    char unit[24]; // "um"; "": none is stated
    uint64_t size;
    double spacing; // 0: none is stated
};

struct contents_array {
    char *path;    // its name; "": it has none
    char type[24]; // of the samples, in the words of the program or of the file
    size_t axes;
    struct contents_axis axis[CONTENTS_AXES]; // the fastest first
    uint64_t levels;                          // resolutions; at least 1
};

enum contents_choice { CONTENTS_TIME, CONTENTS_CHANNEL, CONTENTS_LEVEL, CONTENTS_CHOICES };

// Zero-initialised means that nothing is known. Release with contents_free.
struct contents {
    struct contents_array *arrays;
    size_t count, chosen; // arrays; index of the one that is read
    char unit[12];        // of all lengths, if the reader leaves the arrays out; "": none is stated
    // About the chosen array: how many time steps, channels and levels there are, and which is
    // read, from 0. A count of 0 or 1: it has no such axis.
    struct {
        uint64_t count, at;
    } choice[CONTENTS_CHOICES];
    bool stretched; // see contents_stretch
};

void contents_free(struct contents *contents);

// Adds an array without axes. `path` is copied. NULL with a problem where memory is short.
struct contents_array *contents_add(
    struct contents *contents, const char *path, const char *type, const char *file,
    struct problem *problem);

// Adds an axis, if it has more than one sample. `unit` may be NULL.
void contents_add_axis(
    struct contents_array *array, const char *name, uint64_t size, double spacing,
    const char *unit);

// Chooses the array with the name `wanted`. If `wanted` is NULL, chooses the array with the index
// `otherwise`, and warns if there are several. `more`: the file has arrays that are not in the
// list. PROBLEM_INPUT if no array has the name.
bool contents_select(
    struct contents *contents, const char *wanted, size_t otherwise, bool more, const char *file,
    struct problem *problem);

// Notes how many there are of the choice (0 is taken for 1), and which one `pick` selects: *at, the
// first one by default. PROBLEM_USAGE where there are fewer. `file` is for the message.
bool contents_choose(
    struct contents *contents, enum contents_choice choice, uint64_t count, const struct pick *pick,
    const char *file, uint64_t *at, struct problem *problem);

// "time", "channel", "level": the option, and the name of the axis.
const char *contents_word(enum contents_choice choice);

// Whether `pick` selects one of the choice.
bool contents_asked(const struct pick *pick, enum contents_choice choice);

// Completes what a reader has left out: a file with one volume needs to say nothing. Warns of a
// pick that names what the file does not have.
bool contents_complete(
    struct contents *contents, const struct volume *volume, const struct pick *pick,
    const char *file, struct problem *problem);

// Notes in contents->stretched whether the volume, with the spacing of the file, has two axes whose
// lengths differ by more than a factor of 50 only because their units differ. `tells`: prints it.
void contents_stretch(
    struct contents *contents, const struct volume *volume, const char *file, bool tells);

// Whether there is nothing to choose: one array without a choice.
bool contents_plain(const struct contents *contents);
