# Dear ImGui's own Vulkan renderer must not be linked into the program: its vk* prototypes collide with
# volk's variables, and yet the link succeeds.
# ctest: plain
command -v nm >/dev/null || { echo "skipped: nm is not installed"; exit 77; }
symbols=$(nm -C "$CUBIST") || { echo "nm cannot read $CUBIST"; exit 1; }
if ! grep -q 'ImGui_ImplGlfw_NewFrame' <<<"$symbols"; then
    echo "no ImGui symbols at all: this check sees nothing"
    exit 1
fi
if grep 'ImGui_ImplVulkan' <<<"$symbols"; then
    echo "the program holds Dear ImGui's Vulkan renderer"
    exit 1
fi
