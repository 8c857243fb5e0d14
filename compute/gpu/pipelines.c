#include "compute/gpu/pipelines.h"

#include <stdlib.h>
#include <string.h>

static bool pipelines_alike(const struct made_pipeline *a, const struct made_pipeline *b)
{
    return a->shader == b->shader && a->subgroup_size == b->subgroup_size &&
           a->has_constants == b->has_constants &&
           memcmp(a->constants, b->constants, sizeof a->constants) == 0;
}

static struct made_pipeline *pipelines_push(struct made_pipeline **list, struct made_pipeline *made)
{
    made->next = *list;
    *list = made;
    return made;
}

struct made_pipeline *
pipelines_find(struct made_pipeline **list, const struct made_pipeline *wanted)
{
    for (struct made_pipeline **link = list; *link; link = &(*link)->next) {
        struct made_pipeline *found = *link;
        if (pipelines_alike(found, wanted)) {
            *link = found->next;
            return pipelines_push(list, found);
        }
    }
    return NULL;
}

struct made_pipeline *pipelines_add(struct made_pipeline **list, const struct made_pipeline *made)
{
    struct made_pipeline *copy = malloc(sizeof *copy);
    if (!copy) {
        return NULL;
    }
    *copy = *made;
    return pipelines_push(list, copy);
}

void pipelines_forget(struct made_pipeline **list, VkDevice device, uint32_t most)
{
    for (struct made_pipeline **link = list; *link;) {
        struct made_pipeline *made = *link;
        if (made->kernels > 0 || most > 0) {
            most -= made->kernels == 0;
            link = &made->next;
            continue;
        }
        *link = made->next;
        if (device) {
            vkDestroyPipeline(device, made->pipeline, NULL);
        }
        free(made);
    }
}
