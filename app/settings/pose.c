#include "app/settings/pose.h"

#include "app/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Quaternions here are w, x, y, z.
static void pose_multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// The rotation from the scene to the world. The columns of placement->axes are the world's axes in
// the scene, so they are the rows of this rotation.
static void pose_to_world(const struct placement *placement, double out[4])
{
    const float(*m)[3] = placement->axes;
    // Four times the square of each component of the quaternion, from the matrix's diagonal.
    const double squares[4] = {
        1 + m[0][0] + m[1][1] + m[2][2],
        1 + m[0][0] - m[1][1] - m[2][2],
        1 - m[0][0] + m[1][1] - m[2][2],
        1 - m[0][0] - m[1][1] + m[2][2],
    };
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    // products[i][j] is four times component i times component j.
    const double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    const double xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
    const double products[4][4] = {
        { squares[0], wx, wy, wz },
        { wx, squares[1], xy, xz },
        { wy, xy, squares[2], yz },
        { wz, xz, yz, squares[3] },
    };
    for (int i = 0; i < 4; i++) {
        out[i] = products[largest][i] / (2 * sqrt(squares[largest]));
    }
}

static void
pose_of(const struct camera *camera, const struct placement *placement, struct pose *out)
{
    float target[3], orientation[4];
    double to_world[4];
    camera_round(camera, target, orientation);
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int r = 0; r < 3; r++) {
            sum += (double)placement->axes[i][r] * target[r];
        }
        out->target[i] = placement->centre[i] + placement->units * sum;
    }
    out->distance = placement->units * camera->distance;
    const double q[4] = { orientation[3], orientation[0], orientation[1], orientation[2] };
    pose_to_world(placement, to_world);
    pose_multiply(to_world, q, out->orientation);
    // Sums that should be 0 differ from it by rounding errors, far below what camera_round keeps.
    for (int i = 0; i < 3; i++) {
        out->target[i] = fabs(out->target[i]) < 1e-12 * placement->units ? 0 : out->target[i];
    }
    for (int i = 0; i < 4; i++) {
        out->orientation[i] = fabs(out->orientation[i]) < 1e-12 ? 0 : out->orientation[i];
    }
}

void pose_set(const struct pose *pose, const struct placement *placement, struct camera *camera)
{
    double to_world[4], q[4], length = 0;
    pose_to_world(placement, to_world);
    const double to_scene[4] = { to_world[0], -to_world[1], -to_world[2], -to_world[3] };
    pose_multiply(to_scene, pose->orientation, q);
    for (int i = 0; i < 4; i++) {
        length += q[i] * q[i];
    }
    // An orientation from pose_text has unit length, except for rounding. It must not change.
    const double scale = fabs(length - 1) < 1e-5 ? 1 : 1 / sqrt(length);
    const float orientation[4] = { (float)(q[1] * scale), (float)(q[2] * scale),
                                   (float)(q[3] * scale), (float)(q[0] * scale) };
    float target[3];
    for (int r = 0; r < 3; r++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += placement->axes[i][r] * (pose->target[i] - placement->centre[i]);
        }
        target[r] = (float)fmin(fmax(sum / placement->units, -1e6), 1e6);
    }
    const double distance = fmin(pose->distance / placement->units, 1e6);
    camera_place(camera, target, (float)distance, orientation);
}

static bool pose_draws_the_same(const struct camera *a, const struct camera *b)
{
    float targets[2][3], orientations[2][4];
    camera_round(a, targets[0], orientations[0]);
    camera_round(b, targets[1], orientations[1]);
    for (int i = 0; i < 3; i++) {
        if (targets[0][i] != targets[1][i]) {
            return false;
        }
    }
    for (int i = 0; i < 4; i++) {
        if (orientations[0][i] != orientations[1][i]) {
            return false;
        }
    }
    return a->distance == b->distance;
}

const char *
pose_text(const struct camera *camera, const struct placement *placement, char text[POSE_TEXT])
{
    struct pose pose, read;
    pose_of(camera, placement, &pose);
    // More than 17 digits would not help: with an origin that many box sizes away no text is exact.
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(
            text, POSE_TEXT, "%.*g,%.*g,%.*g,%.*g,%.*g,%.*g,%.*g,%.*g", digits, pose.target[0],
            digits, pose.target[1], digits, pose.target[2], digits, pose.distance, digits,
            pose.orientation[0], digits, pose.orientation[1], digits, pose.orientation[2], digits,
            pose.orientation[3]);
        struct camera again = *camera;
        if (pose_parse(text, &read)) {
            pose_set(&read, placement, &again);
            if (pose_draws_the_same(&again, camera)) {
                break;
            }
        }
    }
    return text;
}

bool pose_parse(const char *text, struct pose *out)
{
    const char *starts[8];
    size_t lengths[8];
    double values[8];
    if (split(text, ',', 8, starts, lengths) != 8) {
        return false;
    }
    for (int i = 0; i < 8; i++) {
        if (!number_parse(starts[i], lengths[i], &values[i])) {
            return false;
        }
    }
    double length = 0;
    for (int i = 0; i < 4; i++) {
        out->orientation[i] = values[4 + i];
        length += values[4 + i] * values[4 + i];
    }
    memcpy(out->target, values, sizeof out->target);
    out->distance = values[3];
    return out->distance > 0 && length > 0 && isfinite(length);
}
