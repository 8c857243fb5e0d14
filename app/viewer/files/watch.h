// --watch: whether the files of the open volume have changed, and are complete. A pure function of
// their stamps and the time.
#pragma once

#include "volumes/formats/source.h"

// Zero-initialised: no files. Release with watch_end.
struct watch {
    struct source_files files; // with the stamps that they had when they were read
    struct source_stamp *last; // stamps of the files at the last look
    double since;              // since when `last` has not changed; 0: the files are as read
    double looked;             // when the last look was
};

// Watches these files from now on. Takes over the list. Without memory nothing is watched.
void watch_begin(struct watch *watch, struct source_files *files);
void watch_end(struct watch *watch);

// Whether it is time to look at the files: a few times a second.
bool watch_is_due(const struct watch *watch, double now);

// `stamps`: the present stamp of each file; zero: there is no such file. Returns true once when a
// file has changed and all files have stayed the same for 0.3 s: then they can be read.
bool watch_look(struct watch *watch, const struct source_stamp *stamps, double now);

// Reads the present stamps of the files and calls watch_look.
bool watch_poll(struct watch *watch, double now);
