// Writes shaders.c and shaders.h from SPIR-V modules: reflect FOLDER MODULE.spv...
//
// For each module it finds the size of the push constants, and how each binding of descriptor set 0
// is used. It follows each use of a binding from the variable to loads, stores and atomics. It
// fails on other instructions that take a pointer. test_reflect checks the result by a second
// reader.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers of the SPIR-V specification.
enum {
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_ENTRY_POINT = 15,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_COPY_OBJECT = 83,
    OP_IMAGE_FIRST = 87, // first of the instructions that sample, fetch or gather
    OP_IMAGE_FETCH = 95,
    OP_IMAGE_READ = 98,
    OP_IMAGE_WRITE = 99,
    OP_IMAGE = 100,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_ATOMIC_FIRST = 229, // first of exchange, add, max, ...
    OP_ATOMIC_LAST = 242,
    DECORATION_BINDING = 33,
    DECORATION_OFFSET = 35,
    STORAGE_UNIFORM = 2, // uniform buffers
    STORAGE_PUSH_CONSTANT = 9,
    DIM_BUFFER = 5,
};

#define BINDINGS_MOST 64

struct binding {
    uint32_t number;
    const char *kind;
    bool reads, writes;
};

struct module {
    const char *path;
    char name[256];
    uint32_t *words;
    size_t count;
    uint32_t bound;           // all ids are less than this
    const uint32_t **defined; // by id: the instruction that defines a type or a constant
    uint32_t *number;         // by id: 1 + binding number of a variable; 0: it has none
    uint32_t *root;           // by id: the variable that a pointer or an image comes from
    uint32_t *member_offset;  // by id: the largest offset of a struct's members
    uint32_t *member_last;    // by id: the member at that offset
    struct binding bindings[BINDINGS_MOST];
    uint32_t binding_count, push_size;
};

// The most that one module uses. C compares it with the device's limits.
struct most {
    uint32_t storage, sampled, storage_texels, uniform, all, push_size;
};

static void fail(const struct module *module, const char *what)
{
    fprintf(stderr, "reflect: %s: %s\n", module->path, what);
    exit(1);
}

static void *zeros(size_t count, size_t size)
{
    void *made = calloc(count, size);
    if (!made) {
        fprintf(stderr, "reflect: out of memory\n");
        exit(1);
    }
    return made;
}

static void module_read(struct module *module, const char *path)
{
    *module = (struct module){ .path = path };
    const char *slash = strrchr(path, '/');
    snprintf(module->name, sizeof module->name, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(module->name, '.');
    if (dot) {
        *dot = '\0';
    }
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        fail(module, "cannot be read");
    }
    const long size = ftell(file);
    rewind(file);
    module->count = (size_t)size / 4;
    module->words = zeros(module->count + 1, 4);
    if (size < 20 || fread(module->words, 4, module->count, file) != module->count ||
        module->words[0] != 0x07230203) {
        fail(module, "is not a SPIR-V module");
    }
    fclose(file);
    module->bound = module->words[3];
    module->defined = zeros(module->bound, sizeof *module->defined);
    module->number = zeros(module->bound, sizeof *module->number);
    module->root = zeros(module->bound, sizeof *module->root);
    module->member_offset = zeros(module->bound, sizeof *module->member_offset);
    module->member_last = zeros(module->bound, sizeof *module->member_last);
}

static void module_destroy(struct module *module)
{
    free(module->words);
    free(module->defined);
    free(module->number);
    free(module->root);
    free(module->member_offset);
    free(module->member_last);
}

// Bytes of a type in push constants. Knows only types that occur there.
static uint32_t type_size(const struct module *module, uint32_t type)
{
    const uint32_t *at = module->defined[type];
    switch (at ? at[0] & 0xffff : 0) {
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
        return at[2] / 8;
    case OP_TYPE_VECTOR:
    case OP_TYPE_MATRIX:
        return type_size(module, at[2]) * at[3];
    case OP_TYPE_ARRAY:
        return type_size(module, at[2]) * module->defined[at[3]][3];
    case OP_TYPE_STRUCT:
        return module->member_offset[type] + type_size(module, at[2 + module->member_last[type]]);
    default:
        fail(module, "its push constants have a type of unknown size");
        return 0;
    }
}

static struct binding *module_binding(struct module *module, uint32_t variable)
{
    const uint32_t number = module->number[variable] - 1;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        if (module->bindings[i].number == number) {
            return &module->bindings[i];
        }
    }
    if (module->binding_count == BINDINGS_MOST) {
        fail(module, "has too many bindings");
    }
    const uint32_t *type = module->defined[module->defined[module->defined[variable][1]][3]];
    const bool sampled = (type[0] & 0xffff) == OP_TYPE_SAMPLED_IMAGE;
    if (sampled) {
        type = module->defined[type[2]];
    }
    const char *kind =
        module->defined[variable][3] == STORAGE_UNIFORM ? "SHADER_UNIFORM" : "SHADER_STORAGE";
    if ((type[0] & 0xffff) == OP_TYPE_IMAGE) {
        kind = type[3] != DIM_BUFFER ? (sampled ? "SHADER_SAMPLED" : "SHADER_IMAGE")
               : type[7] == 2        ? "SHADER_STORAGE_TEXELS"
                                     : "SHADER_TEXELS";
    }
    module->bindings[module->binding_count] = (struct binding){ .number = number, .kind = kind };
    return &module->bindings[module->binding_count++];
}

static void module_use(struct module *module, uint32_t variable, bool reads, bool writes)
{
    struct binding *binding = module_binding(module, variable);
    binding->reads |= reads;
    binding->writes |= writes;
}

// First pass: records types, constants, variables and decorations.
static void module_note(struct module *module, const uint32_t *at)
{
    switch (at[0] & 0xffff) {
    case OP_DECORATE:
        if (at[2] == DECORATION_BINDING) {
            module->number[at[1]] = 1 + at[3];
        }
        break;
    case OP_MEMBER_DECORATE:
        if (at[3] == DECORATION_OFFSET && at[4] >= module->member_offset[at[1]]) {
            module->member_offset[at[1]] = at[4];
            module->member_last[at[1]] = at[2];
        }
        break;
    case OP_CONSTANT:
        module->defined[at[2]] = at;
        break;
    case OP_VARIABLE:
        module->defined[at[2]] = at;
        if (at[3] == STORAGE_PUSH_CONSTANT) {
            module->push_size = type_size(module, module->defined[at[1]][3]);
        }
        if (module->number[at[2]]) {
            module->root[at[2]] = at[2];
        }
        break;
    default:
        if ((at[0] & 0xffff) >= OP_TYPE_INT && (at[0] & 0xffff) <= OP_TYPE_POINTER) {
            module->defined[at[1]] = at;
        }
    }
}

// The variable that an operand is derived from; 0: none.
static uint32_t module_root(const struct module *module, uint32_t id)
{
    return id < module->bound ? module->root[id] : 0;
}

// Second pass: records what an instruction reads or writes through a variable.
static void module_follow(struct module *module, const uint32_t *at)
{
    const uint32_t op = at[0] & 0xffff, length = at[0] >> 16;
    if (op == OP_NAME || op == OP_MEMBER_NAME || op == OP_ENTRY_POINT || op == OP_DECORATE ||
        op == OP_MEMBER_DECORATE || op == OP_CONSTANT || op == OP_VARIABLE ||
        (op >= OP_TYPE_INT && op <= OP_TYPE_POINTER)) {
        return;
    }
    const uint32_t third = length > 3 ? module_root(module, at[3]) : 0;
    const uint32_t first = length > 1 ? module_root(module, at[1]) : 0;
    if ((op == OP_ACCESS_CHAIN || op == OP_IN_BOUNDS_ACCESS_CHAIN || op == OP_COPY_OBJECT ||
         op == OP_IMAGE) &&
        third) {
        module->root[at[2]] = third;
    } else if (op == OP_LOAD && third) {
        const uint32_t *type = module->defined[at[1]];
        const uint32_t kind = type ? type[0] & 0xffff : 0;
        if (kind == OP_TYPE_IMAGE || kind == OP_TYPE_SAMPLED_IMAGE) {
            module->root[at[2]] = third; // the loaded image; later instructions read through it
        } else {
            module_use(module, third, true, false);
        }
    } else if ((op >= OP_IMAGE_FIRST && op <= OP_IMAGE_READ) && third) {
        module_use(module, third, true, false);
    } else if (op == OP_IMAGE_WRITE && first) {
        module_use(module, first, false, true);
    } else if (op == OP_STORE && first && !module_root(module, at[2])) {
        module_use(module, first, false, true);
    } else if (op == OP_ATOMIC_LOAD && third) {
        module_use(module, third, true, false);
    } else if (op == OP_ATOMIC_STORE && first) {
        module_use(module, first, false, true);
    } else if (op >= OP_ATOMIC_FIRST && op <= OP_ATOMIC_LAST && third) {
        module_use(module, third, true, true);
    } else {
        // An operand may be a literal that equals an id. Only instructions that take pointers could
        // hide a use: none of them may name a variable or a value derived from one.
        static const uint32_t takes_pointers[] = { 57,  60,  63,  64,  67,   68,   70,  86,
                                                   169, 245, 318, 319, 5614, 5615, 6035 };
        for (size_t i = 0; i < sizeof takes_pointers / sizeof *takes_pointers; i++) {
            for (uint32_t k = 1; takes_pointers[i] == op && k < length; k++) {
                if (module_root(module, at[k])) {
                    fprintf(stderr, "reflect: %s: instruction %u\n", module->path, op);
                    fail(module, "uses a binding in a way that cannot be followed");
                }
            }
        }
    }
}

static void module_reflect(struct module *module)
{
    void (*const turns[])(struct module *, const uint32_t *) = { module_note, module_follow };
    for (int turn = 0; turn < 2; turn++) {
        for (size_t at = 5; at < module->count; at += module->words[at] >> 16) {
            const uint32_t length = module->words[at] >> 16;
            if (length == 0 || length > module->count - at) {
                fail(module, "is cut short");
            }
            turns[turn](module, module->words + at);
        }
    }
}

static void module_write(const struct module *module, FILE *code, FILE *header)
{
    fprintf(code, "\nstatic const uint32_t words_%s[] = {", module->name);
    for (size_t i = 0; i < module->count; i++) {
        fprintf(code, "%s0x%x,", i % 10 ? " " : "\n    ", module->words[i]);
    }
    fprintf(code, "\n};\n");
    if (module->binding_count > 0) {
        fprintf(code, "static const struct shader_binding bindings_%s[] = {\n", module->name);
        for (uint32_t i = 0; i < module->binding_count; i++) {
            const struct binding *binding = &module->bindings[i];
            fprintf(
                code, "    { %u, %s, %d, %d },\n", binding->number, binding->kind, binding->reads,
                binding->writes);
        }
        fprintf(code, "};\n");
    }
    fprintf(
        code, "const struct shader shader_%s = { words_%s, sizeof words_%s, %u, %s%s, %u };\n",
        module->name, module->name, module->name, module->push_size,
        module->binding_count > 0 ? "bindings_" : "0",
        module->binding_count > 0 ? module->name : "", module->binding_count);
    fprintf(header, "extern const struct shader shader_%s;\n", module->name);
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void module_count(const struct module *module, struct most *most)
{
    struct most own = { .all = module->binding_count };
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const char *kind = module->bindings[i].kind;
        own.storage += strcmp(kind, "SHADER_STORAGE") == 0;
        own.storage_texels += strcmp(kind, "SHADER_STORAGE_TEXELS") == 0;
        own.uniform += strcmp(kind, "SHADER_UNIFORM") == 0;
    }
    own.sampled = own.all - own.storage - own.storage_texels - own.uniform;
    most->storage = greater(most->storage, own.storage);
    most->sampled = greater(most->sampled, own.sampled);
    most->storage_texels = greater(most->storage_texels, own.storage_texels);
    most->all = greater(most->all, own.all);
    most->push_size = greater(most->push_size, module->push_size);
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: reflect FOLDER MODULE.spv...\n");
        return 2;
    }
    char path[2][4096];
    FILE *files[2];
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/shaders.%c", arguments[1], i ? 'h' : 'c');
        files[i] = fopen(path[i], "w");
        if (!files[i]) {
            perror(path[i]);
            return 1;
        }
    }
    fprintf(files[0], "// Made by shaders/reflect.c.\n#include \"shaders.h\"\n");
    fprintf(
        files[1],
        "// Made by shaders/reflect.c.\n#pragma once\n\n#include \"shaders/shader.h\"\n\n");
    struct most most = { 0 };
    for (int i = 2; i < count; i++) {
        struct module module;
        module_read(&module, arguments[i]);
        module_reflect(&module);
        module_count(&module, &most);
        module_write(&module, files[0], files[1]);
        module_destroy(&module);
    }
    fprintf(
        files[1],
        "\n// The most that one shader uses.\n"
        "#define SHADERS_STORAGE        %u // storage buffers\n"
        "#define SHADERS_SAMPLED        %u // uniform texel buffers and images\n"
        "#define SHADERS_STORAGE_TEXELS %u\n"
        "#define SHADERS_BINDINGS       %u\n"
        "#define SHADERS_PUSH           %u // bytes of push constants\n",
        most.storage, most.sampled, most.storage_texels, most.all, most.push_size);
    for (int i = 0; i < 2; i++) {
        if (fclose(files[i]) != 0) {
            perror(path[i]);
            return 1;
        }
    }
    return 0;
}
