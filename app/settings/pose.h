// The position of a camera in the volume's world, and its text. The text of a camera is exact: read
// again for the same volume and up axis, it makes the same picture.
#pragma once

#include "app/settings/camera.h"
#include "app/settings/placement.h"

#include <stddef.h>

struct pose {
    double target[3];      // the point that the camera looks at, in the file's coordinates
    double distance;       // from the target to the eye, in the file's unit
    double orientation[4]; // w, x, y, z: the rotation from the camera's axes to the world's; the
                           // camera looks along its -z, and y is up in the picture
};

#define POSE_TEXT 208 // bytes for the text, with its terminating 0

// The shortest "X,Y,Z,DISTANCE,QW,QX,QY,QZ" that is exact.
const char *
pose_text(const struct camera *camera, const struct placement *placement, char text[POSE_TEXT]);

// Reads such a text. False unless it has eight finite numbers, the distance is above 0, and the
// rotation is not all 0.
bool pose_parse(const char *text, struct pose *out);

// Moves the camera to the pose, within the limits of zoom and pan.
void pose_set(const struct pose *pose, const struct placement *placement, struct camera *camera);
