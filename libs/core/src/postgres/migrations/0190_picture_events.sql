-- Whether a log shows a picture is asked at each read of one: without this all of the log's text is gone through.
create index session_events_pictures on session_events (session_id, seq)
  where surface_op is not null and position('"attachmentId":"' in data) > 0;
