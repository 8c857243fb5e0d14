// ctest: plain twin
// Redzone: removes the words at a given list of positions; and the lists of bricks and cells that
// are reused from step to step.
#include "tests/device.h"

#include "compute/compaction/methods/redzone.h"
#include "compute/compaction/words.h"
#include "compute/extraction/internal.h"

#include <math.h>

#define LARGEST 65537
#define POISON  0xdeadbeefu

static uint32_t list_in[LARGEST], removals[LARGEST], expected[LARGEST],
    found[LARGEST + WORDS_MARGIN];
static bool leaves[LARGEST];
static uint32_t random_state = 1;

static uint32_t random_word(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// ---- a given list ----

// Words on the device, and a removal list beside them.
struct fixture {
    struct words words;
    struct buffer removals;
};

static void open_fixture(struct fixture *fixture)
{
    struct problem problem = { 0 };
    REQUIRE(
        words_create(&gpu, &(struct words_params){ .count = LARGEST }, &fixture->words, &problem));
    REQUIRE(buffer_create(
        &gpu, &(struct buffer_params){ "given removals", sizeof removals, BUFFER_DEVICE },
        &fixture->removals, &problem));
}

static void close_fixture(struct fixture *fixture)
{
    buffer_destroy(&gpu, &fixture->removals);
    words_destroy(&fixture->words);
}

// A word may have any value except the one that marks removed elements.
static void make_list(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        list_in[i] = i * 2654435761u;
        assert_true(list_in[i] != TOMBSTONE);
    }
}

static void poison_list(struct words *words, const struct redzone *redzone)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin(&run, &gpu, cmd, NULL);
    run_fill(&run, &words->list, 0, words->list.size, POISON);
    run_fill(&run, &redzone->orphans, 0, redzone->orphans.size, POISON);
    REQUIRE(gpu_submit_and_wait(&gpu, cmd, &problem));
}

static int by_word(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Removes removals[0..k) from list_in[0..n) and checks everything.
static void
try_removal(struct fixture *fixture, const struct method *method, uint32_t n, uint32_t k)
{
    struct problem problem = { 0 };
    struct words *words = &fixture->words;
    const uint32_t edge = n - k;
    words->count = n;
    words->capacity = n;
    const struct words_step step = {
        .method = method,
        .removals = &fixture->removals,
        .removal_count = k,
        .added = random_word() % (n + 1),
    };
    REQUIRE(words_prepare(words, &step, &problem));
    const struct redzone *redzone = compaction_state(&words->compaction, method);
    poison_list(words, redzone);
    REQUIRE(transfer_upload(&gpu, &words->source, 0, list_in, (uint64_t)n * 4, &problem));
    REQUIRE(transfer_upload(
        &gpu, &fixture->removals, 0, removals, (uint64_t)(k ? k : 1) * 4, &problem));
    struct words_result result;
    REQUIRE(words_run(words, &step, &result, &problem));
    REQUIRE(transfer_download(
        &gpu, &words->list, 0, found, (LARGEST + (uint64_t)WORDS_MARGIN) * 4, &problem));
    assert_int_equal(result.kept, edge);
    assert_int_equal(result.events.removed, k);
    assert_int_equal(result.events.entered, 0);

    memset(leaves, 0, n * sizeof *leaves);
    for (uint32_t i = 0; i < k; i++) {
        assert_false(leaves[removals[i]]); // or the test is wrong
        leaves[removals[i]] = true;
    }
    // As many elements as holes are left over, and they are those of the algorithm. The forms
    // settle an iteration's orphans at once, except those of one kind that have none of the other.
    const bool in_place = method->form == FORM_IN_PLACE;
    const uint32_t turn = strncmp(method->name, "redzone-1", 9) == 0 ? REDZONE_TURN : GROUP;
    uint32_t sources = 0, targets = 0, orphans = 0, work[REDZONE_WORK];
    for (uint32_t i = 0; i < k && k < n; i++) {
        const bool hole = removals[i] < edge, gone = leaves[edge + i];
        sources += !hole && !gone;
        targets += hole && gone;
        if (i == k - 1 || (in_place && i % turn == turn - 1)) {
            orphans += in_place ? targets - (targets < sources ? targets : sources) : targets;
            sources = targets = 0;
        }
    }
    REQUIRE(transfer_download(
        &gpu, &redzone->words, SLOT_WORK * BUFFER_SLOT, work, sizeof work, &problem));
    assert_int_equal(work[REDZONE_EDGE], edge);
    assert_int_equal(work[REDZONE_REMOVED], k < n ? k : 0);
    assert_int_equal(work[REDZONE_SOURCES], orphans);
    assert_int_equal(work[REDZONE_TARGETS], orphans);

    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i < edge && !leaves[i] && found[i] != list_in[i]) {
            fail_msg("%s: %u of %u: element %u was moved", method->name, k, n, i);
        }
        if (!leaves[i]) {
            expected[kept++] = list_in[i];
        }
    }
    for (uint32_t i = n; i < LARGEST + WORDS_MARGIN; i++) {
        if (found[i] != POISON) {
            fail_msg("%s: %u of %u: list[%u] was written", method->name, k, n, i);
        }
    }
    qsort(found, edge, sizeof *found, by_word);
    qsort(expected, edge, sizeof *expected, by_word);
    if (memcmp(found, expected, edge * sizeof *found) != 0) {
        fail_msg("%s: %u of %u: the wrong elements stay", method->name, k, n);
    }
}

static void swap_removals(uint32_t a, uint32_t b)
{
    const uint32_t one = removals[a];
    removals[a] = removals[b];
    removals[b] = one;
}

static void shuffle(uint32_t k)
{
    for (uint32_t i = k; i > 1; i--) {
        swap_removals(i - 1, random_word() % i);
    }
}

// k of n positions, shuffled; `inside` of them are in the red zone.
static void choose_removals(uint32_t n, uint32_t k, uint32_t inside)
{
    static uint32_t pool[LARGEST];
    uint32_t count = 0;
    const struct {
        uint32_t from, to, take;
    } parts[] = { { 0, n - k, k - inside }, { n - k, n, inside } };
    for (int part = 0; part < 2; part++) {
        const uint32_t size = parts[part].to - parts[part].from;
        for (uint32_t i = 0; i < size; i++) {
            pool[i] = parts[part].from + i;
        }
        for (uint32_t i = 0; i < parts[part].take; i++) {
            const uint32_t other = i + random_word() % (size - i), taken = pool[other];
            pool[other] = pool[i];
            removals[count++] = taken;
        }
    }
    assert_int_equal(count, k);
    shuffle(k);
}

static const char *const names[] = { "redzone-1", "redzone-2", "redzone-1:in-place",
                                     "redzone-2:in-place" };

// From 2 % to all elements; the red zone loses none, some, or as many as possible.
static void test_given_removals(void **state)
{
    (void)state;
    static const uint32_t sizes[] = { 1, 2, 31, 33, 255, 256, 257, 1021, 8191, LARGEST };
    static const uint32_t percents[] = { 0, 2, 10, 50, 90, 99, 100 };
    struct fixture fixture;
    open_fixture(&fixture);
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const uint32_t n = sizes[s];
            make_list(n);
            for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
                const uint32_t k = (uint32_t)((uint64_t)n * percents[p] / 100);
                const uint32_t least = k > n - k ? 2 * k - n : 0; // positions that must be inside
                const uint32_t share = (uint32_t)((uint64_t)k * k / n);
                const uint32_t inside[] = { least, share > least ? share : least, k };
                for (int i = 0; i < 3; i++) {
                    choose_removals(n, k, inside[i]);
                    try_removal(&fixture, method_find(names[m]), n, k);
                }
            }
        }
    }
    close_fixture(&fixture);
}

// The order of the removal list does not matter: ascending, descending, the red zone's positions
// first or last.
static void test_orders(void **state)
{
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture);
    const uint32_t n = 5003;
    make_list(n);
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        for (uint32_t k = 700; k < n; k += 1300) {
            choose_removals(n, k, k > n - k ? (3 * k - n) / 2 : k / 2);
            try_removal(&fixture, method_find(names[m]), n, k);
            qsort(removals, k, sizeof *removals, by_word);
            try_removal(&fixture, method_find(names[m]), n, k);
            for (uint32_t i = 0; i < k / 2; i++) {
                swap_removals(i, k - 1 - i);
            }
            try_removal(&fixture, method_find(names[m]), n, k);
        }
    }
    close_fixture(&fixture);
}

static void permute(
    struct fixture *fixture, const struct method *method, uint32_t n, uint32_t k, uint32_t placed)
{
    if (placed == k) {
        try_removal(fixture, method, n, k);
        return;
    }
    for (uint32_t i = placed; i < k; i++) {
        swap_removals(placed, i);
        permute(fixture, method, n, k, placed + 1);
        swap_removals(placed, i);
    }
}

// Every possible removal list of up to five elements.
static void test_every_small_removal(void **state)
{
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture);
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        for (uint32_t n = 1; n <= 5; n++) {
            make_list(n);
            for (uint32_t set = 0; set < 1u << n; set++) {
                uint32_t k = 0;
                for (uint32_t i = 0; i < n; i++) {
                    if (set & 1u << i) {
                        removals[k++] = i;
                    }
                }
                permute(&fixture, method_find(names[m]), n, k, 0);
            }
        }
    }
    close_fixture(&fixture);
}

// A method that works in one workgroup limits the number of removals where a device ends loops.
static void test_one_workgroup_has_a_limit(void **state)
{
    (void)state;
    const struct method *one = method_find("redzone-1"), *two = method_find("redzone-2");
    struct gpu other = gpu;
    other.traits = &traits_cpu;
    const uint64_t longest = method_longest(one, &traits_cpu);
    assert_null(method_refuses(one, &other, longest));
    assert_non_null(method_refuses(one, &other, longest + 1));
    assert_null(method_refuses(two, &other, UINT32_MAX));
    // Its loops: mark, pair, settle half.
    assert_true(longest / REDZONE_TURN * 5 / 2 + 3 < traits_cpu.loop_turns);
    // The form in place has the same loops. A turn of the loop that pairs runs up to four more
    // turns, to store orphans.
    const uint64_t in_place = method_longest(method_find("redzone-1:in-place"), &traits_cpu);
    assert_true(in_place / REDZONE_TURN * 13 / 2 + 8 < traits_cpu.loop_turns);
    // Other devices do not end loops.
    other.traits = &traits_gpu;
    assert_null(method_refuses(one, &other, UINT32_MAX));
}

// ---- lists that live on ----

// A volume, and facts about each of its cells.
struct scene {
    struct volume volume;
    struct bench bench;
    uint64_t cells;
    double *least, *most; // of a cell's corners; both NaN if one is not finite
    bool *was, *is;       // active in the step before, and in this one
    uint64_t was_count;
    const struct method_state *lives; // whose lists the previous step has left
};

static double sample(const struct volume *volume, uint64_t i)
{
    return volume->type == VOLUME_UINT8 ? ((const uint8_t *)volume->samples)[i]
                                        : ((const float *)volume->samples)[i];
}

static void open_scene(struct scene *scene, struct volume volume)
{
    *scene = (struct scene){ .volume = volume };
    bench_open(&scene->bench, &volume, &(struct atlas_params){ 0 });
    const uint64_t x = volume.dim[0], y = volume.dim[1], z = volume.dim[2];
    scene->cells = (x - 1) * (y - 1) * (z - 1);
    scene->least = malloc(scene->cells * sizeof(double));
    scene->most = malloc(scene->cells * sizeof(double));
    scene->was = calloc(scene->cells, sizeof(bool));
    scene->is = calloc(scene->cells, sizeof(bool));
    assert_true(scene->least && scene->most && scene->was && scene->is);
    for (uint64_t i = 0; i < scene->cells; i++) {
        const uint64_t cx = i % (x - 1), cy = i / (x - 1) % (y - 1), cz = i / (x - 1) / (y - 1);
        double least = INFINITY, most = -INFINITY;
        bool finite = true;
        for (int corner = 0; corner < 8; corner++) {
            const uint64_t at =
                ((cz + (corner >> 2)) * y + cy + (corner >> 1 & 1)) * x + cx + (corner & 1);
            const double value = sample(&volume, at);
            finite &= isfinite(value) != 0;
            least = fmin(least, value);
            most = fmax(most, value);
        }
        scene->least[i] = finite ? least : NAN;
        scene->most[i] = finite ? most : NAN;
    }
}

static void close_scene(struct scene *scene)
{
    free(scene->least);
    free(scene->most);
    free(scene->was);
    free(scene->is);
    bench_close(&scene->bench);
    volume_destroy(&scene->volume);
}

// One step, with buffers that grow until it is complete. Returns the number of attempts.
static uint32_t step_until_whole(
    struct scene *scene, const struct method *method, double iso, struct extraction_result *result)
{
    struct problem problem = { 0 };
    const struct extraction_step step = {
        .iso = iso,
        .method = method,
        .target = &scene->bench.surface,
    };
    for (uint32_t attempt = 1; attempt < 8; attempt++) {
        REQUIRE(extraction_attempt(scene->bench.extraction, &step, result, &problem));
        if (result->whole) {
            return attempt;
        }
        scene->lives = NULL;
    }
    fail_msg("%s, isovalue %g: never whole", method->name, iso);
    return 0;
}

// One step, compared with the facts about the cells: the set of active cells, and the events that
// the method reports.
static uint32_t try_step(struct scene *scene, const struct method *method, double iso)
{
    struct problem problem = { 0 };
    struct extraction_result result;
    const uint32_t attempts = step_until_whole(scene, method, iso, &result);
    uint64_t count = 0, entered = 0, removed = 0;
    for (uint64_t i = 0; i < scene->cells; i++) {
        scene->is[i] = scene->least[i] < iso && scene->most[i] >= iso;
        count += scene->is[i];
        entered += scene->is[i] && !scene->was[i];
        removed += scene->was[i] && !scene->is[i];
    }
    assert_int_equal(result.active_cells, count);
    struct cell_list cells;
    REQUIRE(extraction_cells(scene->bench.extraction, &result, &cells, &problem));
    bool *const listed = scene->was;
    memset(listed, 0, scene->cells * sizeof *listed);
    for (uint64_t i = 0; i < cells.count; i++) {
        if (!scene->is[cells.cells[i]] || listed[cells.cells[i]]) {
            fail_msg(
                "%s, isovalue %g: cell %llu %s", method->name, iso,
                (unsigned long long)cells.cells[i],
                listed[cells.cells[i]] ? "is there twice" : "should not be there");
        }
        listed[cells.cells[i]] = true;
    }
    cell_list_destroy(&cells);
    if (method->removes) {
        const bool reused = scene->lives == method->state;
        assert_int_equal(result.cells_events.removed, reused ? removed : 0);
        assert_int_equal(result.cells_events.entered, reused ? entered : count);
    }
    scene->lives = method->removes ? method->state : NULL;
    return attempts;
}

static struct volume generate(const char *name, const uint32_t dim[3], enum volume_type type)
{
    struct problem problem = { 0 };
    struct volume volume;
    REQUIRE(volume_generate(name, dim, type, &volume, &problem));
    return volume;
}

// Redzone's plain methods, and sometimes another method, after which the lists are made anew.
static const struct method *any_method(void)
{
    const uint32_t turn = random_word() % 10;
    const struct method *other = method_at(random_word() % method_count());
    return turn < 8 || method_unavailable(other, &gpu) ? method_find(names[turn % 2]) : other;
}

static void walk(struct scene *scene, uint32_t steps, double from, double to)
{
    double iso = from;
    for (uint32_t i = 0; i < steps; i++) {
        // Usually a small step, sometimes a jump.
        const double share = random_word() % 10001 / 10000.0;
        iso = random_word() % 4 ? iso + (to - from) * 0.02 * (share * 2 - 1)
                                : from * (1 - share) + to * share;
        try_step(scene, any_method(), iso);
    }
}

static void test_a_thousand_steps(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, generate("default", (uint32_t[]){ 48, 48, 48 }, VOLUME_UINT8));
    walk(&scene, 1000, -5, 260);
    close_scene(&scene);
}

// Cells with a corner that is not finite are never active. Also uses the image form of the atlas.
static void test_gaps(void **state)
{
    (void)state;
    struct volume volume = generate("default", (uint32_t[]){ 37, 30, 21 }, VOLUME_FLOAT32);
    float *samples = volume.samples;
    double least = samples[0], most = samples[0];
    for (uint64_t i = 0; i < volume_count(&volume); i++) {
        least = fmin(least, samples[i]);
        most = fmax(most, samples[i]);
    }
    for (int i = 0; i < 400; i++) {
        samples[random_word() % volume_count(&volume)] = i % 3 ? NAN : INFINITY;
    }
    struct scene scene;
    open_scene(&scene, volume);
    walk(&scene, 150, least, most);
    close_scene(&scene);
}

// A list that exceeds its capacity: the step is not complete, the buffer grows, and the list is
// made anew.
static void test_growing(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    uint32_t grown = 0;
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        struct volume volume;
        REQUIRE(volume_create((uint32_t[]){ 70, 24, 25 }, VOLUME_UINT8, &volume, &problem));
        for (uint64_t i = 0; i < volume_count(&volume); i++) {
            ((uint8_t *)volume.samples)[i] = (uint8_t)random_word();
        }
        struct scene scene;
        open_scene(&scene, volume);
        const struct method *method = method_find(names[m]);
        // A few cells, some more, nearly all, and back.
        static const double isos[] = { 255, 254, 250, 240, 200, 128, 240, 20, 255, 300, 128 };
        for (size_t i = 0; i < sizeof isos / sizeof *isos; i++) {
            grown += try_step(&scene, method, isos[i]) - 1;
        }
        close_scene(&scene);
    }
    assert_true(grown >= 4);
}

// Records a step without one barrier and never runs it. Returns the number of barriers. The next
// step must not reuse its lists.
static uint32_t record_only(struct scene *scene, struct tracker *tracker, uint32_t drop)
{
    struct problem problem = { 0 };
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    *tracker = (struct tracker){ 0 };
    const uint32_t messages = gpu.messages;
    run_begin_dropping(&run, &gpu, cmd, tracker, drop);
    extraction_record(
        scene->bench.extraction, &run,
        &(struct extraction_step){
            .iso = 100,
            .method = scene->bench.extraction->step.method,
            .target = &scene->bench.surface,
        });
    assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
    gpu_drop(&gpu, cmd);
    // The validation layers rightly complain about the missing barrier.
    gpu.messages = drop == UINT32_MAX ? gpu.messages : messages;
    scene->lives = NULL;
    return run.barriers;
}

// As in test_barriers.c, for the passes of a reused list.
static void test_barriers_of_a_list_that_lives_on(void **state)
{
    (void)state;
    static struct tracker tracker;
    struct scene scene;
    open_scene(&scene, generate("default", (uint32_t[]){ 40, 21, 20 }, VOLUME_UINT8));
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        const struct method *method = method_find(names[m]);
        try_step(&scene, method, 90);
        const uint32_t barriers = record_only(&scene, &tracker, UINT32_MAX);
        if (tracker.hazards) {
            fail_msg("%s: %s", method->name, tracker.first);
        }
        for (uint32_t drop = 1; drop < barriers; drop++) {
            try_step(&scene, method, 90 + drop % 3);
            assert_int_equal(record_only(&scene, &tracker, drop), barriers);
            if (tracker.hazards == 0) {
                fail_msg("%s: nobody missed barrier %u of %u", method->name, drop, barriers);
            }
        }
    }
    close_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_removals),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_every_small_removal),
        cmocka_unit_test(test_one_workgroup_has_a_limit),
        cmocka_unit_test(test_a_thousand_steps),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_barriers_of_a_list_that_lives_on),
    };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
