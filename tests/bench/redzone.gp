# Figures 4 to 7 of Bontes and Gain 2024, Redzone: a row each, a column for each k; figure 6 shows
# how the phases of redzone-2 share its time at the largest size. See common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1400; height = 1500
experiments = "redzone-4 redzone-5 redzone-6 redzone-7"
load system("dirname '".ARG0."'")."/common.gp"

array removed[4] = [2, 10, 50, 90]
set multiplot layout 4,4 title "Redzone, figures 4 to 7\n{/*0.8 ".device."}"
near(c, k) = c && abs(column("k") - k) < 0.5
set key below Left reverse samplen 2 spacing 1.0 maxrows 4 font ",9"

# Row `f`, over sizes. `names` with a minus are of a list given: every other method marks by it first.
do for [row = 1:4] {
    f = word("4 5 6 7", row)
    if (f eq "6") {
        largest = 0
        if (counts[row] > 0) {
            stats csv using (strcol("experiment") eq "redzone-6" ? column("size") : NaN) nooutput
            largest = STATS_max
        }
        array phases[3] = ["redzone mark", "redzone pair", "redzone settle"]
        array phase_names[3] = ["phase 1: mark", "phase 2: pair", "phase 3: settle"]
        unset logscale
        set xlabel "r: removed elements in the red zone, percent"
        set ylabel "share of the time, percent"
        set xrange [-15:115]
        set yrange [0:100]
        # The whole of the row before its stages; what it is made of, of that.
        all = 0
        part(c, s) = !c ? NaN : strcol("stage") eq "all" ? (all = column("median_ms"), high = 0, NaN) \
            : (low = high, high = low + 100 * column("median_ms") / all, strcol("stage") eq s ? column("r") : NaN)
        do for [k = 1:3] {
            if (counts[row] == 0) { set multiplot next; continue }
            set title sprintf("Figure 6: k = %d %%, n = %.0fK", removed[k], largest / 1024)
            mine(z) = near(strcol("experiment") eq "redzone-6" && strcol("list") eq "given" \
                && strcol("method") eq "redzone-2" && column("size") == largest, removed[k])
            plot for [p = 1:3] csv using (part(mine(0), phases[p])):(low):(column("r") - 10) \
                :(column("r") + 10):(low):(high) with boxxyerror lc rgb colour(p) title phase_names[p]
        }
        set multiplot next
        continue
    }
    e = "redzone-".f
    names = f eq "4" ? "redzone-2 scan-scatter-bl ink-compact count-scan-compact lookback" \
        : f eq "5" ? "redzone-1 single-pass lookback" : "cpu-redzone cpu-stencil cpu-remove"
    set logscale xy
    set xlabel "n, thousands of elements"
    set ylabel "milliseconds"
    set xrange [*:*]
    set yrange [*:*]
    do for [k = 1:4] {
        if (counts[row] == 0) { set multiplot next; continue }
        set title sprintf("Figure %s: k = %d %%", f, removed[k])
        given(m) = near(whole(e, m) && strcol("list") eq "given", removed[k])
        made(m) = near(whole(e, m) && strcol("list") eq "made", removed[k])
        plot for [i = 1:words(names)] csv using (column("size") / 1024):(ms(given(word(names, i)))) \
            with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(i) title word(names, i), \
            csv using (column("size") / 1024):(ms(made(word(names, 1)))) \
            with lines lw 1.5 dt 3 lc rgb colour(1) title word(names, 1).", making the list", \
            csv using (column("size") / 1024):(ms(near(whole(e, "copy"), removed[k]))) \
            with lines lw 1.5 dt 2 lc rgb colour(8) title "copy of as many bytes"
    }
}
unset multiplot
