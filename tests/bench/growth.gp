# The time of an isovalue step against the volume's size and against the surface's: the table is
# that of tests/bench/growth.py. See common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1200; height = 520
experiments = ""
load system("dirname '".ARG0."'")."/common.gp"

names = "ball specks default noise"
array titles[4] = ["a ball of 30 samples' radius", "noise, 300,000 active cells", \
    "the default volume", "noise, 1 % of the cells active"]
of(row) = strcol("row") eq row ? column("median_ms") : NaN

set multiplot layout 1,2 title "One isovalue step on cubes of 64^3 to 512^3 samples\n{/*0.8 ".device."}"
set logscale xy
set ylabel "milliseconds"
set format x "10^{%L}"
set key below Left reverse samplen 2 spacing 1.1 maxrows 2
set xlabel "samples of the volume"
plot for [i = 1:4] csv using (column("voxels")):(of(word(names, i))) \
    with linespoints pt 7 ps 0.7 lw 1.8 lc rgb colour(i) title titles[i]
set xlabel "active cells"
plot for [i = 1:4] csv using (column("active_cells")):(of(word(names, i))) \
    with linespoints pt 7 ps 0.7 lw 1.8 lc rgb colour(i) title titles[i]
unset multiplot
