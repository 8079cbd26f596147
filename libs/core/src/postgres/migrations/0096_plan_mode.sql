-- Whether a session plans is looked up for everybody who follows it.
create index session_events_plan on session_events (session_id, seq) where type = 'plan/mode';
