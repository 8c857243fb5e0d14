#include "compute/casting/cast_pass.h"

static bool cast_pass_load(struct cast_pass *pass, struct problem *problem)
{
    const struct query query = {
        .iso = pass->cast.iso,
        .every_brick = pass->every,
        .load_only = true,
    };
    pass->extract = extract_begin(pass->parts, &query, problem);
    return pass->extract;
}

bool cast_pass_begin(
    struct cast_pass *pass, struct parts *parts, struct casting *casting, const struct cast *cast,
    bool every, struct problem *problem)
{
    *pass = (struct cast_pass){
        .parts = parts,
        .casting = casting,
        .cast = *cast,
        .every = every,
    };
    const bool fine = cast_parts_begin(casting, cast, problem) && cast_pass_load(pass, problem);
    if (!fine) {
        cast_pass_end(pass);
    }
    return fine;
}

// After the last part.
static enum next cast_pass_finish(struct cast_pass *pass, struct problem *problem)
{
    const bool nearest = !pass->more;
    if (nearest) {
        pass->totals = *extract_totals(pass->extract);
    }
    extract_end(pass->extract);
    pass->extract = NULL;
    if (!nearest) {
        return cast_parts_end(pass->casting, &pass->cast, problem) ? NEXT_DONE : NEXT_FAILED;
    }
    if (!cast_parts_nearest(pass->casting, &pass->cast, &pass->hits, &pass->more, problem)) {
        return NEXT_FAILED;
    }
    return !pass->more ? NEXT_DONE : cast_pass_load(pass, problem) ? NEXT_PART : NEXT_FAILED;
}

enum next cast_pass_next(struct cast_pass *pass, double ms, struct problem *problem)
{
    struct part part;
    const enum next next = extract_next(pass->extract, ms, &part, problem);
    if (next == NEXT_DONE) {
        return cast_pass_finish(pass, problem);
    }
    if (next != NEXT_PART) {
        return next;
    }
    const struct atlas *atlas = parts_atlas(pass->parts);
    const bool fine = pass->more ? cast_parts_add_more(pass->casting, atlas, &pass->cast, problem)
                                 : cast_parts_add(pass->casting, atlas, &pass->cast, problem);
    return fine ? NEXT_PART : NEXT_FAILED;
}

double cast_pass_share(const struct cast_pass *pass)
{
    const double share = pass->extract ? extract_progress(pass->extract).share : 0;
    const bool follow = pass->cast.edges || pass->cast.shadow; // rays may
    return !follow ? share : (share + (pass->more ? 1 : 0)) / 2;
}

void cast_pass_end(struct cast_pass *pass)
{
    extract_end(pass->extract);
    *pass = (struct cast_pass){ 0 };
}

bool cast_pass_run(
    struct parts *parts, struct casting *casting, const struct cast *cast, bool every,
    struct problem *problem)
{
    struct cast_pass pass;
    enum next next = NEXT_PART;
    if (!cast_pass_begin(&pass, parts, casting, cast, every, problem)) {
        return false;
    }
    while (next != NEXT_DONE && next != NEXT_FAILED) {
        next = cast_pass_next(&pass, 0, problem);
    }
    cast_pass_end(&pass);
    return next == NEXT_DONE;
}
