// Methods and a kernel that only copies take turns on one stream, so that disturbances of the
// machine affect all alike. The first round is not counted; it checks the kept words. Every round
// checks their number.
#include "app/bench/bench_race.h"
#include "app/base/cache.h"
#include "app/base/progress.h"
#include "app/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shuffles positions in the same way in every run, so that no method profits from neighbouring
// writes by luck, and uploads them.
static bool race_put_places(
    struct race *race, uint32_t *places, uint32_t count, struct buffer *out,
    struct problem *problem)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = (uint32_t)(word_stream_hash(i) % i);
        const uint32_t place = places[i - 1];
        places[i - 1] = places[other];
        places[other] = place;
    }
    return count == 0 || transfer_upload(race->gpu, out, 0, places, (uint64_t)count * 4, problem);
}

// Spreads the `count` words of race->chunk, and adds the other words of their elements.
static void race_add_payload(struct race *race, uint32_t count)
{
    const uint32_t each = race->each;
    for (uint32_t i = count; each > 1 && i-- > 0;) {
        const uint32_t first = race->chunk[i];
        for (uint32_t word = 1; word < each; word++) {
            race->chunk[i * each + word] = word_stream_payload(first & ~WORD_INVALID, word);
        }
        race->chunk[i * each] = first;
    }
}

static bool race_make_stream(struct race *race, struct word_stream *stream, struct problem *problem)
{
    const uint32_t most = CHUNK / race->each;
    uint32_t kept = 0;
    race->removal_count = 0;
    while (stream->at < stream->count) {
        const uint32_t at = stream->at, left = stream->count - at;
        const uint32_t count = left < most ? left : most;
        word_stream_next(stream, race->chunk, count);
        if (race->cpu.in) {
            memcpy(race->cpu.in + at, race->chunk, (size_t)count * 4);
        }
        for (uint32_t i = 0; race->removals && i < count; i++) {
            if (race->chunk[i] & WORD_INVALID) {
                race->removals[race->removal_count++] = at + i;
            } else {
                race->removals[stream->count - ++kept] = at + i;
            }
        }
        race_add_payload(race, count);
        const uint64_t bytes = 4 * (uint64_t)race->each; // of an element
        if (!progress_go_on(problem) ||
            !transfer_upload(
                race->gpu, &race->words.source, at * bytes, race->chunk, count * bytes, problem)) {
            return false;
        }
    }
    return !race->removals ||
           (race_put_places(race, race->removals, race->removal_count, &race->places, problem) &&
            (!race->preserved.handle ||
             race_put_places(
                 race, race->removals + race->removal_count, kept, &race->preserved, problem)));
}

// If a list is given, methods that read the words first mark the words to remove. With FORM_MARK
// the same kernel does the work of their first pass.
static bool race_run_on_device(
    struct race *race, const struct racer *racer, struct words_result *result,
    struct problem *problem)
{
    const bool mark = racer->given && !racer->step.method->removes;
    const bool count = mark && racer->step.method->form == FORM_MARK && race->removal_count > 0;
    double start = clock_ms(), mark_ms = 0;
    if (mark && race->removal_count > 0) {
        if (!words_bench_run(
                &race->bench, &race->words, count ? WORDS_MARK_COUNT : WORDS_MARK, &race->places,
                race->removal_count, NULL, &mark_ms, problem)) {
            return false;
        }
        mark_ms = mark_ms > 0 ? mark_ms : clock_ms() - start;
    }
    struct words_step step = racer->step;
    step.first_pass = count;
    if (racer->given && step.method->removes) {
        step.removals = &race->places;
        step.removal_count = race->removal_count;
    }
    if (race->experiment && race->experiment->adds) {
        step.added = race->removal_count;
    }
    start = clock_ms();
    if (!words_run(&race->words, &step, result, problem)) {
        return false;
    }
    result->ms = result->ms > 0 ? result->ms : clock_ms() - start;
    if (mark && result->stage_count < STOPWATCH_STAGES) {
        result->stages[result->stage_count] = stage_of(STAGE_MARK);
        result->stage_ms[result->stage_count++] = mark_ms;
        result->ms += mark_ms;
    }
    return true;
}

// Runs a participant that is no method. `result` has no stages.
static bool race_run_kernel(
    struct race *race, const struct racer *racer, const struct word_stream *stream,
    struct words_result *result, struct problem *problem)
{
    const double start = clock_ms();
    result->kept = stream->kept; // a prefix sum keeps nothing
    if (!words_bench_run(
            &race->bench, &race->words, racer->kernel, racer->given ? &race->preserved : NULL,
            racer->given ? stream->kept : race->words.count, &result->kept, &result->ms, problem)) {
        return false;
    }
    result->ms = result->ms > 0 ? result->ms : clock_ms() - start;
    return true;
}

static bool race_run_racer(
    struct race *race, uint32_t at, const struct word_stream *stream, uint32_t round,
    struct problem *problem)
{
    struct racer *racer = &race->racers[at];
    struct words_result result = { 0 };
    if (!racer->step.method) {
        if (!race_run_kernel(race, racer, stream, &result, problem)) {
            return false;
        }
    } else if (racer->step.method->cpu) {
        bench_cpu_run(
            &race->cpu, racer->step.method, stream->count, racer->given ? race->removals : NULL,
            race->removal_count, &result);
    } else if (!race_run_on_device(race, racer, &result, problem)) {
        return false;
    }
    if (result.kept != stream->kept || result.wrapped) {
        return problem_set(
            problem, PROBLEM_CHECK, "%s on %u words kept %u of them, expected %u", racer->name,
            race->words.count, result.kept, stream->kept);
    }
    racer->ran = result.method;
    racer->stage_count = result.stage_count;
    memcpy(racer->stages, result.stages, sizeof racer->stages);
    if (round == 0) {
        return race_check(race, racer, stream, problem);
    }
    turns_put(&race->turns, at, 0, round, result.ms);
    turns_put(&race->turns, at, SERIES_SPINS, round, result.events.spins);
    turns_put(&race->turns, at, SERIES_FALLBACKS, round, result.events.fallbacks);
    turns_put(&race->turns, at, SERIES_LATE, round, result.events.late);
    for (uint32_t s = 0; s < result.stage_count; s++) {
        turns_put(&race->turns, at, 1 + s, round, result.stage_ms[s]);
    }
    return true;
}

// Moves as many bytes as the smallest possible compaction of the stream: half of them are read, and
// half are written.
static bool race_run_copy_racer(
    struct race *race, const struct word_stream *stream, uint32_t round, struct problem *problem)
{
    const uint32_t half = (uint32_t)(((uint64_t)stream->count + stream->kept) / 2);
    double ms;
    const double start = clock_ms();
    if (!words_bench_run(
            &race->bench, &race->words, WORDS_COPY, NULL, half > 0 ? half : 1, NULL, &ms,
            problem)) {
        return false;
    }
    const double wall = clock_ms() - start;
    turns_put(&race->turns, race->racer_count, 0, round, ms > 0 ? ms : wall);
    return true;
}

static bool race_add_rows(
    struct race *race, const struct word_stream *stream, const char *image, struct problem *problem)
{
    const double copy_ms = turns_timings(&race->turns, race->racer_count, 0).median_ms;
    struct bench_row row = {
        .experiment = race->experiment,
        .size = stream->count,
        .subgroup = race->plan->subgroup_size,
        .element = 4 * race->each,
        .work = race->work,
        .kept = stream->kept,
        .asked = stream->asked,
        .share = stream->pattern.share,
        .repeat = race->turns.repeat,
        .copy_ms = copy_ms,
    };
    pattern_text(&stream->pattern, row.pattern);
    snprintf(row.image, sizeof row.image, "%s", image);
    for (uint32_t i = 0; i <= race->racer_count; i++) {
        const struct racer *racer = i < race->racer_count ? &race->racers[i] : NULL;
        const struct method *method = racer ? racer->step.method : NULL;
        const bool removes = method && method->removes;
        const bool whole = racer && (racer->given || racer->kernel >= WORDS_APPEND_ELEMENT);
        const bool blocks = method ? method->blocks : !whole && race->plan->block_count > 1;
        // The stages of `auto` differ from round to round.
        const bool parts = method && race->plan->stages && !method->selects;
        const uint32_t stages = parts ? racer->stage_count : 0;
        row.method = racer ? racer->name : "copy";
        row.ran = method && method->selects ? racer->ran->name : NULL;
        row.concatenated = racer && racer->step.concatenate;
        row.list = !racer ? NULL : racer->given ? "given" : removes ? "made" : NULL;
        row.block = blocks ? race->block : 0;
        row.stage = NULL;
        row.waits = method && method->has_events && !method->removes;
        row.spins = turns_timings(&race->turns, i, SERIES_SPINS).mean_ms;
        row.fallbacks = turns_timings(&race->turns, i, SERIES_FALLBACKS).mean_ms;
        row.late = turns_timings(&race->turns, i, SERIES_LATE).mean_ms;
        row.time = turns_timings(&race->turns, i, 0);
        bool fine = bench_add_row(race->table, &row, problem);
        for (uint32_t s = 0; s < stages && fine; s++) {
            if (racer->stages[s].kind == STAGE_COPY) {
                continue;
            }
            row.stage = racer->stages[s].name;
            row.time = turns_timings(&race->turns, i, 1 + s);
            fine = bench_add_row(race->table, &row, problem);
        }
        if (!fine) {
            return false;
        }
    }
    return true;
}

static bool race_turn(void *user, uint32_t i, uint32_t round, struct problem *problem)
{
    struct race *race = user;
    round += round > 0 ? race->seed * race->repeat : 0;
    return i < race->racer_count ? race_run_racer(race, i, race->stream, round, problem)
                                 : race_run_copy_racer(race, race->stream, round, problem);
}

// Makes the words of a stream after word_stream_begin, once for each seed, and runs all
// participants on them. `image`: the name of the image, or "".
static bool race_run_stream(
    struct race *race, const struct word_stream *begun, const char *image, struct problem *problem)
{
    struct word_stream stream;
    bool fine = true;
    race->stream = &stream;
    for (race->seed = 0; fine && race->seed * race->repeat < race->turns.repeat; race->seed++) {
        stream = *begun;
        word_stream_seed(&stream, race->seed);
        fine = race_make_stream(race, &stream, problem) &&
               turns_run(race->racer_count + 1, race->repeat, race_turn, race, problem);
    }
    return fine && race_add_rows(race, &stream, image, problem);
}

static bool race_run_patterns(struct race *race, uint32_t size, struct problem *problem)
{
    const struct plan *plan = race->plan;
    for (uint32_t p = 0; p < plan->pattern_count; p++) {
        const struct pattern *pattern = &plan->patterns[p];
        const uint32_t densities = pattern_takes_density(pattern) ? plan->density_count : 1;
        for (uint32_t d = 0; d < densities; d++) {
            struct word_stream stream;
            race->words.count = race->words.capacity = size;
            if (word_stream_begin(&stream, pattern, NULL, size, plan->densities[d])) {
                if (!race_run_stream(race, &stream, "", problem)) {
                    return false;
                }
                continue;
            }
            char what[160], text[32];
            snprintf(
                what, sizeof what, "%s with %g %% kept", pattern_text(pattern, text),
                plan->densities[d]);
            if (!bench_add_gap(
                    race->table, race->experiment, what,
                    "too few elements are left outside of the red zone to remove the rest from",
                    problem)) {
                return false;
            }
        }
    }
    return true;
}

// The name of an image: for a file, without its folder.
static const char *race_short_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

// Square images of as many elements as fit `size`, and their negatives.
static bool race_run_images(struct race *race, uint32_t size, struct problem *problem)
{
    const struct plan *plan = race->plan;
    const uint32_t side = (uint32_t)sqrt(size);
    uint8_t *mask = malloc((size_t)side * side);
    bool fine = mask || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for an image");
    for (uint32_t i = 0; i < plan->image_count && fine; i++) {
        for (int negative = 0; negative < 2 && fine; negative++) {
            char name[264];
            snprintf(
                name, sizeof name, "%s%.260s", negative ? "i_" : "",
                race_short_name(plan->images[i]));
            bench_image_mask(&race->images[i], side, plan->threshold, negative, mask);
            struct word_stream stream;
            race->words.count = race->words.capacity = side * side;
            word_stream_begin(
                &stream, &(struct pattern){ .kind = PATTERN_MASK }, mask, side * side, 0);
            fine = race_run_stream(race, &stream, name, problem);
        }
    }
    free(mask);
    return fine;
}

// Why the method cannot take part; NULL: it can. *fatal: the problem in *refused ends the run.
static const char *race_refusal(
    struct race *race, const struct words_step *step, uint32_t size, struct problem *refused,
    bool *fatal)
{
    const char *why = NULL;
    const bool only_words = step->method->cpu || step->method->removes; // it reads only the top bit
    *fatal = false;
    if (race->each > 1 && (only_words || step->concatenate)) {
        return "it moves words of 4 bytes";
    }
    if (race->work > 0 && only_words) {
        return "its predicate does no work";
    }
    if (step->method->cpu) {
        if (race->cpu.in || bench_cpu_create(size, &race->cpu, refused)) {
            return NULL;
        }
        return refused->text;
    }
    why = method_refuses(step->method, race->gpu, size);
    if (!why && !words_prepare(&race->words, step, refused)) {
        *fatal = refused->kind == PROBLEM_DEVICE_LOST || !problem_of_device(refused->kind);
        why = refused->text;
    }
    return why;
}

// Adds the method, and if requested a second time with a given list. If the method cannot run, adds
// a gap with the reason.
static bool race_add_racer(
    struct race *race, const struct method *method, uint32_t size, struct problem *problem)
{
    const struct words_step step = {
        .method = method,
        .concatenate = race->plan->concatenate && method->blocks,
        .stages = race->plan->stages,
    };
    struct problem refused = { 0 };
    bool fatal;
    const char *why = race_refusal(race, &step, size, &refused, &fatal);
    if (fatal) {
        *problem = refused;
        return false;
    }
    if (why) {
        char what[160], text[16];
        snprintf(what, sizeof what, "%s on %s", method->name, plan_size_text(size, text));
        return bench_add_gap(race->table, race->experiment, what, why, problem);
    }
    race->racers[race->racer_count++] = (struct racer){
        .name = method->name,
        .step = step,
    };
    if (race->plan->removals) {
        race->racers[race->racer_count++] = (struct racer){
            .name = method->name,
            .step = step,
            .given = true,
        };
    }
    return true;
}

// Allocates the list of removals.
static bool race_make_room(struct race *race, uint32_t size, struct problem *problem)
{
    const struct buffer_params places = { .name = "removals", .size = (uint64_t)size * 4 };
    race->removals = malloc((size_t)size * 4);
    return (race->removals ||
            problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the list of removals")) &&
           buffer_create(race->gpu, &places, &race->places, problem) &&
           (!race->experiment || !race->experiment->preserves ||
            buffer_create(race->gpu, &places, &race->preserved, problem));
}

// Adds the participants that are no methods.
static void race_add_kernels(struct race *race, bool first)
{
    const struct experiment *of = race->experiment;
    for (enum words_kernel i = WORDS_PRESERVE; of && i < WORDS_KERNELS; i++) {
        if (i == WORDS_PRESERVE        ? of->preserves && first
            : i < WORDS_APPEND_ELEMENT ? of->prefixes
                                       : of->atomics && first) {
            race->racers[race->racer_count++] = (struct racer){
                .name = words_bench_name(i),
                .kernel = i,
                .given = i == WORDS_PRESERVE,
            };
        }
    }
}

// Runs all streams of one size for one size of blocks. Methods without blocks run only if `first`.
static bool race_run_block(struct race *race, uint32_t size, bool first, struct problem *problem)
{
    const struct plan *plan = race->plan;
    const struct words_params params = {
        .count = size,
        .block = race->block,
        .subgroup_size = plan->subgroup_size,
        .times = race->times,
        .payload = race->each - 1,
        .work = race->work,
    };
    struct problem refused = { 0 };
    race->racer_count = 0;
    bool fine = words_create(race->gpu, &params, &race->words, &refused) &&
                (!plan->removals || race_make_room(race, size, &refused));
    if (!fine && refused.kind != PROBLEM_DEVICE_LOST && problem_of_device(refused.kind)) {
        char what[160], text[16];
        snprintf(what, sizeof what, "streams of %s", plan_size_text(size, text));
        fine = bench_add_gap(race->table, race->experiment, what, refused.text, problem);
        goto done;
    }
    if (!fine) {
        *problem = refused;
    }
    race_add_kernels(race, first);
    const uint32_t rows = plan->all_methods ? method_count() : plan->method_count;
    for (uint32_t i = 0; i < rows && fine; i++) {
        const struct method *method = plan->all_methods ? method_at(i) : plan->methods[i];
        if (first || method->blocks) {
            fine = race_add_racer(race, method, size, problem);
        }
    }
    if (race->racer_count > 0) {
        fine =
            fine && race_run_patterns(race, size, problem) && race_run_images(race, size, problem);
    }
done:
    free(race->removals);
    race->removals = NULL;
    bench_cpu_destroy(&race->cpu);
    buffer_destroy(race->gpu, &race->places);
    buffer_destroy(race->gpu, &race->preserved);
    words_bench_destroy(race->gpu, &race->bench);
    words_destroy(&race->words);
    return fine;
}

// Loads the saved times if one of the methods selects another method.
static void race_load_times(struct race *race)
{
    const struct plan *plan = race->plan;
    bool picks = plan->all_methods;
    for (uint32_t i = 0; i < plan->method_count; i++) {
        picks |= plan->methods[i]->selects;
    }
    race->times = picks ? malloc(sizeof *race->times) : NULL;
    if (race->times && !times_cache_load(race->gpu, race->times)) {
        free(race->times);
        race->times = NULL;
    }
}

bool bench_streams(
    struct gpu *gpu, const struct plan *plan, const struct experiment *experiment, uint32_t repeat,
    struct bench_table *table, struct problem *problem)
{
    struct race race = {
        .gpu = gpu,
        .plan = plan,
        .experiment = experiment,
        .table = table,
        .repeat = repeat,
        .chunk = malloc(CHUNK * sizeof(uint32_t)),
    };
    const uint32_t seeds = plan->seeds ? plan->seeds : 1;
    bool fine =
        turns_create(RACERS + 1, SERIES, repeat * seeds, &race.turns, problem) &&
        (race.chunk || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the timings"));
    for (uint32_t i = 0; i < plan->image_count && fine; i++) {
        fine = bench_image_open(plan->images[i], &race.images[i], problem);
    }
    race_load_times(&race);
    struct progress_meter meter;
    const struct progress progress =
        progress_to_terminal(&meter, experiment ? experiment->name : "measuring");
    const uint32_t blocks = plan->block_count, works = blocks * plan->work_count;
    const uint32_t elements = works * plan->element_count, parts = elements * plan->size_count;
    for (uint32_t i = 0; i < parts && fine; i++) {
        race.block = plan->blocks[i % blocks];
        race.work = plan->works[i % works / blocks];
        race.each = plan->elements[i % elements / works] / 4;
        fine = race_run_block(&race, plan->sizes[i / elements], i % blocks == 0, problem);
        progress.report(progress.user, (i + 1) / (double)parts);
    }
    progress_end(&meter);
    for (uint32_t i = 0; i < PLAN_IMAGES; i++) {
        bench_image_close(&race.images[i]);
    }
    free(race.times);
    turns_destroy(&race.turns);
    free(race.chunk);
    return fine;
}
