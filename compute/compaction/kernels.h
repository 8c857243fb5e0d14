// Rows of kernels. One shader is built once per stream; NAME_streams.h defines the SPIR-V words:
//
//   #include "ofk_scan_streams.h"
//
//   struct ofk_push {
//       struct compact_push stream;
//       struct ofk_own own; // see shaders/shared/ofk_compact.h
//   };
//   static COMPACT_KERNELS(struct ofk_push, "ofk scan", ofk_scan, ports...);
//
// A kernel without parameters of its own has struct compact_push as its push struct.
#pragma once

#include "compute/compaction/compaction.h"

// The ports that the predicates of the streams read. A port that a stream does not have is 0 and is
// ignored. struct compact_push is the first member of every push struct, so these ports, and others
// of it, are PORT(struct compact_push, ...).
#define STREAM_PORTS                                                                               \
    PORT(struct compact_push, source, ACCESS_READ),                                                \
        PORT(struct compact_push, source_counter, ACCESS_READ),                                    \
        PORT(struct compact_push, row_masks, ACCESS_READ),                                         \
        PORT(struct compact_push, valid_masks, ACCESS_READ)

#define COMPACT_KERNEL(push, label, words, ...)                                                    \
    {                                                                                              \
        .name = label, .code = words, .code_size = sizeof words, .push_size = sizeof(push),        \
        .ports = { __VA_ARGS__ },                                                                  \
    }

#define COMPACT_KERNELS(push, label, name, ...)                                                    \
    const struct kernel_info name[STREAMS] = {                                                     \
        [STREAM_BRICKS] = COMPACT_KERNEL(push, label, name##_bricks, __VA_ARGS__),                 \
        [STREAM_CELLS] = COMPACT_KERNEL(push, label, name##_cells, __VA_ARGS__),                   \
        [STREAM_WORDS] = COMPACT_KERNEL(push, label, name##_words, __VA_ARGS__),                   \
    }
