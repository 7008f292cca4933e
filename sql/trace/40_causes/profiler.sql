/* cause
meaning = "Nsight Systems itself held the launching thread up: buffer flushes and the like"
usual_fix = """The program itself does not pay this: capture fewer steps, or trace less (leave out osrt, python-gil or \
sampling), and diagnose again."""
in_fixes = false
color = "#633380"
color_dark = "#bd3da7"

[[states]]
state = "profiler"
priority = 5

[remove]
states = ["profiler"]
*/
