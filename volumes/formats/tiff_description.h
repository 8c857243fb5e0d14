// What the description of a TIFF file's first page says about its pages: how many channels, slices
// and time steps there are, in which order, and how far the samples are apart. ImageJ writes lines
// "key=value", OME writes XML. Needs no libtiff.
#pragma once

#include "volumes/formats/contents.h"

#include <stdint.h>

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
    char metadata[1024], metadata_uuid[64];
};

// Reads a description, which may be any text or NULL. It takes time in proportion to the text.
// `uuid`: of the file whose image is described; NULL: of the one that holds the text. Returns OME's
// element Pixels of this image, a part of `text`; NULL where there is none.
const char *tiff_describe(const char *text, const char *uuid, struct tiff_description *out);

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
    uint64_t first, count;   // planes, counted in that order; `count` ends before the next run
    uint64_t page;           // the page of the first one, from 0
    bool paged;              // `page` is stated
    const char *name, *uuid; // parts of the text; "": the file of the text, and not stated
    size_t name_length, uuid_length;
};

// Describes the image to which the file of this UUID belongs, as tiff_describe does, and finds its
// runs, sorted by their names. Changes `text`, which must outlive them. The caller frees them.
// NULL where memory is short.
struct tiff_run *
tiff_describe_runs(char *text, const char *uuid, struct tiff_description *out, size_t *count);
