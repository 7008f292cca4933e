-- Whether so many activities are more than a step has, so that some belong to what comes after it, as a log or a validation.
-- reads: step_spread
CREATE MACRO exceeds_a_step(activities, usual) AS activities > (1 + 2 * step_spread()) * usual;
