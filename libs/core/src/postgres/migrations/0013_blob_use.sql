-- A value stored again is the same row, so its age says nothing; when it was last stored does.
alter table blobs add column used_at timestamptz not null default clock_timestamp();
create index blobs_by_use on blobs (used_at);
