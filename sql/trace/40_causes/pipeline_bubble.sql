/* cause
meaning = "a stage of the pipeline waited for its turn"
usual_fix = "Use more micro-batches for each step, or an interleaved schedule."
color = "#7d8fa3"
color_dark = "#9fb3c8"
by_design = true
by_design_in = ["pipeline parallel"]
remove = false
*/
