-- What has less than this share of the largest of its kind is not told as evidence: it helps nobody.
CREATE MACRO mentioned_share() AS 0.05;
