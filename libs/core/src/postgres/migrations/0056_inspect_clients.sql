-- Pages that answer questions about themselves for the tools cordis_inspect_*, and what they are asked. Nothing here is
-- truth: a client offers again when its time is over, and a question ends with the call that asks it.
create table inspect_clients (
  session_id text not null,
  client     text not null,
  tenant     text not null,
  providers  text not null,
  offered_at timestamptz not null default clock_timestamp(),
  until      timestamptz not null,
  primary key (session_id, client)
);

create table inspect_queries (
  id         text primary key,
  session_id text not null,
  tenant     text not null,
  provider   text not null,
  method     text not null,
  input      text not null,
  asked_at   timestamptz not null default clock_timestamp(),
  -- Renewed while somebody waits for an answer.
  until      timestamptz not null
);
create index inspect_queries_by_session on inspect_queries (session_id, asked_at);

create table inspect_answers (
  query  text not null references inspect_queries on delete cascade,
  client text not null,
  n      bigint generated always as identity,
  answer text not null,
  primary key (query, client)
);
