-- Subscriptions to what happens in a tenant or in one of its sessions, and what is to be delivered. A delivery is noted
-- in the transaction that makes what it tells of true, so that no crash can come between; where nobody subscribed that
-- costs one look at an index, and no round trip.

create table webhooks (
  id         text primary key,
  tenant     text not null,
  -- Absent: every session of the tenant.
  session_id text,
  url        text not null,
  events     text[] not null,
  -- Signs deliveries; shown to its owner once.
  secret     text not null,
  enabled    boolean not null default true,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp()
);
create index webhooks_by_tenant on webhooks (tenant, created_at, id);

create table webhook_deliveries (
  -- Follows from what is told to whom: told again it is the same delivery.
  id          text primary key,
  tenant      text not null,
  webhook_id  text not null,
  session_id  text not null,
  event       text not null,
  -- What it is about: a turn's number, the id of an interaction or a job, a session's generation.
  subject     text not null,
  -- new: no workflow delivers it yet.
  state       text not null default 'new' check (state in ('new', 'started', 'delivered', 'failed')),
  -- Raised each time somebody has it delivered again.
  round       integer not null default 1,
  attempts    integer not null default 0,
  last_status integer,
  last_error  text,
  created_at  timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at  timestamptz not null default clock_timestamp()
) with (fillfactor = 80);
create index webhook_deliveries_new on webhook_deliveries (created_at) where state = 'new';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at desc, id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

create function note_deliveries(in_tenant text, in_session text, in_event text, in_subject text) returns void
language sql as $$
  insert into webhook_deliveries (id, tenant, webhook_id, session_id, event, subject)
  select left(encode(sha256(convert_to(concat_ws('/', webhooks.id, in_session, in_event, in_subject), 'UTF8')), 'hex'), 32),
    in_tenant, webhooks.id, in_session, in_event, in_subject
  from webhooks
  where tenant = in_tenant and enabled and coalesce(session_id, in_session) = in_session and in_event = any (events)
  on conflict (id) do nothing
$$;

create function tell_turn_ended() returns trigger language plpgsql as $$
begin
  perform note_deliveries(new.tenant, new.session_id, 'turn.ended', new.turn::text);
  return null;
end $$;
-- Rows a session was given at its birth tell of no turn of its own.
create trigger tell_turn_ended after insert on session_events for each row
  when (new.type = 'turn/end' and new.eid not like 'seed/%') execute function tell_turn_ended();

create function tell_asked() returns trigger language plpgsql as $$
begin
  perform note_deliveries(new.tenant, new.session_id, new.kind || '.asked', new.id);
  return null;
end $$;
create trigger tell_asked after insert on interactions for each row
  when (new.state = 'open') execute function tell_asked();

create function tell_job_ended() returns trigger language plpgsql as $$
begin
  perform note_deliveries(new.tenant, new.session_id, 'job.ended', new.id);
  return null;
end $$;
create trigger tell_job_ended after update on jobs for each row
  when (old.state in ('running', 'stopping') and new.state not in ('running', 'stopping')) execute function tell_job_ended();

create function tell_session_closed() returns trigger language plpgsql as $$
begin
  perform note_deliveries(new.tenant, new.id, 'session.closed', new.generation::text);
  return null;
end $$;
create trigger tell_session_closed after update of status on sessions for each row
  when (old.status <> 'closed' and new.status = 'closed') execute function tell_session_closed();
