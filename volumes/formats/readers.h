// The readers behind volume_read and volume_file_open, one for each kind of input. A reader has one
// result, an open volume_file: `volume` (dims, types, position), `reader` and `state` (how its
// samples are read), `seekable`, and `contents`, unless the file can only hold one
// volume. params->pick selects one of several. It reads no samples. On false the caller
// closes what the reader left in `out`. source->path is out->path, so the reader may keep it.
#pragma once

#include "volumes/base/input.h"
#include "volumes/formats/source.h"
#include "volumes/formats/volume_file.h"

// What is known of a file before it is read.
struct file_head {
    const char *path;
    const unsigned char *bytes; // the first bytes of the file, inflated where it is gzip
    size_t size;                // number of `bytes`: READER_HEAD, or fewer if the file is shorter
    bool gzip;                  // `bytes` were inflated
    bool user_block;            // an HDF5 file begins behind a block of 512, 1024, 2048 ... bytes
};

#define READER_HEAD 1024

// Whether the first bytes are those of the format.
typedef bool reader_matches(const struct file_head *head);

// `source` is open and nothing of it has been read or inflated. Its bytes may be anything, because
// the name may have selected the format.
typedef bool reader_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);

// A file format. To add one, add a file and a row in readers.c.
struct reader {
    const char *name;        // "NRRD"
    const char *summary;     // one line for people
    const char *extensions;  // lower case, with their dots: ".nrrd .nhdr"
    bool gzip;               // gzip around the file is removed before `open`; see source_unpack
    reader_matches *matches; // called in the order of rows; NULL: only the name selects the format
    reader_open *open;
    const char *process; // in place of `open`: the program cubist-read-NAME reads it
    bool series;         // each file is a part of a volume: a folder of them is one volume
};

extern const struct reader readers[];
extern const size_t reader_count;

// Fills `bytes` and `out`, consuming nothing of the source.
void file_head_read(struct source *source, unsigned char bytes[READER_HEAD], struct file_head *out);

// Whether the head has these `size` bytes at `at`.
bool file_head_has(const struct file_head *head, size_t at, const void *bytes, size_t size);

// Whether the head is text with a line "Key: ...", where Key is one of `names` ("a|b", any case).
// False for a gzip file.
bool file_head_has_key(const struct file_head *head, const char *names);

// Whether the path ends in one of `extensions` (".nii .nii.gz"), with a name before it. Ignores
// case.
bool path_has_extension(const char *path, const char *extensions);

// The reader that recognises the first bytes, or the one with the name's extension; NULL: none.
// *by_name: the extension decided. The first bytes select no reader if foreign_within_refuse
// refuses the file.
const struct reader *reader_pick(const struct file_head *head, bool *by_name);

// What makes a folder one volume, besides slices. A folder with PNG slices is OTHER; pictures that
// cubist drew do not count as slices.
enum folder_form { FOLDER_FORM_OTHER, FOLDER_FORM_ZARR, FOLDER_FORM_DICOM }; // ZARR: N5 as well

// Looks at the names in the folder, and into some of its files.
enum folder_form reader_folder_form(const char *path);

// The row with this name.
const struct reader *reader_named(const char *name);

// A kind of file that cubist recognises but does not read.
struct foreign {
    const char *kind; // "a zip archive"
    size_t at;        // offset of the magic bytes in the file
    const char *bytes;
    size_t size;
    const char *advice;
};

extern const struct foreign foreign_kinds[];
extern const size_t foreign_count;

// False with PROBLEM_INPUT where the file is of a kind that cubist recognises but
// does not read (tar, JPEG ...). The message says which, and how to convert it.
// foreign_within_refuse checks only the kinds whose files may begin like files of any other format.
// Call it before the first bytes select a reader.
bool foreign_within_refuse(const struct file_head *head, struct problem *problem);
bool foreign_file_refuse(const struct file_head *head, struct problem *problem);

reader_open bov_open, cube_open, dx_open, mgh_open, slc_open, mrc_open, npy_open, npz_open,
    raw_open, nrrd_open, metaimage_open, nifti_open, vti_open, vtk_legacy_open, inviwo_open,
    tiff_open;
reader_matches bov_matches, cube_matches, dx_matches, mgh_matches, slc_matches, mrc_matches,
    npy_matches, npz_matches, nrrd_matches, metaimage_matches, nifti_matches, vti_matches,
    vtk_legacy_matches, inviwo_matches, tiff_matches;

// Opens a folder of PNG slices, or of TIFF slices if it has no PNG slices, in natural order. The
// first slice is z = 0; the top row of a slice is y = 0.
bool slices_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);

// One PNG image that holds all slices as tiles, row by row from the top left; params->atlas tiles.
reader_open tiles_open;
