// Notes errors of the X server where GLFW uses X11. By default Xlib ends the process at any error.
// Another program can cause one: it asks for the clipboard, or drags a file onto the window, and
// ends before the answer comes.
//
// The functions of Xlib, and those of GLFW for X11, are looked up in the loaded libraries. So
// cubist is not linked with Xlib, and does not need it where GLFW was built for Wayland.
#pragma once

#include <stdint.h>

// From here on errors are noted. `handle` is GLFW's window. Nothing happens where GLFW does not use
// X11.
void x11_begin(void *handle);

// Sets the error handler again. Call it before each wait for events: some versions of GLFW set
// Xlib's own handler after a call in which they expect errors.
void x11_renew(void);

// Number of errors about other programs' windows, or about a request that had no effect.
uint64_t x11_passed_over(void);

// NULL while the window exists, as far as is known. Otherwise says why it is gone: a sentence
// without a period. After the server is gone, call only those functions of GLFW and Xlib that
// collect events.
const char *x11_lost(void);
