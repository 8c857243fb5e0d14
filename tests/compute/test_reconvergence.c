// ctest: plain
// Modules that ask for reconvergence: the words of the module, an extension after the capabilities,
// and a mode after the entry point; nothing else. spirv-val finds them valid, if it is there.
#include "compute/gpu/gpu.h"
#include "shaders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct shader *const shaders[] = {
    &shader_edges_buffer,
    &shader_triangles,
    &shader_ink_collate_cells,
    &shader_lookback_words,
};

static void check_words(const struct shader *shader, enum reconvergence how, const char *name)
{
    uint32_t size;
    uint32_t *words = reconvergence_ask(shader, how, &size);
    assert_non_null(words);
    const uint32_t text = (uint32_t)strlen(name) / 4 + 1, count = shader->code_size / 4;
    assert_int_equal(size / 4, count + 1 + text + 3);
    // Without the two new instructions it is the module as it was.
    uint32_t at = 5, from = 5, asked = 0, modes = 0;
    while (at < size / 4) {
        const uint32_t op = words[at] & 0xffff, length = words[at] >> 16;
        assert_true(length > 0);
        if (op == 10 && strcmp((const char *)(words + at + 1), name) == 0) {
            asked++;
        } else if (op == 16 && words[at + 2] == (how == RECONVERGENCE_UNIFORM ? 4421 : 6023)) {
            modes++;
        } else {
            assert_memory_equal(words + at, shader->code + from, length * 4);
            from += length;
        }
        at += length;
    }
    assert_int_equal(asked, 1);
    assert_int_equal(modes, 1);
    assert_int_equal(from, count);
    if (how == RECONVERGENCE_UNIFORM && system("command -v spirv-val >/dev/null") == 0) {
        FILE *val = popen("spirv-val --target-env vulkan1.3 --scalar-block-layout -", "w");
        assert_non_null(val);
        assert_int_equal(fwrite(words, 1, size, val), size);
        assert_int_equal(pclose(val), 0);
    }
    free(words);
}

static void test_modules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        check_words(shaders[i], RECONVERGENCE_UNIFORM, "SPV_KHR_subgroup_uniform_control_flow");
        check_words(shaders[i], RECONVERGENCE_MAXIMAL, "SPV_KHR_maximal_reconvergence");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_modules) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
