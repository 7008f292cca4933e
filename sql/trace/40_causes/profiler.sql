/* cause
meaning = "Nsight Systems itself held the launching thread up: buffer flushes and the like"
usual_fix = "Capture fewer steps or trace less; the program itself does not pay this."
in_fixes = false
color = "#633380"
color_dark = "#bd3da7"

[[states]]
state = "profiler"
priority = 5

[remove]
states = ["profiler"]
*/

CREATE VIEW fix_profiler AS
SELECT
    'Nothing to fix in the program: Nsight Systems itself takes this time. Capture fewer steps, or trace less '
    || '(leave out osrt, python-gil or sampling), and diagnose again.' AS fix;
