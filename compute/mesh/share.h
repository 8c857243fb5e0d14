// The file of a share: the surface of a range of layers of cells, made by one of several processes.
// All shares of a volume, in order of their layers, are the canonical mesh of the whole (shares.h).
//
// A file has a head, pieces of some layers each, from bottom to top, and an end. Numbers are
// little-endian.
//
//   head    256 bytes: signature, version, layers, the volume without its samples, isovalue, facts
//           about the input's files, crc32 of the head
//   piece   40 bytes: its layers; how many vertices are its own, how many vertices of the next
//           piece its triangles may name, and how many triangles it has. Then 24 bytes for each own
//           vertex as in mesh_records.h, in grid units; 5 bytes for each own vertex: its grid edge,
//           counted from the lowest slice of the piece; 15 bytes for each triangle: its corners,
//           counted from the first vertex of the piece. Pieces without vertices are left out.
//   end     64 bytes: totals, crc32 of some slices of samples, crc32 of everything before
//
// In version 1, vertices were in the volume's units, rounded to floats.
//
// Nothing in a share depends on other shares, so they can be made in any order and on any machine.
#pragma once

#include "compute/mesh/mesh.h"
#include "volumes/base/output.h"
#include "volumes/formats/source.h"

#define SHARE_EXTENSION ".share"
#define SHARE_HEAD      256
#define SHARE_PIECE     40
#define SHARE_END       64
#define SHARE_SUMS      3

// Known before the surface is made.
struct share_head {
    struct volume volume; // without samples
    double iso;
    uint32_t from, to; // the layers `from` up to, but not including, `to`; none if they are equal
    // About the input's files when they were opened: size of all in bytes, and time of the last
    // write to any, in nanoseconds. 0: not known. A copy has another time, so a difference only
    // gives a warning.
    uint64_t input_bytes;
    int64_t input_time;
};

// Known afterwards.
struct share_end {
    uint64_t vertices, triangles, pieces, active_cells;
    // crc32 of the samples of each slice of share_slices. They tell one input from another, even if
    // a node has its own copy. Neighbouring shares both have the slice between them, and all shares
    // have the volume's middle slice. No share needs to read the whole input.
    uint32_t sums[SHARE_SUMS];
};

// The layers of share `number`, from 1 on, of `count`: `from` up to, but not including, `to`. There
// may be more shares than layers; then some are empty.
void share_layers(uint32_t number, uint32_t count, uint32_t layers, uint32_t *from, uint32_t *to);

// The slices of `sums`: the lowest one of the share, its highest one, and the volume's middle one.
void share_slices(const struct share_head *head, uint32_t z[SHARE_SUMS]);

struct share_writer {
    struct output output;
    struct share_head head;
    struct share_end end;
    uint32_t crc;
};

// Opens the target (see output_open). On false `out` is closed.
bool share_writer_open(
    const char *path, const struct share_head *head, struct share_writer *out,
    struct problem *problem);

// Appends the surface of the layers `first` up to, but not including, `end`: a canonical mesh with
// edges of the whole volume. Its first `own` vertices belong to these layers (as in struct part).
// Layers come in ascending order. PROBLEM_LIMIT for numbers of more than 5 bytes. After false only
// share_writer_abort may follow.
bool share_writer_part(
    struct share_writer *writer, const struct mesh *mesh, uint64_t own, uint32_t first,
    uint32_t end, struct problem *problem);

// Writes the end and puts the file in its place. Closes the writer on true and on false.
bool share_writer_commit(
    struct share_writer *writer, uint64_t active_cells, const uint32_t sums[SHARE_SUMS],
    struct problem *problem);

void share_writer_abort(struct share_writer *writer); // takes a closed or a zeroed one

// A piece, as found in a file.
struct share_piece {
    uint32_t first, layers;
    uint64_t own, foreign, triangles;
    uint64_t lowest; // how many of its own vertices lie in its lowest slice
    uint64_t at;     // where in the file its vertices begin
};

struct share {
    const char *path; // borrowed
    struct source_stamp stamp;
    struct share_head head;
    struct share_end end;
    struct share_piece *pieces; // set by share_check or share_index; end.pieces of them
};

// Reads head and end. PROBLEM_INPUT, naming the file, if it is no share, or is damaged or cut
// short. On false `out` is closed.
bool share_open(const char *path, struct share *out, struct problem *problem);

// Reads the whole file and finds its pieces. PROBLEM_INPUT if any byte differs from what was
// written. `progress` may be NULL. It gets the share of `total` bytes that is done; `before` of
// them were done before this file.
bool share_check(
    struct share *share, const struct progress *progress, uint64_t before, uint64_t total,
    struct problem *problem);

// Finds the pieces of a file that is known to be undamaged: reads only their heads and a few edges.
// `expected`: how many vertices of this share the share below names; a hint that saves reading.
// PROBLEM_INPUT if a head is impossible.
bool share_index(struct share *share, uint64_t expected, struct problem *problem);

// Whether the share at `path`, whose head is `own`, is of the volume and isovalue of `head`.
// Otherwise PROBLEM_INPUT, see share_matches.
bool share_head_matches(
    const char *path, const struct share_head *own, const struct share_head *head,
    const char *whose, struct problem *problem);

// Whether a share is of the volume and isovalue of `head`, and its input's middle slice (see
// share_slices) has the checksum `middle`. Otherwise PROBLEM_INPUT says what differs. `whose` says
// what the share is compared with, such as "that of 'other.share'". Layers, and the size and time
// of the input's files, are not compared.
bool share_matches(
    const struct share *share, const struct share_head *head, uint32_t middle, const char *whose,
    struct problem *problem);

// For a file that share_open refuses: whether it is a share that is cut short or damaged. False for
// all other files, also for a share of another version. *sound: whether the share's head is
// undamaged; only then `head` is set.
bool share_is_damaged(const char *path, struct share_head *head, bool *sound);

// Opens the file again. False: it has changed, or cannot be opened.
bool share_reopen(const struct share *share, struct source *out, struct problem *problem);

// Reads exactly `size` bytes at `at`.
bool share_read(
    struct source *source, uint64_t at, void *bytes, size_t size, struct problem *problem);

void share_close(struct share *share); // takes a closed or a zeroed one
