-- Which skills a session had when they were last looked for, for people who ask.
create table session_skills (
  session_id text primary key,
  tenant     text not null,
  skills     text not null,
  found_at   timestamptz not null default clock_timestamp()
);
