-- The ranges of libraries, flattened: of each thread the innermost one at each instant.
-- reads: flatten, library_ranges
CREATE TABLE library_tiles AS
FROM flatten('library_ranges');

COMMENT ON TABLE library_tiles IS 'the innermost range of a library on each thread at each instant';
COMMENT ON COLUMN library_tiles.id IS 'the range, in library_ranges';
