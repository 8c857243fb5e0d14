#include "app/picture/sides.h"

// Rounded outwards, and by one pixel more.
static VkRect2D
sides_rectangle(const struct picture *picture, const VkRect2D *area, const float within[4])
{
    const double across = area->extent.width / 2.0, down = area->extent.height / 2.0;
    const double left = area->offset.x + (within[0] + 1) * across;
    const double top = area->offset.y + (within[1] + 1) * down;
    const double right = area->offset.x + (within[2] + 1) * across;
    const double bottom = area->offset.y + (within[3] + 1) * down;
    return picture_inside(
        picture, (int64_t)left - 2, (int64_t)top - 2, (int64_t)right + 2, (int64_t)bottom + 2);
}

struct sides sides_of(
    const struct light_source *source, const struct backs_view *view, bool mirrored,
    const struct picture *picture, VkRect2D area, bool twice)
{
    const VkCullModeFlags backs = mirrored ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT;
    const VkCullModeFlags fronts = mirrored ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT;
    float within[4];
    struct sides sides = { .whole = picture_area(picture, area) };
    const enum backs seen =
        source->cubes ? backs_of(source->cubes, source->iso, view, within) : BACKS_SEEN;
    if (seen == BACKS_HIDDEN) {
        sides.culled = backs;
    } else if (seen == BACKS_WITHIN && twice) {
        sides.culled = backs;
        sides.within = sides_rectangle(picture, &area, within);
        sides.again = sides.within.extent.width > 0 ? fronts : VK_CULL_MODE_NONE;
    }
    return sides;
}
