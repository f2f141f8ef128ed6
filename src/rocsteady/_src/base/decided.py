"""Words of decisions: a command's help needs them before anything is computed, so they stand apart from results."""

PASS, FAIL, UNSURE = "pass", "fail", "cannot tell"
QUIET, ALARM = "quiet", "alarm"
HAS_IT_CHANGED = "Has the model become worse?"
