// A cast in rounds. A round runs kernels over a list of rays; a compaction method then makes the
// list of those that go on (Hughes et al. 2013). The state of a ray moves with the list (their
// future work): a lane stores its ray if it goes on, and the list has these lanes' numbers.
//
//   pixels      the rays that meet the volume
//   march       each ray of the list searches a few cells; those that go on are the next list
//   tail        the rays that are left after the last round, to their ends
//
// With boxes around what the isovalue meets (bvh.h), as in the paper, a march is two passes:
//
//   traverse    each ray goes on to the next leaf; those that reach one are the next list
//   intersect   each ray searches its leaf, and the leaves that follow on its stack; rays without a
//               hit whose stack is not at its end are the next list
//
// Rays through layers have a list of their own, of pixels with a hit:
//
//   layers      adds the colours of the hits; rays that go on and meet another hit are the next
//   list
//
// A method that is `once` compacts in the same kernel. For other methods each lane writes its
// number, or an invalid word, to a stream, and the method's own kernels compact the stream.
#pragma once

#include "compute/atlas.h"
#include "compute/compaction/compaction.h"
#include "shaders/shared/casting.h"

#define CAST_ROUNDS 8 // by default

// The lengths of the lists of a cast.
struct cast_rounds {
    uint32_t count; // number of rounds; lengths are known of the first CAST_ROUNDS_MOST
    // rays[i]: rays that go into round i. rays[count]: rays that are left for the tail.
    uint32_t rays[CAST_ROUNDS_MOST + 1];
    uint32_t leaves[CAST_ROUNDS_MOST + 1]; // with boxes: rays that reach a leaf in round i
};

// The first five kernels are the variants without compaction.
enum wavefront_kernel {
    WAVEFRONT_PIXELS,
    WAVEFRONT_MARCH,
    WAVEFRONT_TRAVERSE,
    WAVEFRONT_INTERSECT,
    WAVEFRONT_LAYERS,
    WAVEFRONT_TAIL,
    WAVEFRONT_TURN, // between two kernels: the list that was made becomes the one that is read
    WAVEFRONT_KERNELS
};

enum wavefront_buffer {
    WAVEFRONT_LIST,       // lanes that have stored a ray; swapped with the other list
    WAVEFRONT_OTHER_LIST, // if the method is not `once`: a word per lane, its number or
                          // WORD_INVALID
    WAVEFRONT_RAYS,       // stored rays; swapped with the other rays after each kernel. For layers
                          // LAYERS_WORDS for each ray
    WAVEFRONT_OTHER_RAYS, // not for layers
    WAVEFRONT_COUNTERS,   // two struct list_counter: of the list that is read, and of the one made
    WAVEFRONT_ARGUMENTS,  // to dispatch over the list that is read
    WAVEFRONT_ROUNDS,     // the list's length in each round
    WAVEFRONT_COUNTED,    // copy of WAVEFRONT_ROUNDS that the host reads
    WAVEFRONT_STACKS,     // with boxes: a word for each ray and level
    WAVEFRONT_BUFFERS
};

#define WAVEFRONT_OF_LAYERS UINT32_MAX // as `levels`: the rays go through layers

// Zero-initialised means empty.
struct wavefront {
    struct gpu *gpu;
    uint32_t pixels; // capacity of the lists
    bool image;      // the atlas is an image
    uint32_t levels; // entries of a ray's stack; 0: there are no boxes; or WAVEFRONT_OF_LAYERS
    bool separate;   // see struct caster; set before the first method is prepared
    uint32_t constants[CONSTANTS];
    struct compaction compaction;
    const struct method *method; // the one prepared last
    struct kernel kernels[WAVEFRONT_KERNELS];
    struct buffer buffers[WAVEFRONT_BUFFERS];
    // For the cast being recorded: which list and which rays are read next (0 or 1), and the number
    // of rounds so far.
    uint32_t list, rays, round;
};

// The method that runs for `asked`. NULL and `auto` mean the default method: nothing has been
// measured for lists of rays.
const struct method *wavefront_method(const struct method *asked);

// Bytes on the device to cast `pixels` at a time with this method. `separate`: see struct
// wavefront. GPU_TOO_MUCH where it is more than a limit of the device.
uint64_t wavefront_bytes(
    const struct gpu *gpu, const struct method *asked, bool separate, uint32_t pixels,
    uint32_t levels);

// `constants`: CONSTANTS values that the kernels of a cast need. `levels`: as in the struct;
// 0: rays march from cube to cube. On false `out` is empty.
bool wavefront_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t *constants, uint32_t pixels,
    uint32_t levels, struct wavefront *out, struct problem *problem);
void wavefront_destroy(struct wavefront *wavefront);

// NULL if the method can compact rays; otherwise the reason.
const char *wavefront_refuses(const struct gpu *gpu, const struct method *asked);

// Makes the kernels and the scratch of a method; the casts that follow use it. PROBLEM_UNSUPPORTED:
// it cannot compact rays. On false the wavefront is as before.
bool wavefront_prepare(
    struct wavefront *wavefront, const struct method *asked, struct problem *problem);

// The bindings of a cast's kernels, without the lists, and their push constants.
struct wavefront_cast {
    const struct binding *table;
    const struct cast_push *push;
};

// Record a cast in this order: pixels, any number of rounds, and the tail, which may be left out if
// no rays are left. The calls may be spread over several runs, one after the other.
void wavefront_record_pixels(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);
void wavefront_record_round(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);
void wavefront_record_tail(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);

// Record a cast through layers: the list of the first hits, which `hits` binds with its counter,
// and `arguments`, from byte `offset` on, to dispatch over it; then each layer. Before each layer
// the colours of the hits must be known: wavefront_bind_hits binds the list of their pixels.
void wavefront_record_first(
    struct wavefront *wavefront, struct run *run, const struct binding hits[BINDINGS],
    const struct buffer *arguments, uint64_t offset);

// Begins a cast through layers whose list of first hits is made by the caller's kernels: records an
// empty list, and binds it, its counter and its arguments, as a list that is made.
void wavefront_record_empty(
    struct wavefront *wavefront, struct run *run, struct binding table[BINDINGS]);
void wavefront_record_layer(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);
void wavefront_bind_hits(const struct wavefront *wavefront, struct binding table[BINDINGS]);

// Records the copy of the lists' lengths for the host.
void wavefront_record_counts(struct wavefront *wavefront, struct run *run);

// After a run with wavefront_record_counts: the number of rays left, and the lengths of all lists.
uint32_t wavefront_left(const struct wavefront *wavefront);
void wavefront_rounds(const struct wavefront *wavefront, struct cast_rounds *out);
