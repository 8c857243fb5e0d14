// Progress for people at a terminal, and the one way to cancel long work.
#pragma once

#include "volumes/base/clock.h"
#include "volumes/volume.h"

// A line on stderr that counts up, only where stderr is a terminal that can erase it, the work
// takes over half a second, and nobody asked for quiet. The work is cancelled once interrupted
// is set. Keep the meter as long as the progress.
struct progress_meter {
    const char *label; // "reading"
    double started;    // clock_ms
    bool shows;        // stderr is such a terminal
    int shown;         // percent on the line now; 0: no line
    double shown_at;   // when it was last written
    uint64_t bytes;    // of the whole work, set once the meter is made: for a rate; 0: none
};
struct progress progress_to_terminal(struct progress_meter *meter, const char *label);

// Removes the line where there is one.
void progress_end(struct progress_meter *meter);

// PROBLEM_INTERRUPTED once interrupted is set. Between the steps of a command.
bool progress_go_on(struct problem *problem);
