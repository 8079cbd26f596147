-- Results that were too long to show, where every machine of a deployment can read them. They go with their session.
create table spills (
  id         text primary key,
  session_id text not null references sessions (id) on delete cascade,
  tenant     text not null,
  name       text not null,
  -- As UTF-8, since text takes no NUL.
  content    bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create index spills_by_session on spills (session_id);
