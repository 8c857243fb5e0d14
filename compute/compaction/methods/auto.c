// `auto`: another method runs, which compute/compaction/selector.h selects.

#include "compute/compaction/compaction.h"

const struct method method_auto = {
    .name = "auto",
    .summary = "runs whichever method was measured fastest on this device at the stream's size and "
               "density",
    .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, its meta-algorithm",
    .notes = { "One method is selected for the whole stream, not one for each region.",
               "The block size is not selected." },
    .order = ORDER_NONE,
    .waits = true,
    .selects = true,
};
