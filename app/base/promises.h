// What a compaction method promises, in words, for the list of methods, the man page and the panel.
#pragma once

#include "compute/compaction/compaction.h"

// One word for the order of the kept elements: "stable", "fixed", "blocks" or "differs".
const char *promises_order(const struct method *method);

// Lines that explain these words and the other columns of the list of methods.
extern const char promises_columns[];

// "device" or "CPU".
const char *promises_place(const struct method *method);

// All promises, as "stable; in place; at most 1000 elements".
struct promises {
    char text[256];
};
struct promises promises_of(const struct method *method);
