#include "app/bench/bench_race.h"

#include "app/base/progress.h"

#include <string.h>

// Checks that an element of the list is whole, and comes after the one before it where the method
// promises that. `at`: its index in the list.
static bool race_check_element(
    const struct race *race, const struct racer *racer, const uint32_t *element, uint32_t at,
    uint32_t last, struct problem *problem)
{
    const bool stable = racer->step.method && method_stable(racer->step.method);
    if (stable && at > 0 && *element <= last) {
        return problem_set(
            problem, PROBLEM_CHECK, "%s on %u words did not keep their order: %u before %u",
            racer->name, race->words.count, last, *element);
    }
    for (uint32_t word = 1; word < race->each; word++) {
        if (element[word] != word_stream_payload(*element, word)) {
            return problem_set(
                problem, PROBLEM_CHECK, "%s on %u elements of %u bytes moved only a part of %u",
                racer->name, race->words.count, 4 * race->each, *element);
        }
    }
    return true;
}

// Checks that every kept word occurs once, and each element of the list.
static bool race_check_words(
    struct race *race, const struct racer *racer, const struct word_stream *stream,
    struct problem *problem)
{
    const uint32_t each = race->each, most = CHUNK / each;
    uint64_t sum = 0;
    uint32_t last = 0;
    for (uint32_t at = 0; at < stream->kept;) {
        const uint32_t left = stream->kept - at, count = left < most ? left : most;
        const uint64_t bytes = 4 * (uint64_t)each; // of an element
        if (racer->step.method && racer->step.method->cpu) {
            memcpy(race->chunk, race->cpu.out + at, (size_t)count * 4);
        } else if (!transfer_download(
                       race->gpu, &race->words.list, at * bytes, race->chunk, count * bytes,
                       problem)) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *element = race->chunk + (size_t)i * each;
            if (!race_check_element(race, racer, element, at + i, last, problem)) {
                return false;
            }
            sum += word_stream_hash(*element);
            last = *element;
        }
        at += count;
        if (!progress_go_on(problem)) {
            return false;
        }
    }
    return sum == stream->sum || problem_set(
                                     problem, PROBLEM_CHECK, "%s on %u words kept the wrong ones",
                                     racer->name, race->words.count);
}

// Checks that each entry of the list counts the kept words before it in its block.
static bool race_check_prefix(
    struct race *race, const struct word_stream *stream, const char *name, struct problem *problem)
{
    const uint32_t each = race->each, most = CHUNK / 2 / each;
    uint32_t *sums = race->chunk, *source = race->chunk + CHUNK / 2, before = 0;
    for (uint32_t at = 0; at < stream->count; at += most) {
        const uint32_t left = stream->count - at, count = left < most ? left : most;
        const uint64_t offset = (uint64_t)at * 4, size = (uint64_t)count * 4;
        if (!transfer_download(race->gpu, &race->words.list, offset, sums, size, problem) ||
            !transfer_download(
                race->gpu, &race->words.source, offset * each, source, size * each, problem) ||
            !progress_go_on(problem)) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            before = (at + i) % race->block == 0 ? 0 : before;
            if (sums[i] != before) {
                return problem_set(
                    problem, PROBLEM_CHECK,
                    "%s in blocks of %u: the sum before word %u is %u, expected %u", name,
                    race->block, at + i, sums[i], before);
            }
            before += !(source[i * each] & WORD_INVALID);
        }
    }
    return true;
}

bool race_check(
    struct race *race, const struct racer *racer, const struct word_stream *stream,
    struct problem *problem)
{
    return !racer->step.method && racer->kernel != WORDS_PRESERVE &&
                   racer->kernel < WORDS_APPEND_ELEMENT
               ? race_check_prefix(race, stream, racer->name, problem)
               : race_check_words(race, racer, stream, problem);
}
