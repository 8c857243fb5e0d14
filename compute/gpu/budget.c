#include "compute/gpu/budget.h"

#include <assert.h>
#include <string.h>

const char *purpose_name(enum purpose purpose)
{
    static const char *const names[PURPOSES] = {
        "scratch", "samples", "ranges", "lists", "surface", "picture", "staging",
    };
    return names[purpose];
}

uint64_t budget_taken(const struct budget *budget, enum purpose purpose)
{
    uint64_t bytes = budget->allocated;
    for (int i = 0; i < PURPOSES; i++) {
        if (i != (int)purpose && budget->reserve[i] > budget->held[i]) {
            bytes += budget->reserve[i] - budget->held[i];
        }
    }
    return bytes;
}

bool budget_exceeded(const struct budget *budget)
{
    return budget->limit && budget_taken(budget, PURPOSE_SCRATCH) > budget->limit;
}

void budget_add(struct budget *budget, enum purpose purpose, uint64_t bytes)
{
    budget->allocated += bytes;
    budget->held[purpose] += bytes;
    if (budget->allocated > budget->peak) {
        budget->peak = budget->allocated;
        memcpy(budget->peak_held, budget->held, sizeof budget->peak_held);
    }
}

void budget_remove(struct budget *budget, enum purpose purpose, uint64_t bytes)
{
    budget->allocated -= bytes;
    budget->held[purpose] -= bytes;
}

void budget_offer(struct budget *budget, enum give_up what, bool (*give_up)(void *user), void *user)
{
    assert(budget->offer_count < BUDGET_OFFERS);
    budget->offers[budget->offer_count++] = (struct budget_offer){ what, give_up, user };
}

void budget_withdraw(struct budget *budget, const void *user)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < budget->offer_count; i++) {
        if (budget->offers[i].user != user) {
            budget->offers[kept++] = budget->offers[i];
        }
    }
    budget->offer_count = kept;
}

bool budget_give_up(struct budget *budget, enum give_up last)
{
    for (int what = 0; what <= (int)last; what++) {
        for (uint32_t i = 0; i < budget->offer_count; i++) {
            const struct budget_offer offer = budget->offers[i];
            if (offer.what == (enum give_up)what && offer.give_up(offer.user)) {
                return true;
            }
        }
    }
    return false;
}
