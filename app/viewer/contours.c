#include "app/viewer/contours.h"

#include "app/base/isovalue.h"
#include "app/settings/bindings.h"

#include <string.h>

// The isovalue of a further contour: half of the samples above the selected contour's isovalue are
// above it, too.
static double contours_new_iso(const struct view *view, const struct volume_facts *facts)
{
    const double iso = view->isos[view->contour], span = facts->max - facts->min;
    uint64_t below = 0, all = 0;
    for (int i = 0; i < VOLUME_BINS; i++) {
        const bool lower = facts->min + span * (i + 1) / VOLUME_BINS <= iso;
        below += lower ? facts->histogram[i] : 0;
        all += facts->histogram[i];
    }
    const double share = all > 0 ? (double)below / (double)all : 0;
    const struct isovalue middle = { ISOVALUE_PERCENTILE, 50 * (1 + share) };
    const double found = isovalue_resolve(&middle, facts);
    return found > iso && found < facts->max ? found : (iso + facts->max) / 2;
}

// Says which contour is selected.
static void contours_say(const struct view *view, struct message *message, const char *what)
{
    message_say(
        message, "Contour %u of %u, isovalue %.7g%s.", view->contour + 1, view_contours(view),
        view->isos[view->contour], what);
}

static void contours_add(struct view *view, struct message *message, double iso)
{
    if (view_add(view, iso)) {
        contours_say(view, message, ", was added");
    } else {
        message_say(message, "There are %d contours, and no more are possible.", CONTOURS_MOST);
    }
}

bool contours_act(
    struct view *view, const struct volume_facts *facts, struct message *message,
    enum action action, int step)
{
    const uint32_t count = view_contours(view);
    char hint[BINDINGS_HINT];
    bool *hidden = &view->hidden[view->contour];
    if (action == ACTION_CONTOUR_ADD) {
        contours_add(view, message, contours_new_iso(view, facts));
    } else if (action == ACTION_CONTOUR_HIDE) {
        *hidden = !*hidden;
        contours_say(view, message, *hidden ? ", is hidden" : ", is shown");
    } else if (action != ACTION_CONTOUR_STEP && action != ACTION_CONTOUR_REMOVE) {
        return false;
    } else if (count == 1) {
        bindings_hint("contour-add", "adds another.", hint);
        message_say(message, "This is the only contour.%s%s", *hint ? " " : "", hint);
    } else if (action == ACTION_CONTOUR_STEP) {
        view->contour = (view->contour + count + (uint32_t)step) % count;
        hidden = &view->hidden[view->contour];
        contours_say(view, message, *hidden ? ", is hidden" : "");
    } else {
        contours_say(view, message, ", was removed");
        view_remove(view);
    }
    return true;
}

void contours_answer(struct view *view, struct message *message, const struct ui_answer *answer)
{
    if (answer->has_contour && answer->contour <= view->further) {
        view->contour = answer->contour;
    }
    if (answer->adds) {
        contours_add(view, message, answer->iso);
    }
    if (answer->has_colour) {
        view->colours[view->contour] = answer->colour;
    }
    if (answer->has_opacity) {
        view->transparencies[view->contour] = 1 - answer->opacity;
    }
}

bool contours_look_same(const struct view *a, const struct view *b)
{
    return a->further == b->further && memcmp(a->colours, b->colours, sizeof a->colours) == 0 &&
           memcmp(a->hidden, b->hidden, sizeof a->hidden) == 0 &&
           memcmp(a->transparencies, b->transparencies, sizeof a->transparencies) == 0;
}
