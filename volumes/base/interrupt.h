// Whether Ctrl-C, SIGTERM or SIGHUP has asked the program to end.
#pragma once

#include <stdatomic.h>

// Set by a signal handler and never cleared. Loops over input read it through input_go_on
// (input.h); other long work reads it directly.
extern atomic_int interrupted;
