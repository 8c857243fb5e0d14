#!/usr/bin/env bash
# ctest: plain
# Which layer may include which: app -> compute -> volumes, shaders; and the few libraries that a single
# file each may use. Then proves on a copy that it detects forbidden includes.
set -u
root=${CUBIST_SOURCE:?the source folder}
failed=0

# forbid WHAT PATTERN FILES...: no #include line of these files may match the pattern.
forbid() {
    local what=$1 pattern=$2 hits
    shift 2
    [ $# -gt 0 ] || return 0
    hits=$(grep -nHP "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]($pattern)" "$@")
    if [ -n "$hits" ]; then
        printf '%s:\n%s\n' "$what" "$hits"
        failed=1
    fi
}

sources() { # FOLDER [FILES to leave out, as a pattern]
    find "$1" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.glsl' \
        -o -name '*.comp' -o -name '*.vert' -o -name '*.frag' \) | grep -vE "${2:-^$}" | sort
}

check() {
    cd "$1" || exit 1
    failed=0
    local volumes base compute gpu compaction reference shaders
    mapfile -t volumes < <(sources volumes)
    mapfile -t base < <(sources volumes/base)
    mapfile -t compute < <(sources compute)
    mapfile -t gpu < <(sources compute/gpu)
    mapfile -t compaction < <(sources compute/compaction)
    mapfile -t reference < <(sources compute/reference)
    mapfile -t shaders < <(sources shaders)
    mapfile -t no_window < <(sources . '^\./(app/viewer/(window\.c|ui_imgui\.cpp)$|tests/|build)')
    mapfile -t all_sources < <(sources . '^\./(tests/|build)')
    mapfile -t no_imgui < <(sources . '^\./(app/viewer/ui_(choice|form|imgui|kit|methods|over|rays|table|times)\.cpp$|tests/|build)')
    mapfile -t no_cglm < <(sources . '^\./(app/|tests/|build)')
    mapfile -t no_jansson < <(sources . '^\./(app/base/json\.h$|tests/|build)')
    mapfile -t no_png < <(sources . '^\./(app/picture/png\.c$|tests/|build)')
    mapfile -t no_mpi < <(sources . '^\./(app/ranks/ranks_mpi\.c$|tests/|build)')
    mapfile -t no_volk < <(sources . '^\./(app/|compute/|tests/|build)')

    forbid "volumes/ knows nobody above it" '(compute|app|shaders|tests)/' "${volumes[@]}"
    forbid "volumes/base knows nobody" '(compute|app|shaders|tests)/|volumes/(?!base/)' "${base[@]}"
    forbid "compute/ does not know app/" '(app|tests)/' "${compute[@]}"
    forbid "compute/gpu knows no cubes" \
        'compute/(extraction|compaction|reference|atlas|mesh)|volumes/(?!base/)' "${gpu[@]}"
    forbid "compute/compaction knows no volumes" \
        'compute/(extraction|reference|atlas|mesh)|volumes/(?!base/)' "${compaction[@]}"
    mapfile -t no_methods < <(sources . '^\./(compute/compaction/methods/|tests/|build)')
    forbid "a method is known in its own folder only" 'compute/compaction/methods/' "${no_methods[@]}"
    forbid "compute/reference needs no device" 'compute/(gpu|extraction|compaction|atlas)|volk|vulkan' \
        "${reference[@]}"
    forbid "compute/reference does not know what is compared with it" 'compute/casting/' "${reference[@]}"
    forbid "shaders/ knows nobody" '(volumes|compute|app|tests)/' "${shaders[@]}"
    forbid "GLFW stands behind app/viewer/window.c (and the interface's GLFW part)" 'GLFW/|.*imgui_impl_glfw' \
        "${no_window[@]}"
    forbid "nothing needs the headers of Xlib" 'X11/' "${all_sources[@]}"
    forbid "Dear ImGui stands behind app/viewer/ui_*.cpp" '(.*/)?imgui' "${no_imgui[@]}"
    forbid "jansson stands behind app/base/json.h" 'jansson' "${no_jansson[@]}"
    forbid "stb_image_write stands behind app/picture/png.c" '(.*/)?stb_image_write' "${no_png[@]}"
    forbid "MPI stands behind app/ranks/ranks_mpi.c" '(.*/)?mpi\.h' "${no_mpi[@]}"
    forbid "cglm is app's" 'cglm/' "${no_cglm[@]}"
    forbid "Vulkan is compute's and app's" 'volk|vulkan/' "${no_volk[@]}"
    # Every include says its layer.
    mapfile -t all < <(sources . '^\./(shaders/|tests/|build)')
    forbid "includes are written from the root" '\.\.?/' "${all[@]}"

    local stb
    stb=$(grep -lE '#[[:space:]]*include.*stb_image\.h' "${all[@]}" | wc -l)
    if [ "$stb" -gt 1 ] || grep -lE '#[[:space:]]*include.*stb_image\.h' "${all[@]}" | grep -qv '^\./volumes/'; then
        echo "stb_image belongs in one file of volumes/"
        failed=1
    fi

    local xlib # which is looked up by name
    xlib=$(grep -nHE '"(libX11|XSet|glfwGetX11)' $(sources app '^app/viewer/x11\.c$'))
    if [ -n "$xlib" ]; then
        printf '%s:\n%s\n' "Xlib stands behind app/viewer/x11.c" "$xlib"
        failed=1
    fi
    return $failed
}

( check "$root" ) || exit 1

# The check itself is checked: each of these lines must be noticed.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/tree"
cp -r "$root"/{app,compute,volumes,shaders} "$copy/tree/"
while read -r file line; do
    mkdir -p "$(dirname "$copy/tree/$file")"
    before=nothing
    [ ! -f "$copy/tree/$file" ] || { cp "$copy/tree/$file" "$copy/kept"; before=something; }
    printf '%s\n' "$line" >>"$copy/tree/$file"
    if ( check "$copy/tree" ) >/dev/null 2>&1; then
        echo "not noticed: '$line' in $file"
        exit 1
    fi
    if [ $before = something ]; then cp "$copy/kept" "$copy/tree/$file"; else rm "$copy/tree/$file"; fi
done <<'LINES'
volumes/volume.c #include "compute/mesh/mesh.h"
volumes/volume.c #include "app/viewer/viewer.h"
volumes/volume.c #include <volk.h>
compute/mesh/mesh.c #include "app/base/json.h"
compute/gpu/gpu.c #include "volumes/volume.h"
compute/gpu/gpu.c #include "compute/atlas.h"
compute/compaction/new.c #include "volumes/volume.h"
compute/compaction/new.c #include "compute/extraction/extraction.h"
compute/compaction/compaction.c #include "compute/compaction/methods/redzone.h"
compute/extraction/step.c #include "compute/compaction/methods/redzone.h"
compute/reference/reference.c #include "compute/gpu/gpu.h"
compute/reference/cast.c #include "compute/casting/rays.h"
shaders/new.comp #include "compute/mesh/mesh.h"
app/cli/session.c #include <GLFW/glfw3.h>
app/viewer/window.c #include <X11/Xlib.h>
app/viewer/window.c void *library = dlopen("libX11.so.6", RTLD_LAZY);
app/cli/session.c #include <imgui/imgui.h>
app/cli/session.c #include <stb/stb_image.h>
app/picture/scene_save.c #include <stb/stb_image_write.h>
volumes/formats/slice_image.c #include <stb/stb_image_write.h>
app/cli/command_info.c #include <jansson.h>
app/ranks/ranks_one.c #include <mpi.h>
compute/mesh/mesh.c #include <cglm/cglm.h>
app/cli/session.c #include "../volumes/volume.h"
LINES
( check "$copy/tree" ) >/dev/null || { echo "the copy was not restored"; exit 1; }
echo "layers hold"
