// What all processes of one command must have alike: the command, and every option that can change
// the result. A column of the table of options says which cannot. Files are compared elsewhere
// (app/cli/volume_ranks.h), because a node may know a file by another path.
#pragma once

#include "app/cli/options.h"

#define OPTION_DIGESTS (OPTION_ROWS + 2)

// One of these: a hash of its whole text, and the start of the text for messages.
struct option_digest {
    uint64_t hash; // 0: it was not given, or may differ
    char text[56];
};

// Fills the list: the command, the number of operands, and the options in the order of the table.
void option_digest_list(const struct options *options, struct option_digest out[OPTION_DIGESTS]);

// Collective. PROBLEM_USAGE where a rank differs from rank 0. It names the rank, and what differs.
bool option_digest_compare(const struct options *options, struct problem *problem);
