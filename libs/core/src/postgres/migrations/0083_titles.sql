-- The last title in the log is the session's; lists show it as soon as it is written.
create function take_title() returns trigger language plpgsql as $$
declare
  given text;
begin
  begin
    given := new.data::jsonb->>'title';
  exception when others then
    return null; -- a title is normalised before it is written; one that is not stays in the log alone
  end;
  update sessions set title = given, updated_at = clock_timestamp() where id = new.session_id and tenant = new.tenant;
  return null;
end $$;

create trigger session_events_titled after insert on session_events for each row
  when (new.type = 'session/title') execute function take_title();
