-- Goals: what the log says of them is asked for when a session opens and by clients, however long the log is.
create index session_events_goals on session_events (session_id, seq) where type = 'goal/change';
