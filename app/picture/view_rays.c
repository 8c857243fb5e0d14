#include "app/picture/view_rays.h"

#include <math.h>

void view_rays(
    const struct view *view, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out)
{
    struct camera_matrices matrices;
    camera_matrices(&view->camera, (float)width, (float)height, &matrices);
    const float(*projection)[4] = (const float(*)[4])matrices.projection;
    struct rays_camera camera = {
        .half_width = 1 / (double)projection[0][0],
        .half_height = 1 / fabs((double)projection[1][1]),
        .ortho = view->camera.ortho,
        .near_plane = (double)projection[3][2] / projection[2][2],
        .width = width,
        .height = height,
    };
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            for (int k = 0; k < 4; k++) {
                camera.to_view[c][r] += (double)matrices.view[k][r] * placement->model[c][k];
            }
        }
    }
    rays_of(&camera, placement->dim, out);
}
