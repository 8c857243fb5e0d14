# Table 1 and figure 7 of Hughes et al. 2013, by rays: the time of a frame by caster and method on
# each volume, the lengths of the lists by round, frames over isovalues, sizes of leaves, and busy
# lanes. Made from a table of `cubist bench cast`; see common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1500; height = 1000
experiments = "ink-table-1 ink-fig-7 leaf-size efficiency"
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

set multiplot layout 2,4 title "In-kernel compaction, rays in rounds: table 1 and figure 7\n{/*0.8 ".device."}"
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
    figure(w) = of("ink-fig-7", 1) && strcol("stage") eq "all" && way(0) eq word(w, 1) \
        .(words(w) > 1 ? " ".word(w, 2) : "").(words(w) > 2 ? ", own" : "") ? column("cpu_ms") : NaN
    array three[3] = ["wavefront-bvh ink-compact", "wavefront-bvh ink-compact own", "single-bvh"]
    plot for [w = 1:3] csv using (column("iso")):(figure(three[w])) \
        with linespoints pt 7 ps 0.4 lw 1.5 lc rgb colour(w) title three[w]
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
unset multiplot
