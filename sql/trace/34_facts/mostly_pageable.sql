-- Whether copies from or to pageable memory take half of the time of all.
CREATE MACRO mostly_pageable(pageable, length_ns) AS sum(CASE WHEN pageable THEN length_ns ELSE 0 END) >= 0.5 * sum(length_ns);
