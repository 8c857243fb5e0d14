// OME's text may spread the pages of a volume over files that it names, or name the file that has
// the text. Then the index has the slices of the volume, in whichever file they are, and reading
// turns to the file of each. Only where cubist is built with libtiff.
#pragma once

#include "volumes/formats/readers.h"
#include "volumes/formats/tiff_pages.h"

// An open file of many pages, or an OME set of files.
struct tiff_stack {
    const char *path; // of the file that was opened; borrowed
    struct source source;
    struct tiff tiff; // reads from `source`
    struct tiff_page page;
    struct tiff_index index;
    struct tiff_pages slices;
    bool bare; // the samples of all pages follow each other, from page.plain_at on
    double spacing[3];
    // An OME set: the files with slices, and the one that is `source`. The index has the slices
    // alone.
    struct source_files files;
    uint32_t file;
    struct tiff_description said;
};

// Finds the files of an OME set, and where in them the slices are. PROBLEM_INPUT.
bool tiff_set_probe(
    struct tiff_stack *stack, const struct volume_params *params, struct contents *contents,
    struct problem *problem);

// Turns to the file of a slice. PROBLEM_INPUT.
bool tiff_stack_turn(
    struct tiff_stack *stack, const struct tiff_place *place, struct problem *problem);
