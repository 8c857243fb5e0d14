// What the kernel of ink-collate and the C side agree on.
#ifndef SHADERS_SHARED_INK_COLLATE_H
#define SHADERS_SHARED_INK_COLLATE_H

#include "shaders/shared/glue.h"

struct ink_collate_own {
    ADDRESS(Uints) classify_arguments; // brick stream: for who classifies them; 0 at first
};

#endif
