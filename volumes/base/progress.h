// How the caller of long work watches the progress and cancels the work.
#pragma once

#include <stdbool.h>

// Called now and then with the share done (0..1); returning false cancels the work.
struct progress {
    bool (*report)(void *user, double share);
    void *user;
};
