-- Numbering. All of a commit is one call, so that it costs one round trip and sees rows only after it holds the lock:
-- a single statement would answer from the snapshot taken before it waited.
-- Refusals carry their code in the error's CONSTRAINT field and SQLSTATE EV001.

create function refuse(code text, message text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'EV001', constraint = code, message = message;
end $$;

-- Locks a log's head, and refuses authors that a recovery has declared dead and databases behind their authors.
create function lock_head(in_tenant text, in_session text, in_generation integer, in_acknowledged bigint)
returns log_heads language plpgsql as $$
declare
  head log_heads;
begin
  select * into head from log_heads where tenant = in_tenant and session_id = in_session for no key update;
  if not found then
    if in_acknowledged >= 0 then
      perform refuse('LOG_BEHIND', format('session %s has no log here, but its author knows of event %s', in_session, in_acknowledged));
    end if;
    perform refuse('LOG_MISSING', format('session %s has no log', in_session));
  end if;
  if in_generation < head.generation then
    perform refuse('LOG_FENCED', format('session %s is at generation %s, its author at %s', in_session, head.generation, in_generation));
  end if;
  if in_acknowledged >= head.next_seq or in_generation > head.generation then
    perform refuse('LOG_BEHIND', format('session %s has %s events at generation %s, but its author knows of event %s at generation %s',
      in_session, head.next_seq, head.generation, in_acknowledged, in_generation));
  end if;
  return head;
end $$;

-- Refuses work for a turn that is not the open one.
create function expect_open_turn(head log_heads, expected integer) returns void language plpgsql as $$
begin
  if expected is null or head.open_turn is not distinct from expected then return; end if;
  if expected > head.last_turn then
    perform refuse('LOG_TURN_NOT_OPEN', format('turn %s of session %s is not open yet', expected, head.session_id));
  end if;
  perform refuse('LOG_TURN_CLOSED', format('turn %s of session %s is closed', expected, head.session_id));
end $$;

-- Moves the head over one event, or refuses the event for lying where it must not. The worker, which knows the event
-- types, says what has to be open (`level`), which bracket the event opens or closes, and whether recovery wrote it.
create function enclose(head log_heads, event jsonb) returns log_heads language plpgsql as $$
declare
  kind text := event->>'type';
  at_turn integer := (event->>'turn')::integer;
  at_step integer := (event->>'step')::integer;
  call text := event->>'call';
  opens text := event->>'opens';
  closes text := event->>'closes';
  recovers boolean := event ? 'recovers';
  -- A pruned copy of an earlier result names that result's turn and step, not the open ones.
  copies boolean := kind = 'tool/result' and event->>'surface' = 'replace';
  problem text;
begin
  if kind = 'turn/start' then
    problem := case
      when head.open_turn is not null then format('turn %s is open', head.open_turn)
      when at_turn is distinct from head.last_turn + 1 then format('the next turn is %s', head.last_turn + 1) end;
  elsif head.open_turn is null then
    problem := 'no turn is open';
  elsif copies then
    problem := null;
  elsif at_turn is not null and at_turn <> head.open_turn then
    problem := format('turn %s is open', head.open_turn);
  elsif kind in ('turn/end', 'step/start', 'llm/retry') then
    problem := case
      when head.open_step is not null then format('step %s is open', head.open_step)
      when kind = 'turn/end' and cardinality(head.open_brackets) > 0 and not recovers then format('%s is open', head.open_brackets[1])
      when kind = 'step/start' and at_step is distinct from head.last_step + 1 then format('the next step is %s', head.last_step + 1)
      when kind = 'llm/retry' and at_step is distinct from head.last_step then format('the last step was %s', head.last_step) end;
  elsif kind = 'prompt/blocked' then
    problem := case when head.last_step > 0 then 'a prompt is blocked before the first step' end;
  elsif event->>'level' = 'step' then
    problem := case
      when head.open_step is null then 'no step is open'
      when at_step is not null and at_step <> head.open_step then format('step %s is open', head.open_step)
      when kind = 'tool/result' and not recovers and not call = any (head.open_calls) then format('no call %s waits for a result', call) end;
  end if;
  problem := coalesce(problem, case
    when opens = any (head.seen_brackets) then format('%s was opened before', opens)
    when closes is not null and not closes = any (head.open_brackets) then format('%s is not open', closes) end);
  if problem is not null then
    perform refuse('LOG_ENCLOSURE', format('%s (%s, turn %s, step %s) cannot stand at seq %s of session %s: %s',
      kind, event->>'eid', at_turn, at_step, head.next_seq, head.session_id, problem));
  end if;

  if kind = 'turn/start' then
    head.open_turn := at_turn;
    head.last_turn := at_turn;
    head.last_step := 0;
    head.turn_start_seq := head.next_seq;
  elsif kind = 'turn/end' then
    head.open_turn := null;
    head.open_brackets := '{}';
    head.seen_brackets := '{}';
  elsif kind = 'step/start' then
    head.open_step := at_step;
    head.last_step := at_step;
    head.step_start_seq := head.next_seq;
  elsif kind = 'step/end' then
    head.open_step := null;
    head.open_calls := '{}';
  elsif kind = 'tool/call' then
    head.open_calls := head.open_calls || call;
  elsif kind = 'tool/result' and not copies then
    head.open_calls := remove_one(head.open_calls, call);
  end if;
  if opens is not null then
    head.open_brackets := head.open_brackets || opens;
    head.seen_brackets := head.seen_brackets || opens;
  elsif closes is not null then
    head.open_brackets := remove_one(head.open_brackets, closes);
  end if;
  return head;
end $$;

-- A list without the first of the items that equal one: a model may give two calls of a step the same id.
create function remove_one(items text[], item text) returns text[] language sql immutable as $$
  select coalesce(array_agg(value order by place), '{}')
  from unnest(items) with ordinality as listed (value, place)
  where place is distinct from array_position(items, item)
$$;

-- The number an event was given; sources and bounds may name events by eid.
create function resolve_event(head log_heads, reference jsonb) returns bigint language plpgsql as $$
declare
  found_seq bigint;
begin
  if jsonb_typeof(reference) = 'number' then return (reference #>> '{}')::bigint; end if;
  select seq into found_seq from session_events where session_id = head.session_id and eid = reference #>> '{}';
  if not found then
    perform refuse('LOG_UNRESOLVED', format('session %s has no event %s', head.session_id, reference #>> '{}'));
  end if;
  return found_seq;
end $$;

-- Sources as ranges of numbers in recorded order, neighbours joined.
create function resolve_sources(head log_heads, sources jsonb) returns jsonb language plpgsql as $$
declare
  source jsonb;
  range_from bigint;
  range_to bigint;
  open_from bigint;
  open_to bigint;
  seen int8multirange := '{}';
  ranges jsonb := '[]';
begin
  for source in select value from jsonb_array_elements(sources) loop
    if jsonb_typeof(source) = 'object' then
      range_from := (source->>'from')::bigint;
      range_to := (source->>'to')::bigint;
    else
      range_from := resolve_event(head, source);
      range_to := range_from;
    end if;
    if range_from < 0 or range_to < range_from or range_to >= head.next_seq or seen && int8range(range_from, range_to, '[]') then
      perform refuse('LOG_SURFACE', format('source %s of event %s of session %s is not an earlier event named once', source, head.next_seq, head.session_id));
    end if;
    seen := seen + int8multirange(int8range(range_from, range_to, '[]'));
    if range_from = open_to + 1 then
      open_to := range_to;
    else
      if open_from is not null then ranges := ranges || jsonb_build_array(jsonb_build_array(open_from, open_to)); end if;
      open_from := range_from;
      open_to := range_to;
    end if;
  end loop;
  if open_from is not null then ranges := ranges || jsonb_build_array(jsonb_build_array(open_from, open_to)); end if;
  return ranges;
end $$;

-- The chunk rows of a step as ranges of numbers.
create function chunk_ranges(in_session text, in_turn integer, in_step integer) returns jsonb language sql stable as $$
  with bounds as (
    select min(seq) filter (where type = 'step/start') as first, max(seq) filter (where type = 'step/end') as last
    from session_events
    where session_id = in_session and turn = in_turn and step = in_step and type in ('step/start', 'step/end')
  ), islands as (
    select min(seq) as range_from, max(seq) as range_to
    from (
      select seq, seq - row_number() over (order by seq) as island
      from session_events, bounds
      where session_id = in_session and type = 'assistant/chunk' and turn = in_turn and step = in_step
        and seq > bounds.first and seq < coalesce(bounds.last, 9223372036854775807)
    ) as numbered
    group by island
  )
  select coalesce(jsonb_agg(jsonb_build_array(range_from, range_to) order by range_from), '[]') from islands
$$;

-- An event's data as stored. Parts are texts, or ids of blobs whose text stands in their place: canonical JSON put
-- together from canonical JSON, so that a large value need not travel through the worker.
create function assemble_data(in_tenant text, parts jsonb) returns text language plpgsql as $$
declare
  part jsonb;
  piece text;
  whole text := '';
begin
  for part in select value from jsonb_array_elements(parts) loop
    if jsonb_typeof(part) = 'object' then
      select data into piece from blobs where tenant = in_tenant and id = part->>'blob';
      if not found then perform refuse('BLOB_MISSING', format('blob %s does not exist', part->>'blob')); end if;
    else
      piece := part #>> '{}';
    end if;
    whole := whole || piece;
  end loop;
  return whole;
end $$;

-- Equal for equal content: the type, the time as stamped, the whole data and whether it replaces. Names of other events
-- are left out, since they become numbers; so is the time of chunks, which is stamped anew when a write is repeated.
create function content_hash(kind text, stamped bigint, surface text, data text) returns bytea language sql immutable as $$
  select sha256(convert_to(concat_ws(E'\n', kind, case when kind <> 'assistant/chunk' then stamped else 0 end, coalesce(surface, '-'), data), 'UTF8'))
$$;

-- Numbers events under the caller's lock on the head. An eid already there is answered with its old number.
create function append_events(
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
    head.next_seq := head.next_seq + 1;
    head.last_time := stored_time;
    added := added + 1;
  end loop;
  acks := to_jsonb(answers);
end $$;
