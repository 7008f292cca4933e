-- How many activities beside those of a step mean nothing: logging reads up to 20 values back.
CREATE MACRO few_activities() AS 20;
