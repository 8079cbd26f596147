-- Logs that were brought from elsewhere, as they came: one event a line, in pieces. The log of such a session begins
-- with them, and no history of a workflow tells of them, so they are kept for as long as the session is.
create table session_imports (
  session_id text not null references sessions (id) on delete cascade,
  part       integer not null,
  tenant     text not null,
  lines      text not null,
  primary key (session_id, part)
);
