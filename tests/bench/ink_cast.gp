# Table 1 and figures 6 to 8 of Hughes et al. 2013, by rays: the time of a frame by caster and method
# on each volume, the lengths of the lists by round, frames over isovalues, sizes of leaves, busy
# lanes, and other tests of a cell. Made from a table of `cubist bench cast`; see common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1500; height = 2000
experiments = "ink-table-1 ink-fig-7 leaf-size efficiency ink-fig-6 ink-fig-8 cell-test"
load system("dirname '".ARG0."'")."/common.gp"

# The volumes in the order of the table, and the ways to cast of the first experiment.
array files[16]
array ways[64]
file_count = 0
way_count = 0
way(x) = strcol("caster").(strcol("method") eq "" ? "" : " ".strcol("method")) \
    .(strcol("form") eq "own kernels" && strcol("method")[1:3] eq "ink" ? ", own" : "")
known(m) = way_count > 0 ? sum [i = 1:way_count] (ways[i] eq m ? 1 : 0) : 0
seen(f) = file_count > 0 ? sum [i = 1:file_count] (files[i] eq f ? 1 : 0) : 0
stats csv using (seen(strcol("file")) ? 0 : (file_count = file_count + 1, files[file_count] = strcol("file"), 0), \
    strcol("experiment") ne "ink-table-1" || known(way(0)) ? 0 \
    : (way_count = way_count + 1, ways[way_count] = way(0), 0)) nooutput
short(path) = system("basename '".path."'")[1:14]
of(e, f) = strcol("experiment") eq e && strcol("file") eq files[f]

set multiplot layout 4,4 title "In-kernel compaction, rays in rounds: table 1 and figures 6 to 8\n{/*0.8 ".device."}"
set key font ",8" maxrows 6
do for [f = 1:4] {
    if (f > file_count || counts[1] == 0) { set multiplot next; continue }
    # A bar for each way, from the rows over all isovalues.
    set title short(files[f]) noenhanced
    set yrange [way_count + 0.6:0.4]
    set xrange [0:*]
    set ytics () noenhanced font ",7"
    do for [w = 1:way_count] { set ytics add (ways[w] w) }
    set xlabel "CPU ms of a frame"
    set xtics rotate by -90 font ",8"
    row_of(x) = sum [w = 1:way_count] (ways[w] eq way(0) ? w : 0)
    plot csv using (0):(of("ink-table-1", f) && strcol("isovalues") ne "" ? row_of(0) : NaN):(0) \
        :(column("cpu_ms")):(row_of(0) - 0.4):(row_of(0) + 0.4) with boxxyerror lc rgb colour(1) notitle
}
set yrange [*:*]
set ytics auto font ",10"
set xtics norotate font ",10"
set xrange [*:*]

if (counts[1] == 0) { set multiplot next } else {
    set title "Rays in the list, by round (wavefront-bvh)"
    set xlabel "round"
    set logscale y
    lists(f) = of("ink-table-1", f) && strcol("stage") eq "list" && way(0) eq "wavefront-bvh ink-compact"
    plot for [f = 1:file_count] csv using (column("round")):(lists(f) && column("rays") > 0 ? column("rays") : NaN) \
        with points pt 7 ps 0.6 lc rgb colour(f) title short(files[f]) noenhanced
    unset logscale
}
if (counts[2] == 0) { set multiplot next } else {
    set title "Figure 7: ".short(files[1]).", CPU ms over isovalues" noenhanced
    set xlabel "isovalue"
    set yrange [0:*]
    array six[6] = ["wavefront-bvh ink-compact", "wavefront-bvh ink-compact, own", "wavefront-bvh ink-collate", \
        "wavefront-bvh ink-collate, own", "wavefront-bvh lookback", "single-bvh"]
    figure(w) = of("ink-fig-7", 1) && strcol("stage") eq "all" && way(0) eq w ? column("cpu_ms") : NaN
    plot for [w = 1:6] csv using (column("iso")):(figure(six[w])) \
        with linespoints pt 7 ps 0.4 lw 1.5 lc rgb colour(w) title six[w]
}
if (counts[3] == 0) { set multiplot next } else {
    set title "Leaves: ".short(files[1]).", CPU ms of a frame" noenhanced
    set xlabel "cells a side"
    set logscale x 2
    set yrange [0:*]
    array trees[3] = ["single-bvh", "kd-jump", "wavefront-bvh"]
    plot for [w = 1:3] csv using (column("leaf")):(of("leaf-size", 1) && strcol("isovalues") ne "" \
        && strcol("caster") eq trees[w] ? column("cpu_ms") : NaN) \
        with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(w) title trees[w]
}
if (counts[4] == 0) { set multiplot next } else {
    set title "Busy lanes: ".short(files[1]).", percent" noenhanced
    set xlabel "lanes of a subgroup"
    set logscale x 2
    set yrange [0:100]
    array singles[3] = ["single-bvh", "kd-jump", "dda"]
    plot for [w = 1:3] csv using (column("subgroup")):(of("efficiency", 1) \
        && strcol("caster") eq singles[w] ? column("busy") : NaN) \
        with points pt 7 ps 0.6 lc rgb colour(w) title singles[w]
}
unset logscale
set xrange [*:*]
set yrange [0:*]
array five[5] = ["ink-compact", "ink-compact, own", "scan-scatter-bl", "chag", "lookback"]
do for [f = 1:4] {
    if (f > file_count || counts[5] == 0) { set multiplot next; continue }
    set title "Figure 6: ".short(files[f]).", frames per second" noenhanced
    set xlabel "isovalue"
    plot for [w = 1:5] csv using (column("iso")):(of("ink-fig-6", f) && way(0) eq "wavefront-bvh ".five[w] \
        ? column("fps") : NaN) with linespoints pt 7 ps 0.4 lw 1.5 lc rgb colour(w) title five[w]
}
if (counts[6] == 0) { set multiplot next } else {
    # The isovalues of a volume side by side, from the least one.
    set title "Figure 8: frames per second at three isovalues"
    set xlabel "volume"
    set xrange [0.5:file_count + 0.5]
    set xtics () noenhanced
    do for [f = 1:file_count] { set xtics add (short(files[f]) f) }
    array eight[3] = ["wavefront-bvh ink-compact", "wavefront-bvh lookback", "single-bvh"]
    at = 0
    place(c, f) = !c ? NaN : (at = at % 3 + 1, f + 0.22 * (at - 2))
    plot for [w = 1:3] for [f = 1:file_count] csv using (place(of("ink-fig-8", f) && way(0) eq eight[w] \
        && strcol("iso") ne "", f)):(column("fps")) with points pt 7 ps 0.7 lc rgb colour(w) title f == 1 ? eight[w] : ""
    set xtics auto
}
if (counts[7] == 0) { set multiplot next } else {
    set title "Tests of a cell: CPU time over that of the first"
    set xlabel "pixels lost, percent"
    set xrange [*:*]
    array tests[5] = ["bernstein", "ends", "neubauer", "marmitt", "step"]
    plot for [t = 1:5] csv using (strcol("experiment") eq "cell-test" && strcol("test") eq tests[t] && column("hits") > 0 \
        ? 100 * column("lost") / column("hits") : NaN):(column("cpu_ratio")) \
        with points pt 7 ps 0.7 lc rgb colour(t) title tests[t]
}
unset multiplot
