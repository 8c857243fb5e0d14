// Device memory as a thing that is shared out: how much there may be, who holds it and for what,
// and what is given up first where it is short.
//
// Whoever allocates says for what. An allocation never takes anything away by itself: whoever can
// go on after that asks budget_give_up, between two submissions, and tries again.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What device memory is for, in reports.
enum purpose {
    PURPOSE_SCRATCH, // between the passes of a step: where nothing else was said
    PURPOSE_SAMPLES,
    PURPOSE_RANGES, // of bricks: least and greatest sample, gaps
    PURPOSE_LISTS,  // of what is active: bricks, cells
    PURPOSE_SURFACE,
    PURPOSE_PICTURE, // and what is drawn over it
    PURPOSE_STAGING, // on the way between host and device
    PURPOSES
};
const char *purpose_name(enum purpose purpose); // "scratch"

// What can be given up, in this order.
enum give_up {
    GIVE_UP_CALIBRATION,     // times that `auto` goes by are measured later
    GIVE_UP_HIDDEN_SURFACE,  // made anew with the next step
    GIVE_UP_PARTS,           // of the volume: read again when they are needed
    GIVE_UP_KERNELS,         // for parts of other shapes
    GIVE_UP_SHOWN_SURFACE,   // its picture stays
    GIVE_UP_PICTURE_SAMPLES, // its edges are coarser
    GIVE_UPS
};

#define BUDGET_OFFERS 16

// Zero-initialised: no limit, nothing held.
struct budget {
    uint64_t limit; // bytes at most, in all; 0: what the device has. Set once
    // Kept for one purpose, whether it holds that much yet or not.
    uint64_t reserve[PURPOSES];
    uint64_t allocated, held[PURPOSES]; // bytes now: in all, by purpose
    uint64_t peak, peak_held[PURPOSES]; // and when it was most in all
    struct budget_offer {
        enum give_up what;
        bool (*give_up)(void *user);
        void *user;
    } offers[BUDGET_OFFERS];
    uint32_t offer_count;
};

// Bytes that a purpose may not take: what is allocated, and what of the others' reserves is not.
uint64_t budget_taken(const struct budget *budget, enum purpose purpose);

// Whether more is taken than the limit allows.
bool budget_exceeded(const struct budget *budget);

void budget_add(struct budget *budget, enum purpose purpose, uint64_t bytes);
void budget_remove(struct budget *budget, enum purpose purpose, uint64_t bytes);

// `give_up` frees something and returns true, or returns false where there is nothing. It is called
// by budget_give_up only.
void budget_offer(
    struct budget *budget, enum give_up what, bool (*give_up)(void *user), void *user);

// Takes back all that was offered with this `user`.
void budget_withdraw(struct budget *budget, const void *user);

// Gives up the first thing in the table's order, up to and with `last`, that somebody has. False:
// there is nothing.
bool budget_give_up(struct budget *budget, enum give_up last);
