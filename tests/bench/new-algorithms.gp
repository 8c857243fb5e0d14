# Figures 7 to 10, table 1 and the sizes of section 4 of Moreira et al., New Algorithms for Stream
# Compaction. See common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1600; height = 780
experiments = "new-algorithms-7 new-algorithms-8 new-algorithms-9 new-algorithms-10 \
    new-algorithms-table-1 new-algorithms-sizes"
load system("dirname '".ARG0."'")."/common.gp"

array ways[5] = ["horn", "jumping-jack", "rlz", "binary-tree", "lookback"]
array blocks[4] = [256, 32, 256, 2048]
set multiplot layout 2,3 title "New algorithms, figures 7 to 10, table 1\n{/*0.8 ".device."}"
set ylabel "milliseconds"
set yrange [0:*]

if (counts[1] > 0) {
    set title "Figure 7: the stages, blocks of 256"
    array stages[5] = ["count", "scan", "prefix sum", "search", "concatenate"]
    array stage_names[5] = ["count", "inter-block sum", "prefix sum or tree", "search", "concatenation"]
    place(m) = m eq ways[1] ? 1 : m eq ways[2] ? 2 : m eq ways[3] ? 3 : m eq ways[4] ? 4 : NaN
    # Three groups: sparse to the right, as in the paper.
    group(d) = d > 70 ? 0 : d > 30 ? 1 : 2
    x(zero) = 5 * group(column("density")) + place(strcol("method"))
    bar(s) = strcol("experiment") eq "new-algorithms-7" \
        && (strcol("stage") eq s || (s eq "prefix sum" && strcol("stage") eq "reduction"))
    set xrange [0:15]
    set xtics ("HN" 1, "JJ" 2, "RLZ" 3, "BT" 4, "HN" 6, "JJ" 7, "RLZ" 8, "BT" 9, "HN" 11, "JJ" 12, "RLZ" 13, "BT" 14)
    set xlabel "10 %                                50 %                                90 % invalid"
    plot for [i = 1:5] csv using (stack(strcol("experiment") eq "new-algorithms-7", strcol("stage") eq "all", \
        column("median_ms")), bar(stages[i]) ? x(0) : NaN):(low):(x(0) - 0.4):(x(0) + 0.4):(low):(high) \
        with boxxyerror lc rgb colour(i) title stage_names[i]
    set xtics auto
} else { set multiplot next }

set xrange [0:100]
set xlabel "invalid elements, percent"
do for [f = 2:4] {
    if (counts[f] > 0) {
        e = word(experiments, f)
        set title sprintf("Figure %d: blocks of %d", f + 6, blocks[f])
        plot for [i = 1:5] csv using (100 - column("density")):(ms(whole(e, ways[i]))) \
            with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) title ways[i], \
            csv using (100 - column("density")):(ms(whole(e, "copy"))) \
            with lines lw 1.5 dt 2 lc rgb colour(8) title "copy of as many bytes"
    } else { set multiplot next }
}

if (counts[5] > 0) {
    # Of each image and block, at the largest size; the blocks of a method are side by side.
    stats csv using (strcol("experiment") eq "new-algorithms-table-1" ? column("size") : NaN) nooutput
    largest = STATS_max
    set title sprintf("Table 1: images of %.0fK, blocks of 32, 128, 512 from left to right", largest / 1024)
    array pictures[6] = ["finger", "i_finger", "hand", "i_hand", "bunny", "i_bunny"]
    set xrange [0.5:6.5]
    set xlabel "image, i_: its negative"
    set xtics () noenhanced
    do for [p = 1:6] { set xtics add (pictures[p] p) }
    picture(z) = sum [p = 1:6] (strcol("image") eq pictures[p] ? p : 0)
    shift(z) = strcol("block") eq "" ? 0 : log(column("block") / 128.0) / log(4) * 0.28
    plot for [i = 1:5] csv using (picture(0) + shift(0)):(ms(whole("new-algorithms-table-1", ways[i]) \
        && column("size") == largest)) with points pt 7 ps 0.8 lc rgb colour(i) title ways[i]
    set xtics auto
} else { set multiplot next }

if (counts[6] > 0) {
    set title "Section 4: time for each M elements, 50 % kept, blocks of 256"
    set xlabel "elements of the stream, K"
    set ylabel "milliseconds / M"
    set xrange [*:*]
    set logscale x 2
    fits(m) = abs(column("density") - 50) < 0.1 && (strcol("block") eq "" || m eq "lookback" || column("block") == 256)
    plot for [i = 1:5] csv using (column("size") / 1024):(ms(whole("new-algorithms-sizes", ways[i]) && fits(ways[i])) \
        * 1048576 / column("size")) with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) title ways[i]
}
unset multiplot
