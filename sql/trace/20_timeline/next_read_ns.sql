-- Within what time after a read a thread reads again only to find that there is no more, in ns: 50 us.
CREATE MACRO next_read_ns() AS 50000;
