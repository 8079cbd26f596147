-- Teams: what the log of a lead says of them is asked for when its session opens and by its members, however long it is.
create index session_events_team on session_events (session_id, seq)
  where type in ('team/member', 'team/task', 'team/message/queued', 'team/message/delivered');
