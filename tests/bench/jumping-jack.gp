# Figures 9 to 13 and the concatenation of section 6 of Moreira et al. 2009, A Parallel Algorithm for
# Non-Monotonic Stream Compaction (Jumping Jack). See common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1600; height = 780
experiments = "jumping-jack-9 jumping-jack-10 jumping-jack-11 jumping-jack-12 jumping-jack-density"
load system("dirname '".ARG0."'")."/common.gp"

set multiplot layout 2,3 title "Jumping Jack, figures 9 to 13, section 6\n{/*0.8 ".device."}"
set ylabel "milliseconds"
set yrange [0:*]
set xlabel "elements of a block"
set logscale x 2
set xrange [16:2048]
is(e, m, s) = strcol("experiment") eq e && strcol("method") eq m && strcol("stage") eq s

if (counts[1] > 0) {
    set title "Figure 9: two prefix sums over block sizes"
    array scans[2] = ["prefix-doubling", "prefix-tree"]
    array scan_names[2] = ["recursive doubling (Hillis-Steele)", "balanced tree (Blelloch)"]
    plot for [i = 1:2] csv using (column("block")):(ms(whole("jumping-jack-9", scans[i]))) \
        with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) title scan_names[i]
} else { set multiplot next }

if (counts[2] > 0) {
    set title "Figure 10: putting the blocks together, 50 % invalid"
    array parts[2] = ["scan", "concatenate"]
    array part_names[2] = ["inter-block sum", "block-level compaction"]
    plot for [i = 1:2] csv using (column("block")):(ms(is("jumping-jack-10", "jumping-jack", parts[i]))) \
        with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) title part_names[i]
} else { set multiplot next }

unset logscale x
set xrange [0:100]
set xlabel "invalid elements, percent"
if (counts[3] > 0) {
    set title "Figure 11: the whole compaction, blocks of 256"
    array both[3] = ["horn", "jumping-jack", "lookback"]
    plot for [i = 1:3] csv using (100 - column("density")):(ms(whole("jumping-jack-11", both[i]))) \
        with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) title both[i], \
        csv using (100 - column("density")):(ms(whole("jumping-jack-11", "copy"))) \
        with lines lw 1.5 dt 2 lc rgb colour(8) title "copy of as many bytes"
} else { set multiplot next }

if (counts[4] > 0) {
    set title "Figures 12, 13: within the blocks (prefix sum and search)"
    # Two stages that follow each other, summed.
    first = 0
    sum(c) = !c ? NaN : strcol("stage") eq "prefix sum" ? (first = column("median_ms"), NaN) \
        : strcol("stage") eq "search" ? first + column("median_ms") : NaN
    within(m, b) = sum(strcol("experiment") eq "jumping-jack-12" && strcol("method") eq m && column("block") == b)
    array ways[2] = ["horn", "jumping-jack"]
    plot for [i = 1:4] csv using (100 - column("density")):(within(ways[1 + (i + 1) % 2], i <= 2 ? 32 : 256)) \
        with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) \
        title sprintf("%s, blocks of %d", ways[1 + (i + 1) % 2], i <= 2 ? 32 : 256)
} else { set multiplot next }

if (counts[5] > 0) {
    set title "Section 6: the block-level compaction over densities"
    array joined[3] = [32, 256, 2048]
    plot for [i = 1:3] csv using (100 - column("density")):(ms(is("jumping-jack-density", "jumping-jack", "concatenate") \
        && column("block") == joined[i])) \
        with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour(i) title sprintf("blocks of %d", joined[i])
}
unset multiplot
