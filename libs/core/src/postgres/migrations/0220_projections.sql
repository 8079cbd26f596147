-- What a log comes to is counted where its events are numbered, under the same lock, so that asking for it costs the same
-- however long the log is. The head is written with every commit as it is.
alter table log_heads
  add column turns        integer not null default 0,
  add column steps        integer not null default 0,
  add column messages     integer not null default 0,
  add column tool_calls   integer not null default 0,
  add column failed_calls integer not null default 0,
  add column summaries    integer not null default 0;

-- The newest of each kind that holds a whole value. (Plans and changes of goals have indexes of their own.)
create index session_events_latest on session_events (session_id, type, seq) where type in ('todo/write', 'session/title');
-- Messages that begin rounds of a goal; within JSON a text cannot hold these quotes.
create index session_events_goal_rounds on session_events (session_id, seq)
  where type = 'user/message' and position('"kind":"goal"' in data) > 0;

-- The head after one more event. The same is said of whole logs below.
create function count_event(head log_heads, kind text, surface text, data text) returns log_heads
language plpgsql immutable as $$
begin
  case kind
    when 'turn/start' then head.turns := head.turns + 1;
    when 'step/start' then head.steps := head.steps + 1;
    when 'tool/call' then head.tool_calls := head.tool_calls + 1;
    when 'compact/summary' then head.summaries := head.summaries + 1;
    when 'user/message', 'steering/message' then
      if surface = 'append' then head.messages := head.messages + 1; end if;
    when 'tool/result' then
      if surface = 'append' and position('"isError":true' in data) > 0 then head.failed_calls := head.failed_calls + 1; end if;
    else null;
  end case;
  return head;
end $$;

-- A log as a whole, for those whose rows were not written one by one: what a fork or an import begins with, a log that
-- was rebuilt.
create function count_log(in_session text, out turns integer, out steps integer, out messages integer,
  out tool_calls integer, out failed_calls integer, out summaries integer) language sql stable as $$
  select
    (count(*) filter (where type = 'turn/start'))::integer,
    (count(*) filter (where type = 'step/start'))::integer,
    (count(*) filter (where type in ('user/message', 'steering/message') and surface_op = 'append'))::integer,
    (count(*) filter (where type = 'tool/call'))::integer,
    (count(*) filter (where type = 'tool/result' and surface_op = 'append' and position('"isError":true' in data) > 0))::integer,
    (count(*) filter (where type = 'compact/summary'))::integer
  from session_events where session_id = in_session and type <> 'assistant/chunk'
$$;

-- Counts anew, under the caller's lock on the head.
create function recount_head(in_session text) returns void language sql as $$
  update log_heads set (turns, steps, messages, tool_calls, failed_calls, summaries) = (
    select counted.turns, counted.steps, counted.messages, counted.tool_calls, counted.failed_calls, counted.summaries
    from count_log(in_session) as counted)
  where session_id = in_session
$$;

-- As before, and counts.
create or replace function append_events(
  inout head log_heads, events jsonb, expected_turn integer, out acks jsonb, out added integer
) language plpgsql as $$
declare
  event jsonb;
  stored jsonb;
  known jsonb;
  answers jsonb[] := '{}';
  stored_data text;
  stamped bigint;
  stored_time bigint;
  hash bytea;
  in_turn integer;
  in_step integer;
  bound_start bigint;
  bound_end bigint;
  ranges jsonb;
begin
  added := 0;
  -- Looked up at once: while the table is young, a plan per event may be one that reads the whole session.
  select coalesce(jsonb_object_agg(e.eid, jsonb_build_array(e.seq, e.time, encode(e.content_hash, 'hex'))), '{}') into stored
  from session_events as e
  where e.session_id = head.session_id
    and e.eid = any (array(select value->>'eid' from jsonb_array_elements(events)));
  for event in select value from jsonb_array_elements(events) loop
    stamped := (event->>'time')::bigint;
    stored_data := assemble_data(head.tenant, event->'parts');
    hash := content_hash(event->>'type', stamped, event->>'surface', stored_data);
    known := stored->(event->>'eid');
    if known is not null then
      if known->>2 <> encode(hash, 'hex') then
        perform refuse('LOG_DIVERGED', format('event %s of session %s is stored as seq %s with other content', event->>'eid', head.session_id, known->0));
      end if;
      answers := answers || jsonb_build_array(event->>'eid', known->0, known->1);
      continue;
    end if;

    if added = 0 then
      if head.closed then perform refuse('LOG_CLOSED', format('session %s is closed', head.session_id)); end if;
      perform expect_open_turn(head, expected_turn);
    end if;
    -- An end lies in what it ends, a start in what it starts.
    in_turn := head.open_turn;
    in_step := head.open_step;
    head := enclose(head, event);
    in_turn := coalesce(head.open_turn, in_turn);
    in_step := coalesce(head.open_step, in_step);

    bound_start := null;
    bound_end := null;
    if event->>'surface' = 'replace' then
      bound_start := resolve_event(head, event->'start');
      bound_end := resolve_event(head, event->'end');
      if (select count(*) from session_events where session_id = head.session_id and seq in (bound_start, bound_end) and surface_op is not null)
         <> (case when bound_start = bound_end then 1 else 2 end) then
        perform refuse('LOG_SURFACE', format('event %s of session %s replaces %s to %s, which are not surface events', event->>'eid', head.session_id, bound_start, bound_end));
      end if;
    end if;
    ranges := case when event ? 'sources' then resolve_sources(head, event->'sources') end;
    if ranges = '[]' and event->>'type' <> 'assistant/message' then
      perform refuse('LOG_SURFACE', format('event %s of session %s has an empty list of sources', event->>'eid', head.session_id));
    end if;

    stored_time := greatest(stamped, head.last_time);
    insert into session_events
      (session_id, seq, tenant, type, time, stamped_time, eid, content_hash, data, turn, step,
       surface_op, replace_start, replace_end, source_ranges)
    values
      (head.session_id, head.next_seq, head.tenant, event->>'type', stored_time, nullif(stamped, stored_time),
       event->>'eid', hash, stored_data, in_turn, in_step, event->>'surface', bound_start, bound_end, ranges);
    answers := answers || jsonb_build_array(event->>'eid', head.next_seq, stored_time);
    if event->>'type' <> 'assistant/chunk' then head := count_event(head, event->>'type', event->>'surface', stored_data); end if;
    head.next_seq := head.next_seq + 1;
    head.last_time := stored_time;
    added := added + 1;
  end loop;
  acks := to_jsonb(answers);
end $$;

create or replace function store_head(head log_heads) returns void language sql as $$
  update log_heads set
    next_seq = (head).next_seq, closed = (head).closed, open_turn = (head).open_turn, open_step = (head).open_step,
    last_turn = (head).last_turn, last_step = (head).last_step, last_time = (head).last_time,
    turn_start_seq = (head).turn_start_seq, step_start_seq = (head).step_start_seq,
    open_calls = (head).open_calls, open_brackets = (head).open_brackets, seen_brackets = (head).seen_brackets,
    session_from = (head).session_from, session_to = (head).session_to,
    turns = (head).turns, steps = (head).steps, messages = (head).messages,
    tool_calls = (head).tool_calls, failed_calls = (head).failed_calls, summaries = (head).summaries
  where session_id = (head).session_id
$$;

-- What the logs hold already.
select recount_head(session_id) from log_heads;
