#include "volumes/affine.h"

#include <float.h>
#include <math.h>

bool affine_set(
    struct volume *volume, const double steps[3][3], const double origin[3], const char *path,
    struct problem *problem)
{
    double unit[3][3], spacing[3];
    for (int a = 0; a < 3; a++) {
        if (!isfinite(origin[a])) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': the origin %g %g %g is not finite", path, origin[0],
                origin[1], origin[2]);
        }
        spacing[a] = hypot(hypot(steps[a][0], steps[a][1]), steps[a][2]);
        // FLT_MIN .. FLT_MAX: vertices are floats and cannot be told apart below or above that.
        if (!isfinite(spacing[a]) || spacing[a] < (double)FLT_MIN || spacing[a] > (double)FLT_MAX) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': the step (%g, %g, %g) along %c is not a spacing; expected one that is "
                "finite and not zero",
                path, steps[a][0], steps[a][1], steps[a][2], "xyz"[a]);
        }
        for (int i = 0; i < 3; i++) {
            unit[a][i] = steps[a][i] / spacing[a];
        }
    }
    const double det = unit[0][0] * (unit[1][1] * unit[2][2] - unit[1][2] * unit[2][1]) -
                       unit[0][1] * (unit[1][0] * unit[2][2] - unit[1][2] * unit[2][0]) +
                       unit[0][2] * (unit[1][0] * unit[2][1] - unit[1][1] * unit[2][0]);
    if (!(fabs(det) > 1e-6)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the axes (%g, %g, %g), (%g, %g, %g), (%g, %g, %g) lie in one plane", path,
            unit[0][0], unit[0][1], unit[0][2], unit[1][0], unit[1][1], unit[1][2], unit[2][0],
            unit[2][1], unit[2][2]);
    }
    for (int a = 0; a < 3; a++) {
        volume->spacing[a] = spacing[a];
        volume->origin[a] = origin[a];
        for (int i = 0; i < 3; i++) {
            volume->direction[3 * i + a] = unit[a][i];
        }
    }
    return true;
}

bool affine_set_spacing(
    struct volume *volume, const double spacing[3], const char *path, struct problem *problem)
{
    const double steps[3][3] = { { spacing[0], 0, 0 }, { 0, spacing[1], 0 }, { 0, 0, spacing[2] } };
    const double origin[3] = { volume->origin[0], volume->origin[1], volume->origin[2] };
    return affine_set(volume, steps, origin, path, problem);
}

void affine_flip(double steps[3][3], double origin[3], const double flip[2])
{
    for (int i = 0; i < 2; i++) {
        for (int a = 0; a < 3; a++) {
            steps[a][i] = steps[a][i] == 0 ? 0 : flip[i] * steps[a][i]; // avoids negative zeros
        }
        origin[i] = origin[i] == 0 ? 0 : flip[i] * origin[i];
    }
}
