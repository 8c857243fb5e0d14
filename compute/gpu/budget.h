// The budget of device memory: how much may be allocated, how much each purpose holds, and what is
// given up first when memory is short.
//
// Every allocation names its purpose. An allocation never frees anything by itself: when memory is
// short, the caller may call budget_give_up between two submissions and try again.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What device memory is used for.
enum purpose {
    PURPOSE_SCRATCH, // data between the passes of a step; the default
    PURPOSE_SAMPLES,
    PURPOSE_RANGES, // per brick: least and greatest sample, and valid masks
    PURPOSE_LISTS,  // of active bricks and cells
    PURPOSE_SURFACE,
    PURPOSE_PICTURE, // pictures, overlays, and the buffers of rays
    PURPOSE_STAGING, // for transfers between host and device
    PURPOSES
};
const char *purpose_name(enum purpose purpose); // "scratch"

// What can be given up, in this order.
enum give_up {
    GIVE_UP_CALIBRATION,     // the times that `auto` uses are measured later
    GIVE_UP_CASTING,         // ray buffers if the window draws triangles; otherwise kept hits
    GIVE_UP_HIDDEN_SURFACE,  // a surface that is not drawn: the next step makes it again
    GIVE_UP_PARTS,           // parts of the volume: read again when they are needed
    GIVE_UP_KERNELS,         // kernels for parts of other shapes
    GIVE_UP_SHOWN_SURFACE,   // the picture of the surface stays
    GIVE_UP_PICTURE_SAMPLES, // the edges in the picture are coarser
    GIVE_UPS
};

#define BUDGET_OFFERS 16

// Zero-initialised: no limit, nothing held.
struct budget {
    uint64_t limit; // total bytes at most; 0: what the device has. Set once
    // Bytes reserved for each purpose, including those that it already holds. The open volume was
    // planned with the reserve of the picture (parts_params.reserve). The reserve for staging
    // belongs to the extraction in progress.
    uint64_t reserve[PURPOSES];
    uint64_t allocated, held[PURPOSES]; // bytes now: in total, and by purpose
    uint64_t peak, peak_held[PURPOSES]; // the largest total, and the bytes by purpose then
    struct budget_offer {
        enum give_up what;
        bool (*give_up)(void *user);
        void *user;
    } offers[BUDGET_OFFERS];
    uint32_t offer_count;
};

// Bytes that a purpose may not use: those that are allocated, and those that are reserved for other
// purposes but not yet allocated.
uint64_t budget_taken(const struct budget *budget, enum purpose purpose);

// Whether the allocated and the reserved bytes exceed the limit.
bool budget_exceeded(const struct budget *budget);

void budget_add(struct budget *budget, enum purpose purpose, uint64_t bytes);
void budget_remove(struct budget *budget, enum purpose purpose, uint64_t bytes);

// Registers a function that frees something and returns true, or returns false when there is
// nothing to free. Only budget_give_up calls it.
void budget_offer(
    struct budget *budget, enum give_up what, bool (*give_up)(void *user), void *user);

// Removes all offers with this `user`.
void budget_withdraw(struct budget *budget, const void *user);

// Gives up one thing: calls the offers in the order of enum give_up, up to `last`, until one
// returns true. Returns false if none does.
bool budget_give_up(struct budget *budget, enum give_up last);
