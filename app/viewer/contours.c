#include "app/viewer/contours.h"

#include "app/base/isovalue.h"
#include "app/base/range.h"
#include "app/settings/bindings.h"

#include <math.h>
#include <string.h>

enum { STEPS = 64, OF_STEP = VALUES_FINE / STEPS };

// The place of a value: from the lowest value on, a step of the range counts as much as the
// logarithm of its number of samples. `places`: of the steps' ends.
static double contours_place(const double *places, double share)
{
    const double at = fmin(fmax(share, 0), 1) * STEPS;
    const int step = at < STEPS ? (int)at : STEPS - 1;
    return places[step] + (at - step) * (places[step + 1] - places[step]);
}

// The isovalue of a further contour: the middle of the widest gap between the places of contours
// and of the ends of the range, where outliers and padding are left out. It has no more digits than
// a drag with the mouse gives.
static double contours_new_iso(const struct view *view, const struct volume_facts *facts)
{
    const struct values *values = &facts->values;
    const uint32_t count = view_contours(view);
    const double span = values->high > values->low ? values->high - values->low : 1;
    double places[STEPS + 1] = { 0 }, from[CONTOURS_MOST + 1] = { 0 }, low = 0, widest = 0;
    int step = 0;
    for (int i = 0; i < STEPS; i++) {
        double samples = 0;
        for (int k = 0; k < OF_STEP; k++) {
            samples += (double)values->fine[i * OF_STEP + k];
        }
        places[i + 1] = places[i] + 1 + log1p(samples);
    }
    for (uint32_t i = 0; i < count; i++) {
        from[i + 1] = contours_place(places, (view->isos[i] - values->low) / span);
    }
    for (uint32_t i = 0; i <= count; i++) {
        double to = places[STEPS];
        for (uint32_t k = 1; k <= count; k++) {
            to = from[k] > from[i] ? fmin(to, from[k]) : to;
        }
        low = to - from[i] > widest ? from[i] : low;
        widest = fmax(widest, to - from[i]);
    }
    const double middle = low + widest / 2;
    while (places[step + 1] < middle) {
        step++;
    }
    const double share = (middle - places[step]) / (places[step + 1] - places[step]);
    const double iso = values->low + span * (step + share) / STEPS;
    return facts->max > facts->min
               ? range_value(facts, range_share(facts, iso), span / (facts->max - facts->min))
               : iso;
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
