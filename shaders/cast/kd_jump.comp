#version 460
// Casts a ray per pixel down an implicit min/max kd-tree, without a stack (Hughes and Lim 2009,
// Kd-jump).
//
// A bit per depth tells whether the farther child at that depth is still to be visited. On the way back
// the ray jumps to the depth of the highest bit. The shifts of the levels give the node there from the
// current node, and the planes of that node give the times at which the ray enters and leaves it. A
// child that the isovalue misses is never entered. In a leaf the ray goes from cell to cell.

#include "cubes.glsl"
#include "tile_cast.glsl"
#include "tree.glsl"

// The position of a ray in the tree.
struct Descent {
    uvec3 node;
    uint depth;
    Level level;    // the level at `depth`
    float from, to; // the t at which the ray enters and leaves the node
    uint later;     // bit d: the farther child at depth d + 1 is still to be visited
    bool done;      // the node is finished
};

// Goes to the farther child that is still to be visited at the greatest depth.
void jump(inout Descent at, Ray ray, float begin, float end)
{
    const uint bit = uint(findMSB(at.later));
    const Level level = tree_level(bit + 1);
    const uvec3 shift = level_shift(level), cells = shift + LEAF_SHIFT;
    at.node = (at.node >> (shift - level_shift(at.level))) ^ level_axis(level);
    at.depth = bit + 1;
    at.level = level;
    at.later ^= 1u << bit;
    at.done = false;
    const vec3 low = vec3(at.node << cells), high = vec3(at.node + 1 << cells);
    at.from = max(begin, greatest_of(plane_times(ray, mix(high, low, ray.up))));
    at.to = min(end, least_of(plane_times(ray, mix(low, high, ray.up))));
}

// Whether the surface may be in the node. The ray must meet the node: other nodes need not exist.
bool node_counts(Level level, uvec3 node, cast_contour contour)
{
    return cube_counts(tree_word(tree_node(level, node)), contour);
}

// Of the children that the ray meets and that may have the surface, goes to the nearer one.
void descend(inout Descent at, Ray ray, cast_contour contour)
{
    const Level level = tree_level(at.depth + 1);
    const uvec3 axis = level_axis(level), lower = at.node << axis;
    const bvec3 along = notEqual(axis, uvec3(0));
    const vec3 planes = plane_times(ray, vec3(lower + axis << level_shift(level) + LEAF_SHIFT));
    const float half_way = mix(mix(planes.z, planes.y, along.y), planes.x, along.x);
    const uvec3 near = lower + axis * uvec3(not(ray.up)), far = lower + axis * uvec3(ray.up);
    bool go_near = at.from < half_way, go_far = half_way < at.to;
    if (go_near) {
        go_near = node_counts(level, near, contour);
    }
    if (go_far) {
        go_far = node_counts(level, far, contour);
    }
    at.later |= uint(go_near && go_far) << at.depth;
    at.node = mix(far, near, bvec3(go_near));
    at.to = mix(at.to, min(at.to, half_way), go_near);
    at.from = mix(max(at.from, half_way), at.from, go_near);
    at.depth++;
    at.level = level;
    at.done = !(go_near || go_far);
}

// Goes on to the next leaf that may have the surface. Returns false if the ray has ended.
bool find_leaf(inout Walk walk, inout Descent at, Ray ray, float begin, float end, cast_contour contour)
{
    bool found = false;
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        walk.ended = at.done && at.later == 0;
        if (walk.ended) {
            break;
        }
        if (at.done) {
            jump(at, ray, begin, end);
        }
        found = level_of_leaves(at.level);
        if (found) {
            break;
        }
        descend(at, ray, contour);
    }
    return found;
}

uvec2 cast_ray(Ray ray, cast_contour contour, inout Walk walk)
{
    const float begin = search_begin(ray, push.begin), end = search_end(ray);
    const float side = float(1u << LEAF_SHIFT);
    const Level root = tree_level(0);
    Descent at = Descent(uvec3(0), 0, root, begin, end, 0, false);
    Found found = found_nothing();
    bool inside = false; // whether the ray is in a leaf
    walk.ended = !(begin < end) || !node_counts(root, at.node, contour);
    for (; walk.turns < CAST_TURNS && !walk.ended; walk.turns++) {
        if (!inside && find_leaf(walk, at, ray, begin, end, contour)) {
            const vec3 low = vec3(at.node) * side;
            walk.t = at.from;
            walk.cell = cell_at(ray, walk.t, low, min(low + side, LAST));
            at.done = true;
            inside = true;
        }
        inside = inside && pass_cells(walk, ray, end, contour.iso.key, vec3(at.node), side);
        if (inside) {
            search_cell(walk, ray, end, contour.iso, found);
        }
    }
    return hit_found(walk, found);
}
