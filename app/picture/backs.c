#include "app/picture/backs.h"

#include <cglm/cglm.h>
#include <string.h>

// Whether the box is in front of the camera as a whole: nothing of it is cut off.
static bool backs_in_front(const struct backs_view *view)
{
    mat4 clip;
    memcpy(clip, view->clip, sizeof clip);
    for (int corner = 0; corner < 8; corner++) {
        vec4 at = { 0, 0, 0, 1 };
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = corner >> axis & 1 ? (float)(view->dim[axis] - 1) : 0;
        }
        vec4 seen;
        glm_mat4_mulv(clip, at, seen);
        if (!(seen[2] > 0 && seen[3] > 0)) {
            return false;
        }
    }
    return true;
}

bool backs_are_hidden(const struct cubes *cubes, double iso, const struct backs_view *view)
{
    if (!cubes->range || cubes->gaps || !backs_in_front(view)) {
        return false;
    }
    mat4 camera, grid;
    memcpy(camera, view->camera, sizeof camera);
    glm_mat4_inv(camera, grid);
    vec4 eye; // or, in a parallel projection, the direction to it
    glm_mat4_mulv(grid, view->ortho ? (vec4){ 0, 0, 1, 0 } : (vec4){ 0, 0, 0, 1 }, eye);
    for (int axis = 0; axis < 3; axis++) {
        const float last = view->ortho ? 0 : (float)(view->dim[axis] - 1);
        const float slack = 1e-3f * (view->ortho ? glm_vec3_norm(eye) : last);
        // A face that is seen edge on counts as seen.
        const bool low = !(eye[axis] > slack), high = !(eye[axis] < last - slack);
        if ((low && !((double)cubes->faces[2 * axis] < iso)) ||
            (high && !((double)cubes->faces[2 * axis + 1] < iso))) {
            return false;
        }
    }
    return true;
}
