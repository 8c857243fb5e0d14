// The slices as tiles of a picture, and the levels of a pyramid over them.
#ifndef LIB_TILES
#define LIB_TILES

// Texels of a level over so many texels, along both sides.
uvec2 level_size(uvec2 base, uint level)
{
    return (base + (1u << level) - 1u) >> level;
}

// The texel of a cell, with `cols` tiles of `dim` texels side by side.
uvec2 tile_texel(uvec3 cell, uint cols, uvec2 dim)
{
    return uvec2(cell.z % cols, cell.z / cols) * dim + cell.xy;
}

#endif
