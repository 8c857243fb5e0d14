// The document: the volume that is open, the surfaces made of it, and what is known of them. It
// needs a device, but neither window nor user interface.
#pragma once

#include "app/picture/placement.h"
#include "app/viewer/loader.h"
#include "compute/extraction/slabs.h"

// Surfaces on the device that together are one.
struct document_surfaces {
    struct surface *list;
    uint32_t count;
};

// A volume that is worked on slab by slab, because the device has no room for all of it at once, or
// for its surface beside it.
struct document_slabs {
    struct slabs *slabs; // NULL: it is not
    struct volume_file file;
    struct slice_range *ranges;
    struct atlas_source source;
    bool several;                   // slabs, even where one has room for the samples
    struct document_surfaces shown; // the last whole surface; nothing while `blind`
    bool blind;                     // there was no room for it and the next one: its picture stays
    struct slabs_result result;     // what it came to
};

// Stays where it was allocated: the extraction knows the atlas by address.
struct document {
    char *path;           // NULL: the generated volume
    const char *name;     // the path's last part, for people
    struct volume volume; // with samples only where slabs may need them and no file has them
    struct volume_facts facts;
    struct placement placement;
    struct atlas atlas;
    struct extraction *extraction;
    struct document_slabs in;
    struct surface surfaces[2];
    uint32_t shown;   // which of them is to be seen
    uint64_t reserve; // that the device kept for the picture when there was room for the volume
    bool knows_times; // the extraction goes by measured times where the method is `auto`
    bool has_result;  // the shown one is whole, and this is what it came to
    struct extraction_result result;
    struct {
        double ms; // that compaction last took with this method; 0: not known yet
        double iso;
        bool tried; // once: the first step of a method may be slow, and does not count,
        bool again; // and once more: by a step that does
    } took[METHODS_MOST];
};

// Takes over what was loaded from `path` (NULL: generated). Nothing is on the device yet, and
// `placement` is the caller's to fill. NULL with PROBLEM_HOST_MEMORY.
struct document *document_create(const char *path, struct loaded *loaded, struct problem *problem);
void document_destroy(struct gpu *gpu, struct document *document); // takes NULL

// The whole volume to the device. `keep_samples`: the way back to them stays; else they are on the
// device alone from now on.
bool document_upload(
    struct gpu *gpu, struct document *document, const struct progress *progress, bool keep_samples,
    struct problem *problem);

// NULL: the method can make every surface of this volume; otherwise why not, for people.
const char *
document_refuses(const struct document *document, const struct gpu *gpu, const struct method *);

// What is shown, to be drawn: *further more surfaces stand behind the first. NULL: nothing.
const struct surface *document_shown(const struct document *document, uint32_t *further);

// A whole surface has been made, and is the one that is shown: keeps what compaction took of it.
// True where the step should be made once more for that time's sake: it was the method's first.
bool document_remember_time(struct document *document);

// Whether a step by the method is made in full, for its time's sake, where less would do.
bool document_is_to_be_timed(
    const struct document *document, const struct gpu *gpu, const struct extraction_step *step);
void document_forget_times(struct document *document);

// Makes room on the device. False: there was nothing of it.
bool document_give_up_shown(struct gpu *gpu, struct document *document); // its picture stays
bool document_give_up_hidden(struct gpu *gpu, struct document *document);

// Gives back all that is on the device, but for slabs that are the whole of it; what is shown goes
// to in.shown.
bool document_strip(struct gpu *gpu, struct document *document);

void document_surfaces_destroy(struct gpu *gpu, struct document_surfaces *surfaces);
