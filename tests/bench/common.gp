# What the plots of bench share; each is called with the table and the picture that it is to become,
# whose ending chooses PNG or SVG:
#
#   cubist bench compaction --rerun redzone --csv redzone.csv
#   gnuplot -c tests/bench/redzone.gp redzone.csv redzone.svg
if (!exists("csv")) {
    print "usage: gnuplot -c PLOT.gp TABLE.csv PICTURE.png|svg"
    exit status 2
}
set encoding utf8
set datafile separator ","
set datafile columnheaders
set datafile missing NaN
set border 3
set tics nomirror
set grid back lc rgb "#dddddd" lt 1
set key below Left reverse samplen 2 spacing 1.1 maxrows 3
set xlabel offset 0,0.4
set style fill solid 0.85 noborder

if (out[strlen(out)-3:] eq ".png") {
    set terminal pngcairo size width, height font "DejaVu Sans,10" background "white"
} else {
    set terminal svg size width, height font "DejaVu Sans,12" background "white"
}
set output out

# Of the first row: the driver names the device, too, and has no comma that gnuplot would stumble on.
device = ""
stats csv using (device = strcol("driver"), 0) every ::0::0 nooutput

# Whether a row is the whole of a method in an experiment.
whole(e, m) = strcol("experiment") eq e && strcol("method") eq m && strcol("stage") eq "all"
ms(c) = c ? column("median_ms") : NaN
invalid(c) = c ? 100 - column("density") : NaN

# Okabe and Ito's colours, which nobody confuses.
array colours[8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777", "#000000"]
colour(i) = colours[(i - 1) % 8 + 1]

# Bars of stages, one on the other, as the rows come: the whole of a method, then its stages.
low = 0
high = 0
stack(c, start, part) = (start ? (high = 0) : 0, c && !start ? (low = high, high = high + part) : NaN)

# How many rows of each experiment the table has: a figure without any is left out.
if (words(experiments) > 0) {
    array counts[words(experiments)]
    do for [i = 1:words(experiments)] {
        stats csv using (strcol("experiment") eq word(experiments, i) && strcol("method") ne "copy" ? 1 : 0) nooutput
        counts[i] = STATS_sum
    }
}
