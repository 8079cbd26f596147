-- Terminals and kept shells that are open or about to be: while a session has one, its sandbox mode stays, because a
-- shell keeps the mode it was opened in. A row counts as long as the life of the host that wrote it.
create table open_terminals (
  tenant     text not null,
  session_id text not null,
  host_id    text not null,
  epoch      integer not null,
  name       text not null,
  opened_at  timestamptz not null default clock_timestamp(),
  primary key (tenant, session_id, host_id, name)
);
