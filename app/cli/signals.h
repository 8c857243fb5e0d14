// What the program does about signals.
#pragma once

// Ctrl-C (and a request to end) sets interrupted: waits, readers and writers see it, clean up
// and return PROBLEM_INTERRUPTED. A second one unlinks unfinished files and ends the program at
// once. A closed pipe and a file-size limit become errors of write() instead of deaths.
void signals_install(void);
