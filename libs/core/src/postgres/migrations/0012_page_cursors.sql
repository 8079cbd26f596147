-- Pages go on after the creation time of their last row, which callers hold in milliseconds. A stored time of finer
-- grain would lie after its own cursor, or hide its neighbours.
alter table sessions alter column created_at set default date_trunc('milliseconds', clock_timestamp());
alter table claims alter column created_at set default date_trunc('milliseconds', clock_timestamp());
