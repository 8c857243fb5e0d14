// How the program reacts to signals.
#pragma once

// Ctrl-C, SIGTERM and SIGHUP set `interrupted`: waits, readers and writers see it, clean up and
// return PROBLEM_INTERRUPTED. A second signal unlinks unfinished files and ends the program at
// once. A closed pipe and a file-size limit become errors of write() instead of ending the program.
// This function also runs once before main (see signals.c).
void signals_install(void);
