// The rays that the device gets, of matrices of floats, against those that the reference makes in
// double of the camera, the volume's place and the pixel.
// ctest: plain
#include "app/picture/cast_show.h"
#include "compute/reference/rays.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cast.h"

// What a ray of the device may be off. In pictures of more pixels, of a small part of the volume,
// and nearer to the eye than the volume's middle, pixels are so small that the floats of the scene
// are rounded by more.
#define PIXEL_OFF 0x1p-12 // pixels
#define SCENE_OFF 0x1p-20 // of half the volume's diagonal

#define VIEW_ANGLE 0.5236f // of the height, in perspective

struct picture {
    struct volume volume; // it has no samples
    struct camera camera;
    uint32_t width, height;
    bool exact; // in the volume's middle its pixels are large enough for PIXEL_OFF
    struct rays rays;
    struct reference_camera from;
    struct reference_model model;
};

static void picture_rays(struct picture *picture, enum up up, float approach)
{
    const float width = (float)picture->width, height = (float)picture->height;
    struct placement placement;
    float target[3], orientation[4];
    placement_of(&picture->volume, up, &placement);
    camera_fit(&picture->camera, placement.corners, 8, 0, width, height);
    camera_approach(&picture->camera, approach);
    cast_show_rays(
        &picture->camera, &placement, picture->width, picture->height, &picture->rays, NULL);
    picture->from = (struct reference_camera){
        .distance = picture->camera.distance,
        .slope = tan((double)VIEW_ANGLE / 2),
        .ortho = picture->camera.ortho,
        .width = picture->width,
        .height = picture->height,
    };
    // What is drawn is the camera with a few bits less, which a text of its pose says.
    camera_round(&picture->camera, target, orientation);
    for (int i = 0; i < 3; i++) {
        picture->from.target[i] = (double)target[i];
    }
    for (int i = 0; i < 4; i++) {
        picture->from.orientation[i] = (double)orientation[i];
    }
    reference_model_of(&picture->volume, placement.axes, &picture->model);
}

// Where a point of the grid is in the picture. Returns the size of a pixel there.
static double project(const struct picture *picture, const double at[3], double pixel[2])
{
    const struct reference_camera *from = &picture->from;
    const double *q = from->orientation, x = q[0], y = q[1], z = q[2], w = q[3];
    const double square = x * x + y * y + z * z + w * w;
    // The camera's axes in the scene, times the square.
    const double axes[3][3] = {
        { square - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) },
        { 2 * (x * y - w * z), square - 2 * (x * x + z * z), 2 * (y * z + w * x) },
        { 2 * (x * z + w * y), 2 * (y * z - w * x), square - 2 * (x * x + y * y) },
    };
    double view[3] = { 0 };
    for (int r = 0; r < 3; r++) {
        double scene = picture->model.to[3][r] - from->target[r];
        for (int c = 0; c < 3; c++) {
            scene += picture->model.to[c][r] * at[c];
        }
        for (int i = 0; i < 3; i++) {
            view[i] += axes[i][r] * scene / square;
        }
    }
    const double depth = from->ortho ? from->distance : from->distance - view[2];
    const double size = 2 * from->slope * depth / from->height;
    pixel[0] = from->width / 2.0 + view[0] / size;
    pixel[1] = from->height / 2.0 - view[1] / size;
    return size;
}

// The ray's point at t is in the middle of pixel x, y.
static void assert_in_pixel(
    const struct picture *picture, const struct reference_ray *ray, double t, uint32_t x,
    uint32_t y, double pixels, double scene)
{
    double at[3], pixel[2];
    point_at(ray, t, at);
    const double size = project(picture, at, pixel);
    const double off = hypot(pixel[0] - x - 0.5, pixel[1] - y - 0.5);
    if (!(off <= fmax(pixels, scene / size))) {
        fail_msg(
            "ray of pixel %u, %u of %ux%u is off by %g pixels of %g at t = %g", x, y,
            picture->width, picture->height, off, size, t);
    }
}

static void assert_rays(const struct picture *picture)
{
    uint32_t met = 0;
    for (int i = 0; i < 500; i++) {
        const uint32_t x = dice(picture->width), y = dice(picture->height);
        struct reference_ray exact, given = { 0 };
        struct ray ray;
        reference_ray_of(&picture->from, &picture->model, x + 0.5, y + 0.5, &exact);
        assert_in_pixel(picture, &exact, 0.5, x, y, 1e-8, 0);
        assert_in_pixel(picture, &exact, 5, x, y, 1e-8, 0);
        if (rays_at(&picture->rays, picture->volume.dim, x, y, &ray)) {
            for (int axis = 0; axis < 3; axis++) {
                given.start[axis] = (double)ray.start[axis];
                given.direction[axis] = (double)ray.direction[axis];
            }
            assert_in_pixel(picture, &given, 0, x, y, PIXEL_OFF, picture->exact ? 0 : SCENE_OFF);
            assert_in_pixel(picture, &given, ray.begin, x, y, PIXEL_OFF, SCENE_OFF);
            assert_in_pixel(picture, &given, ray.end, x, y, PIXEL_OFF, SCENE_OFF);
            met++;
        }
    }
    assert_true(met > 0);
}

// Every up axis; fitted and near; perspective and orthographic; affines that mirror and shear.
static void test_pixels(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {
        { 97, 61 }, { 800, 600 }, { 1, 300 }, { 4096, 4096 }, { 16384, 16384 }
    };
    static const double affines[][9] = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                         { -1, .5, .25, 0, .8, -.5, .1, 0, .9 } };
    seed = 12;
    for (uint32_t i = 0; i < 5 * 2 * 2 * 2 * 3; i++) {
        const uint32_t *size = sizes[i % 5], dim = 24u << 2 * (i / 40);
        const float approach = i / 20 % 2 ? 30 : 1;
        struct picture picture = {
            .volume = { .dim = { dim, dim * 3 / 4, dim / 2 }, .spacing = { 1, 1, 1.5 } },
            .width = size[0],
            .height = size[1],
            .exact = size[0] <= 800 && approach == 1,
        };
        memcpy(picture.volume.direction, affines[i / 10 % 2], sizeof *affines);
        camera_reset(&picture.camera);
        camera_look(&picture.camera, number(-3, 3), number(-1.5f, 1.5f));
        picture.camera.ortho = i / 5 % 2;
        picture_rays(&picture, (enum up)(i % UPS), approach);
        assert_rays(&picture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pixels) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
