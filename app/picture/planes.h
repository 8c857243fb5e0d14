// Caps and sections of a scene: what fills their pixels, before the scene is drawn.
#pragma once

#include "app/picture/scene.h"
#include "compute/casting/section.h"

// Whether the scene shows caps or sections: the view has them, and the samples are on the device.
bool planes_are_shown(const struct scene *scene);

// Sets what section_record needs for these pixels of the picture, with so many samples each.
void planes_params(
    const struct scene *scene, VkRect2D pixels, uint32_t samples, struct section_params *out);
