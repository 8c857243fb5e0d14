// Shared by the kernel of ink-collate and the C side.
#ifndef SHADERS_SHARED_INK_COLLATE_H
#define SHADERS_SHARED_INK_COLLATE_H

#include "shaders/shared/glue.h"

struct ink_collate_own {
    // Brick stream: dispatch arguments of the classification; 0 at first.
    ADDRESS(Uints) classify_arguments;
};

#endif
