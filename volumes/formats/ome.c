// Images of OME-Zarr: the attribute "multiscales" of a group, since 0.5 within "ome".
#include "volumes/formats/zarr.h"

#include <stdio.h>
#include <string.h>

const json_t *ome_image(const json_t *attributes)
{
    const json_t *ome = json_object_get(attributes, "ome");
    const json_t *images = json_object_get(ome ? ome : attributes, "multiscales");
    const json_t *image = json_array_get(images, 0);
    return json_array_size(json_object_get(image, "datasets")) > 0 ? image : NULL;
}

size_t ome_levels(const json_t *image)
{
    return json_array_size(json_object_get(image, "datasets"));
}

const char *ome_level_path(const json_t *image, size_t level)
{
    return metadata_member(json_array_get(json_object_get(image, "datasets"), level), "path");
}

// Applies scales and translations, in their order. The first ones are a level's, then come those of
// all levels.
static bool ome_transform(
    const json_t *transforms, const char *what, struct zarr_array *array, struct problem *problem)
{
    for (size_t i = 0; i < json_array_size(transforms); i++) {
        const json_t *transform = json_array_get(transforms, i);
        const char *type = metadata_member(transform, "type");
        const bool scale = strcmp(type, "scale") == 0;
        double by[ZARR_AXES];
        if (!scale && strcmp(type, "translation") != 0) {
            continue; // identity, and what only newer versions have
        }
        if (!metadata_reals(json_object_get(transform, type), by, array->axes)) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': the %s of the OME image does not have one number for each of %zu axes", what,
                scale ? "scale" : "translation", array->axes);
        }
        for (size_t a = 0; a < array->axes; a++) {
            struct zarr_axis *axis = &array->axis[a];
            axis->step *= scale ? by[a] : 1;
            axis->start = scale ? axis->start * by[a] : axis->start + by[a];
        }
    }
    return true;
}

bool ome_place(
    const json_t *image, size_t level, const char *what, struct zarr_array *array,
    struct problem *problem)
{
    static const char *const always[] = { "t", "c", "z", "y", "x" }; // before 0.3
    static const struct {
        const char *type;
        enum zarr_role role;
    } roles[] = { { "space", ZARR_SPACE }, { "time", ZARR_TIME }, { "channel", ZARR_CHANNEL } };
    const json_t *axes = json_object_get(image, "axes");
    const json_t *datasets = json_object_get(image, "datasets");
    if (axes ? json_array_size(axes) != array->axes : array->axes != 5) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': the OME image names %zu axes, its array has %zu", what,
            axes ? json_array_size(axes) : 5, array->axes);
    }
    for (size_t i = 0; i < array->axes; i++) {
        const json_t *of = json_array_get(axes, i);
        const char *name = json_is_string(of) ? metadata_text(of) : metadata_member(of, "name");
        const char *type = metadata_member(of, "type");
        zarr_axis_name(&array->axis[i], axes ? name : always[i], metadata_member(of, "unit"));
        for (size_t k = 0; k < 3; k++) {
            if (strcmp(type, roles[k].type) == 0) {
                array->axis[i].role = roles[k].role;
            }
        }
    }
    const json_t *own =
        json_object_get(json_array_get(datasets, level), "coordinateTransformations");
    return ome_transform(own, what, array, problem) &&
           ome_transform(json_object_get(image, "coordinateTransformations"), what, array, problem);
}
