// Errors of the X server, where GLFW uses X11. By default Xlib ends the process at any error, also
// at one that another program causes: it asks for the clipboard, or drags a file onto the window,
// and has ended before the answer comes. With this the errors are only noted.
//
// Xlib and GLFW's functions for X11 are looked up in what the process has loaded, so cubist is not
// linked with Xlib, and needs none where GLFW was built for Wayland.
#pragma once

#include <stdint.h>

// From here on errors are noted. `handle` is GLFW's window. Nothing happens where GLFW does not use
// X11.
void x11_begin(void *handle);

// The same again, before each wait for events. Some versions of GLFW set Xlib's own handler after a
// call in which they expect errors.
void x11_renew(void);

// Errors that were about other programs' windows, or about a request that came to nothing.
uint64_t x11_passed_over(void);

// Why the window is no longer there, as a sentence without a period; NULL: it is, as far as is
// known. Once the server is gone, no function of GLFW or Xlib may be called any more but those that
// collect events.
const char *x11_lost(void);
