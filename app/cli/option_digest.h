// All processes of one command must have the same command and the same value of every option that
// can change the result. Other options have may_differ in the table of options. Files are compared
// elsewhere (app/cli/volume_ranks.h), because a node may know a file by another path.
#pragma once

#include "app/cli/options.h"

#define OPTION_DIGESTS (OPTION_ROWS + 2)

// The digest of the command, of the number of operands, or of an option.
struct option_digest {
    uint64_t hash; // of the whole text; 0: the option was not given, or may differ
    char text[56]; // the start of the text, for messages
};

// Fills the list: the command, the number of operands, and the options in the order of the table.
void option_digest_list(const struct options *options, struct option_digest out[OPTION_DIGESTS]);

// Collective. PROBLEM_USAGE if a rank differs from rank 0; the message names rank and difference.
bool option_digest_compare(const struct options *options, struct problem *problem);
