-- Reminders: what the log says of them is asked for when a session opens and by clients, however long the log is.
create index session_events_reminders on session_events (session_id, seq) where type = 'schedule/change';

-- Which kinds of requests there are is told by the code; a list here would have to be changed with each.
alter table sent_requests drop constraint if exists sent_requests_kind_check;
