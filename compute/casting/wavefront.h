// A cast in rounds of kernels over a list of rays, which a method compacts in between (Hughes et
// al. 2013). The state of a ray moves with the list, as their future work: a kernel stores the rays
// that go on by its lanes, and a list has the numbers of these.
//
//   pixels      the rays that meet the volume
//   march       each ray of the list searches a few cells; those that go on are the next list
//   tail        the rays that are left after the last round, to their ends
//
// Through boxes over what the isovalue meets, as in the paper, a march is two passes:
//
//   traverse    each ray goes on to the next leaf; those that reach one are the next list
//   intersect   each ray searches its leaf, and those that follow on its stack; those that neither
//               hit nor come to the stack's end are the next list
//
// A method that is `once` compacts in the same kernel. Others get a stream of words: each lane
// writes its number, or an invalid word, and the method's own kernels compact these.
#pragma once

#include "compute/atlas.h"
#include "compute/compaction/compaction.h"
#include "shaders/shared/casting.h"

#define CAST_ROUNDS 8 // by default

// The lengths of the lists of a cast.
struct cast_rounds {
    uint32_t count; // rounds; only the lengths of the first CAST_ROUNDS_MOST are known
    // rays[i]: that go into round i; rays[count]: that are left for the tail.
    uint32_t rays[CAST_ROUNDS_MOST + 1];
    uint32_t leaves[CAST_ROUNDS_MOST + 1]; // through boxes: those that reach a leaf in round i
};

// The first four without the compaction.
enum wavefront_kernel {
    WAVEFRONT_PIXELS,
    WAVEFRONT_MARCH,
    WAVEFRONT_TRAVERSE,
    WAVEFRONT_INTERSECT,
    WAVEFRONT_TAIL,
    WAVEFRONT_TURN, // between two lists
    WAVEFRONT_KERNELS
};

enum wavefront_buffer {
    WAVEFRONT_LIST,       // lanes that have stored a ray, by turns with the next one
    WAVEFRONT_OTHER_LIST, // for methods that are not `once`: lanes, and invalid words
    WAVEFRONT_RAYS,       // stored rays, by turns with those of the next kernel
    WAVEFRONT_OTHER_RAYS,
    WAVEFRONT_COUNTERS,  // struct list_counter of the list that is read, and of that which is made
    WAVEFRONT_ARGUMENTS, // to dispatch over the list that is read
    WAVEFRONT_ROUNDS,    // the list's length in each round
    WAVEFRONT_COUNTED,   // the same for the host
    WAVEFRONT_STACKS,    // through boxes: a word for each ray and level
    WAVEFRONT_BUFFERS
};

// Zero-initialised means empty.
struct wavefront {
    struct gpu *gpu;
    uint32_t pixels; // that there is room for
    bool image;      // of the atlas
    uint32_t levels; // entries of a ray's stack through boxes; 0: there are none
    bool separate;   // see struct caster; set before the first method is prepared
    uint32_t constants[CONSTANTS];
    struct compaction compaction;
    const struct method *method; // that was prepared last
    struct kernel kernels[WAVEFRONT_KERNELS];
    struct buffer buffers[WAVEFRONT_BUFFERS];
    // Of the cast that is recorded: the list and the rays that are read next (0 or 1), and the
    // rounds so far.
    uint32_t list, rays, round;
};

// The method that runs if this one was asked for, NULL: the default. `auto` is that, too: nothing
// has been measured for lists of rays.
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

// What the kernels of a cast access, beside lists, and their push struct.
struct wavefront_cast {
    const struct binding *table;
    const struct cast_push *push;
};

// Record the parts of a cast in this order: pixels, any number of rounds, and the tail, which may
// be left out if no rays are left. Several runs may share them, one after the other.
void wavefront_record_pixels(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);
void wavefront_record_round(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);
void wavefront_record_tail(
    struct wavefront *wavefront, struct run *run, const struct wavefront_cast *cast);

// Records that the host may read the lengths.
void wavefront_record_counts(struct wavefront *wavefront, struct run *run);

// After a run with the counts: the rays that are left, and all lengths.
uint32_t wavefront_left(const struct wavefront *wavefront);
void wavefront_rounds(const struct wavefront *wavefront, struct cast_rounds *out);
