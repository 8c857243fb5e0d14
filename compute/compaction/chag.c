#include "compute/compaction/chag.h"

#include "compute/compaction/kernels.h"

#include "chag_ballot_compact_streams.h"
#include "chag_ballot_count_streams.h"
#include "chag_compact_streams.h"
#include "chag_count_streams.h"
#include "chag_scan_streams.h"
#include "single_pass_streams.h"

COMPACT_KERNELS(
    "chag count", chag_count, STREAM_PORTS, PORT(struct compact_push, blocks, ACCESS_WRITE));
COMPACT_KERNELS(
    "chag scan", chag_scan, PORT(struct compact_push, blocks, ACCESS_READ_WRITE),
    PORT(struct compact_push, head, ACCESS_WRITE));
COMPACT_KERNELS(
    "chag compact", chag_compact, STREAM_PORTS, PORT(struct compact_push, blocks, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

COMPACT_KERNELS(
    "chag ballot count", chag_ballot_count, STREAM_PORTS,
    PORT(struct compact_push, masks, ACCESS_WRITE),
    PORT(struct compact_push, blocks, ACCESS_WRITE));
COMPACT_KERNELS(
    "chag ballot compact", chag_ballot_compact, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, source_head, ACCESS_READ),
    PORT(struct compact_push, masks, ACCESS_READ), PORT(struct compact_push, blocks, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

COMPACT_KERNELS(
    "single pass", single_pass, STREAM_PORTS, PORT(struct compact_push, head, ACCESS_READ_WRITE),
    PORT(struct compact_push, list, ACCESS_WRITE));

struct compaction_scratch
chag_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)size;
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ .blocks = RANGES };
}

// A bit per element.
struct compaction_scratch
chag_ballot_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)block;
    return (struct compaction_scratch){
        .masks = stream == STREAM_CELLS ? size->lanes : ((uint64_t)size->lanes + 31) / 32,
        .blocks = RANGES,
    };
}

struct compaction_scratch
single_pass_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)size;
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ 0 };
}
