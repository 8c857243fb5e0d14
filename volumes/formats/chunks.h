// A volume whose file holds it in chunks of one size, each of which is decoded on its own: pages,
// tiles, blocks. Slices are read by decoding the chunks that they touch. Two layers of chunks are
// kept, so reading forward, in ranges of any size, decodes each chunk once. Where they do not fit
// into memory fewer chunks are kept, and a warning says that chunks are decoded more than once.
#pragma once

#include "volumes/formats/samples.h"
#include "volumes/formats/volume_file.h"

struct chunks {
    const char *path; // borrowed, for messages; it lives as long as `user`
    struct sample_format format;
    uint64_t dim[3];   // samples of the volume
    uint64_t chunk[3]; // samples of a chunk. Chunks at the upper ends may reach beyond the volume
    // 0, or: the chunks are runs of this many bytes of the samples, one after the other, and may
    // begin within a sample. `chunk` is unused. The last one may have fewer bytes.
    uint64_t run;
    // Decodes the chunk with these indices along x, y, z (0, 0, index of the run) into `out`, in
    // the form of the file: whole, also where it reaches beyond the volume.
    bool (*read)(void *user, const uint64_t at[3], void *out, struct problem *problem);
    bool (*unchanged)(const void *user, struct problem *problem); // as of slice_reader
    void (*close)(void *user);                                    // frees `user`
    void *user;
    uint64_t cache; // bytes of decoded chunks that may be kept; 0: half of the free memory
};

// Fills all of `out` that a reader must fill (see readers.h): the volume, with spacing 1 and no
// rotation, and the reader of its samples. `out` owns chunks->user, also after false.
bool chunks_open(
    const struct chunks *chunks, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);
