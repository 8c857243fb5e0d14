// What the description of a TIFF file's first page says about its pages: how many channels, slices
// and time steps there are, in which order, and how far the samples are apart. ImageJ writes lines
// "key=value", OME writes XML. Needs no libtiff.
#pragma once

#include "volumes/formats/contents.h"

#include <stdint.h>

#define TIFF_NAME_MOST  1024     // bytes of a file's name that OME states, with the 0 at its end
#define TIFF_MOST_PAGES 1000000u // pages that a description may claim

struct tiff_description {
    bool imagej, ome; // who wrote it; neither: nothing below is said
    // 0: not stated. `images` is ImageJ's count of all pages.
    uint32_t images, channels, slices, frames;
    char order[4]; // "czt": the channel differs from page to page, the time step slowest; "":
                   // unknown
    // Distances between samples, without units; 0: not stated. ImageJ states only the last one
    // here. The others follow from the resolution of a page, which is samples per unit.
    double spacing[3];
    // A distance along x, y, z times `times`, divided by `over`, is in the unit of x: 500 nm are
    // 500 * 1 / 1000 um. Two numbers, because 1/1000 would be rounded.
    struct {
        double times, over;
    } unit[3];
    char unit_of_x[12];  // in the words of the program, "um"; "": not stated, or unknown
    char odd_units[100]; // "x is in 'nm' and z in 'frames'": not comparable, used as they are
    bool in_pixels;      // ImageJ's resolution does not state a distance
    bool scattered;      // OME says that its pages are in another order than `order`
    bool spread;         // OME says that its pages are in several files
    char uuid[64];       // OME's name for the file of the text; "": not stated
    // OME: the file whose text says what the pages are, and its UUID; "": this text does.
    char metadata[TIFF_NAME_MOST], metadata_uuid[64];
};

// Reads a description, which may be any text or NULL. It takes time in proportion to the text.
void tiff_describe(const char *text, struct tiff_description *out);

// The pages that are the slices of a volume: `first`, first + step, ..., `count` of them.
struct tiff_pages {
    uint64_t first, step;
    uint32_t count;
};

// Selects the pages of the channel and the time step that `pick` asks for, and notes in `contents`
// how many there are. `images`: the pages that there are. PROBLEM_INPUT where the description and
// the pages do not agree; `path` is for its message. PROBLEM_USAGE as from contents_choose.
bool tiff_describe_slices(
    const struct tiff_description *description, const char *path, uint64_t images,
    const struct pick *pick, struct contents *contents, struct tiff_pages *out,
    struct problem *problem);

// Pages of one file that follow each other in the order of dimensions, by OME's elements TiffData.
struct tiff_run {
    uint64_t first, count; // planes, counted in that order; `count` ends before the next run
    uint32_t page;         // the page of the first one, from 0
    bool paged;            // `page` is stated
    // Parts of the text. The file's name: see tiff_run_name; empty: the file of the text. Its UUID.
    const char *name, *uuid;
    size_t name_length, uuid_length;
};

// The runs, sorted by their names. The caller frees `at`, also after false.
struct tiff_runs {
    struct tiff_run *at;
    size_t count;
};

// Describes the image to which the file of this UUID belongs, as tiff_describe does, and finds its
// runs, which point into `text`. False where memory is short.
bool tiff_describe_runs(
    const char *text, const char *uuid, struct tiff_description *out, struct tiff_runs *runs);

// 0 where both are of files of the same name. Otherwise, and for qsort, their order.
int tiff_run_by_name(const void *a, const void *b);

void tiff_run_name(const struct tiff_run *run, char out[TIFF_NAME_MOST]);
