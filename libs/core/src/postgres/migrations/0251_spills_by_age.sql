-- Kept results go by their age, as files do.
create index spills_by_age on spills (created_at);
