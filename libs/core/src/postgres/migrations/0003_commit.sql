-- The commit itself: numbering, and the rows beside the log, in one transaction.

-- Writes a moved head back.
create function store_head(head log_heads) returns void language sql as $$
  update log_heads set
    next_seq = (head).next_seq, closed = (head).closed, open_turn = (head).open_turn, open_step = (head).open_step,
    last_turn = (head).last_turn, last_step = (head).last_step, last_time = (head).last_time,
    turn_start_seq = (head).turn_start_seq, step_start_seq = (head).step_start_seq,
    open_calls = (head).open_calls, open_brackets = (head).open_brackets, seen_brackets = (head).seen_brackets,
    session_from = (head).session_from, session_to = (head).session_to
  where session_id = (head).session_id
$$;

-- Changes the rows beside the log. A column stamped later than `at` keeps its value: the change is a late duplicate.
create function apply_rows(in_tenant text, in_session text, rows jsonb) returns void language plpgsql as $$
declare
  stamp bigint := (rows->>'at')::bigint;
  fresh jsonb;
begin
  select coalesce(jsonb_object_agg(field.key, field.value), '{}') into fresh
  from sessions, jsonb_each(rows) as field
  where tenant = in_tenant and id = in_session
    and field.key in ('status', 'queueLength', 'openTurn', 'usage', 'model')
    and (stamp is null or stamp >= coalesce((row_stamps->>field.key)::bigint, 0));
  if fresh <> '{}' then
    update sessions set
      status = coalesce(fresh->>'status', status),
      queue_length = coalesce((fresh->>'queueLength')::integer, queue_length),
      open_turn = case when fresh ? 'openTurn' then (fresh->>'openTurn')::integer else open_turn end,
      usage = coalesce(fresh->'usage', usage),
      model = coalesce(fresh->>'model', model),
      row_stamps = case when stamp is null then row_stamps else
        row_stamps || (select jsonb_object_agg(name, stamp) from jsonb_object_keys(fresh) as name) end,
      updated_at = clock_timestamp()
    where tenant = in_tenant and id = in_session;
  end if;

  -- Prompts, interactions and requests only ever move forward.
  update prompts set state = change->>'state', turn = coalesce((change->>'turn')::integer, turn), updated_at = clock_timestamp()
  from jsonb_array_elements(rows->'prompts') as change
  where tenant = in_tenant and session_id = in_session and prompt_id = change->>'promptId'
    and state in ('accepted', 'queued', 'claimed')
    and array_position(array['accepted', 'queued', 'claimed', 'done', 'discarded'], change->>'state')
      >= array_position(array['accepted', 'queued', 'claimed'], state);

  insert into interactions (session_id, id, tenant, kind, state, turn, step, call_id, answer_to, request, outcome)
  select in_session, change->>'id', in_tenant, change->>'kind', change->>'state', (change->>'turn')::integer,
    (change->>'step')::integer, change->>'callId', change->>'answerTo', change->>'request', change->>'outcome'
  from jsonb_array_elements(rows->'interactions') as change
  on conflict (session_id, id) do update
    set state = excluded.state, outcome = excluded.outcome, updated_at = clock_timestamp()
    where interactions.tenant = excluded.tenant and interactions.state = 'open';

  insert into requests (session_id, request_id, tenant, outcome, code, message)
  select in_session, change->>'requestId', in_tenant, change->>'outcome', change->>'code', change->>'message'
  from jsonb_array_elements(rows->'requests') as change
  on conflict (session_id, request_id) do nothing;
end $$;

-- Numbers and stores events and changes the rows beside the log. Answers {acks: [[eid, seq, time], …], added}.
create function commit_events(input jsonb) returns jsonb language plpgsql as $$
declare
  head log_heads;
  before log_heads;
  appended record;
begin
  head := lock_head(input->>'tenant', input->>'session', (input->>'generation')::integer, (input->>'highestAcknowledged')::bigint);
  before := head;
  if jsonb_array_length(input->'events') = 0 then
    perform expect_open_turn(head, (input->>'expectOpenTurn')::integer);
  end if;
  select * into appended from append_events(head, input->'events', (input->>'expectOpenTurn')::integer);
  head := appended.head;
  if input #>> '{events,0,eid}' like 'session~%' then
    head.session_from := (appended.acks #>> '{0,1}')::bigint;
    head.session_to := (appended.acks #>> '{-1,1}')::bigint;
  end if;
  if input ? 'rows' then
    perform apply_rows(head.tenant, head.session_id, input->'rows');
    if input #>> '{rows,status}' = 'closed' then head.closed := true; end if;
  end if;
  if head is distinct from before then perform store_head(head); end if;
  return jsonb_build_object('acks', appended.acks, 'added', appended.added);
end $$;
