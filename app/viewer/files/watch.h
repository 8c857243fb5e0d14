// --watch: whether the files of the open volume have changed, and are complete. A pure function of
// their stamps and the time.
#pragma once

#include "volumes/formats/source.h"

// Zero-initialised: no files. Release with watch_end.
struct watch {
    struct source_files files; // with the stamps that they had when they were read
    struct source_stamp *last; // of each, when they were looked at last
    double since;              // since when those have been the same; 0: the files are as read
    double looked;             // when they were looked at last
};

// From now on these files are watched. Takes over the list; without memory nothing is watched.
void watch_begin(struct watch *watch, struct source_files *files);
void watch_end(struct watch *watch);

// Whether it is time to look at the files: a few times a second.
bool watch_is_due(const struct watch *watch, double now);

// `stamps`: of each file, now; zero where there is none. True, once, if a file has changed and all
// have been still for 0.3 s: then they can be read.
bool watch_look(struct watch *watch, const struct source_stamp *stamps, double now);

// The same with the stamps that the files have now.
bool watch_poll(struct watch *watch, double now);
