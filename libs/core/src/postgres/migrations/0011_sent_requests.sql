-- Requests on their way to a session, written before they are sent: until `requests` says what became of one, this
-- row says that it exists.
create table sent_requests (
  session_id text not null,
  request_id text not null,
  tenant     text not null,
  kind       text not null check (kind in ('cancel', 'interrupt', 'close', 'edit', 'drop', 'answer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (session_id, request_id)
);
create index sent_requests_by_age on sent_requests (created_at);
