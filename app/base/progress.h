// Progress for people at a terminal, and the one way to cancel long work.
#pragma once

#include "volumes/base/clock.h"
#include "volumes/volume.h"

// A line on stderr that counts up. It appears only where stderr is a terminal that can erase it,
// the work takes over half a second, --quiet was not given, and this is the first rank. The work is
// cancelled when `interrupted` is set, or another rank has failed. The meter must outlive the
// progress.
struct progress_meter {
    const char *label; // "reading"
    double started;    // clock_ms
    bool shows;        // stderr can show the line
    int shown;         // percent on the line now; 0: no line
    double shown_at;   // when the line was last written, clock_ms
    uint64_t bytes; // of the whole work, for the rate; set after progress_to_terminal; 0: no rate
};
struct progress progress_to_terminal(struct progress_meter *meter, const char *label);

// Removes the line if there is one.
void progress_end(struct progress_meter *meter);

// False with PROBLEM_INTERRUPTED when `interrupted` is set, or another rank has failed. Call it
// between the steps of a command.
bool progress_go_on(struct problem *problem);
