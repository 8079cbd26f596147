-- A turn's end that a rebuild brings back was told of when it came; deliveries are not kept as long as logs.
create or replace function tell_turn_ended() returns trigger language plpgsql as $$
begin
  if current_setting('everturn.rebuilding', true) is distinct from '1' then
    perform note_deliveries(new.tenant, new.session_id, 'turn.ended', new.turn::text);
  end if;
  return null;
end $$;
