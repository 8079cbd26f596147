-- Commands that only a tenant or a session has, as a worker saw them last, for people who ask.
create table session_commands (
  session_id text primary key,
  tenant     text not null,
  commands   text not null
);
