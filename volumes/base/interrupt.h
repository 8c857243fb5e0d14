// Whether the program was asked to end: by Ctrl-C, SIGTERM or SIGHUP.
#pragma once

#include <stdatomic.h>

// A signal handler sets it, once and for all. Loops over input ask for it through input_go_on
// (input.h); other long work asks for it itself.
extern atomic_int interrupted;
