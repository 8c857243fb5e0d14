// The document: the volume that is open, its parts, the surfaces made of it, and what is known of
// them. It needs a device, but neither window nor user interface.
//
// Where the device has room for the volume as one part, frames record its steps, and two surfaces
// take turns. Else the surface is made part by part between frames, and is a list.
#pragma once

#include "app/picture/placement.h"
#include "app/viewer/loader.h"
#include "compute/extraction/parts.h"

// Surfaces on the device that together are one.
struct document_surfaces {
    struct surface *list;
    uint32_t count;
};

// Stays where it was allocated: the budget knows it by address.
struct document {
    struct gpu *gpu;
    char *path;           // NULL: the generated volume
    const char *name;     // the path's last part, for people
    struct volume volume; // with samples only where parts may need them and no file has them
    struct volume_facts facts;
    struct placement placement;
    struct volume_file file; // closed where the samples are not read from it
    struct slice_range *ranges;
    struct parts *parts;
    uint64_t reserve; // that the device kept for the picture when there was room for the volume
    bool uses_times;  // the whole one's extraction goes by measured times

    bool has_result; // what is shown is whole, and this is what it came to
    struct extraction_result result;
    struct surface surfaces[2]; // by frames: which of them
    uint32_t shown;             // is to be seen
    bool in_parts;              // or this list is, made part by part
    struct document_surfaces list;
    struct extract_totals totals; // what making it came to
    bool only_picture;            // there was no room for it: only its picture is left

    struct {
        double ms; // that compaction last took with this method; 0: not known yet
        double iso;
        bool warm;  // once: the first step of a method may be slow, and does not count,
        bool again; // and once more: by a step that does
    } took[METHODS_MOST];
};

// Takes over what was loaded from `path` (NULL: generated). Nothing is on the device yet, and
// `placement` is the caller's to fill. NULL with PROBLEM_HOST_MEMORY. What it holds on the device
// it offers to budget_give_up.
struct document *
document_create(struct gpu *gpu, const char *path, struct loaded *loaded, struct problem *problem);
void document_destroy(struct document *document); // takes NULL; no extraction may be under way

// How the volume is cut into parts: by the budget, and the times that `auto` goes by (may be NULL;
// they must outlive the document).
struct parts_params document_parts_params(const struct document *document, const struct times *);

// The parts, in place of those before.
bool document_open_parts(
    struct document *document, const struct parts_params *params, struct problem *problem);

// The extraction that frames record steps of: of the volume as one part that is on the device. Else
// NULL.
struct extraction *document_whole(const struct document *document);

// From here on the samples are on the device alone.
void document_forget_samples(struct document *document);

// Instead of by frames, the surface is made part by part from now on; what is shown becomes the
// list. False: the host has no memory for it.
bool document_strip(struct document *document);

// NULL: the method can make every surface of this volume; otherwise why not, for people.
// `document` may be NULL.
const char *document_refuses(
    const struct document *document, const struct gpu *gpu, const struct method *method);

// What is shown, to be drawn: *further more surfaces stand behind the first. NULL: nothing.
const struct surface *document_shown(const struct document *document, uint32_t *further);

// A list of surfaces takes the place of what is shown; it is taken over.
void document_show(
    struct document *document, struct document_surfaces *list,
    const struct extraction_result *result, const struct extract_totals *totals);

// A new surface is whole and shown: keeps what compaction took of it. True where the step should be
// made once more for that time's sake: it was the method's first.
bool document_remember_time(struct document *document);

// Whether a step by the method is made in full, for its time's sake, where less would do.
bool document_is_to_be_timed(const struct document *document, const struct extraction_step *step);
void document_forget_times(struct document *document);

void document_surfaces_destroy(struct gpu *gpu, struct document_surfaces *surfaces);
