// `auto`: another method runs, which compute/compaction/selector.h selects.

#include "compute/compaction/compaction.h"

const struct method method_auto = {
    .name = "auto",
    .summary = "runs whichever method was measured fastest on this device at the stream's size and "
               "density",
    .paper = "Moreira et al. 2014, the meta-algorithm of its future work",
    .order = ORDER_NONE,
    .waits = true,
    .selects = true,
};
