// How the program reacts to signals.
#pragma once

// Ctrl-C (and a request to end) sets `interrupted`: waits, readers and writers see it, clean up and
// return PROBLEM_INTERRUPTED. A second signal unlinks unfinished files and ends the program at
// once. A closed pipe and a file-size limit become errors of write() instead of ending the program.
// It is called before main, too (see signals.c).
void signals_install(void);
