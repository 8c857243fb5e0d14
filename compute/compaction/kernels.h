// One kernel row per stream from one shader, whose words NAME_streams.h defines:
//
//   #include "ink_collate_streams.h"
//   static COMPACT_KERNELS("ink-collate", ink_collate, ports...);
#pragma once

#include "compute/compaction/compaction.h"

// The ports that the streams' predicates read. Those that a stream does not have are 0 and do not
// count.
#define STREAM_PORTS                                                                               \
    PORT(struct compact_push, source, ACCESS_READ),                                                \
        PORT(struct compact_push, source_head, ACCESS_READ),                                       \
        PORT(struct compact_push, rows, ACCESS_READ), PORT(struct compact_push, gaps, ACCESS_READ)

#define COMPACT_KERNEL(label, words, ...)                                                          \
    {                                                                                              \
        .name = label, .code = words, .code_size = sizeof words,                                   \
        .push_size = sizeof(struct compact_push), .ports = { __VA_ARGS__ },                        \
    }

#define COMPACT_KERNELS(label, name, ...)                                                          \
    const struct kernel_info name[STREAMS] = {                                                     \
        [STREAM_BRICKS] = COMPACT_KERNEL(label, name##_bricks, __VA_ARGS__),                       \
        [STREAM_CELLS] = COMPACT_KERNEL(label, name##_cells, __VA_ARGS__),                         \
        [STREAM_WORDS] = COMPACT_KERNEL(label, name##_words, __VA_ARGS__),                         \
    }
