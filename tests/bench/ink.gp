# Table 1 and figure 6 of Hughes et al. 2013: frames per second of the extraction over the isovalues
# of each volume, and their mean with its standard deviation. See common.gp for how to call it.
csv = ARG1; out = ARG2; width = 1100; height = 780
experiments = "ink-extraction"
load system("dirname '".ARG0."'")."/common.gp"

# The volumes and methods, in the order of the table.
array files[16]
array ways[32]
file_count = 0
way_count = 0
known(m) = way_count > 0 ? sum [i = 1:way_count] (ways[i] eq m ? 1 : 0) : 0
stats csv using (strcol("file") eq "" || (file_count > 0 && files[file_count] eq strcol("file")) ? 0 \
    : (file_count = file_count + 1, files[file_count] = strcol("file"), 0), \
    strcol("file") eq "" || known(strcol("method")) ? 0 \
    : (way_count = way_count + 1, ways[way_count] = strcol("method"), 0)) nooutput
short(path) = system("basename '".path."'")
mine(f, m) = strcol("file") eq files[f] && strcol("method") eq ways[m]

set multiplot layout 2,2 title "InK-Compact, figure 6 and table 1, in this extraction\n{/*0.8 ".device."}"
set ylabel "frames per second"
set yrange [0:*]
shown = file_count < 3 ? file_count : 3
do for [f = 1:shown] {
    set title short(files[f]) noenhanced
    set xlabel "isovalue"
    plot for [m = 1:way_count] csv using (column("iso")):(mine(f, m) ? column("fps") : NaN) \
        with linespoints pt 7 ps 0.4 lw 1.5 lc rgb colour(m) title ways[m]
}
set title "mean over the isovalues, standard deviation"
unset xlabel
set xrange [0.4:file_count + 0.6]
set xtics () noenhanced
do for [f = 1:file_count] { set xtics add (short(files[f])[1:12] f) }
set bars 0.5
plot for [m = 1:way_count] for [f = 1:file_count] csv using (f + 0.15 * (m - (way_count + 1) / 2.0)) \
    :(mine(f, m) && strcol("isovalues") ne "" ? column("fps") : NaN):(column("fps_sd")) \
    with errorbars pt 7 ps 0.8 lw 1.5 lc rgb colour(m) title f == 1 ? ways[m] : ""
unset multiplot
