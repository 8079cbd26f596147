-- Following every session of a tenant needs one order over many logs that a reader can resume in. The transaction that
-- wrote a row is such an order: once no transaction of that number or below is still open, no row can appear there.
-- Chunks are left out, they are followed per session.
alter table session_events add column xact xid8 not null default pg_current_xact_id();
create index session_events_feed on session_events (tenant, xact, session_id, seq) where type <> 'assistant/chunk';
