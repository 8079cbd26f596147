-- Claims: an effect happens at most once, its result is recorded exactly once. Locks are taken in one order, claims
-- first and then heads by session id. Time is the database's clock as of now, not of the transaction's start: a
-- transaction may have waited for its locks.

-- Whether a claimed row's holder may still be at work: 'live', or 'lapsed' when it may be taken over. A lease that ran
-- out once proves nothing (the database may have been away, and its holders unable to renew), so a first look only
-- notes it; a second look takes over, a second later but within three, since an older note is of another outage.
-- A host that was taken anew has ended every process of its earlier epochs.
create function judge_lease(claim claims) returns text language plpgsql as $$
declare
  moment timestamptz := clock_timestamp();
begin
  if exists (select from hosts where host_id = claim.host_id and epoch > claim.host_epoch) then return 'lapsed'; end if;
  if claim.lease_until > moment then return 'live'; end if;
  if claim.lapsed_seen_at is null or claim.lapsed_seen_at < moment - interval '3 seconds' then
    update claims set lapsed_seen_at = moment where session_id = claim.session_id and key = claim.key;
    return 'live';
  end if;
  return case when claim.lapsed_seen_at <= moment - interval '1 second' then 'lapsed' else 'live' end;
end $$;

-- What a settled claim answers: its outcome, the events its holder wrote and the chunks of its step.
create function claim_answer(claim claims, answer text) returns jsonb language sql stable as $$
  select jsonb_build_object('kind', answer, 'epoch', claim.epoch, 'owner', claim.owner, 'outcome', claim.outcome,
    'written', claim.written, 'writtenAcks', claim.written_acks,
    'writtenSources', (
      select jsonb_agg((
        select e.source_ranges from session_events as e
        where e.session_id = claim.session_id and e.seq = (ack->>1)::bigint
      ) order by place)
      from jsonb_array_elements(claim.written_acks) with ordinality as acked (ack, place)),
    'chunks', case when claim.step is not null and claim.key like '%.model' and answer in ('done', 'unknown', 'taken-over')
      then chunk_ranges(claim.session_id, claim.turn, claim.step) else '[]' end)
$$;

-- Takes a claim, or says why not: granted | taken-over (the former holder's outcome is lost) | done | live | unknown | void.
create function take_claim(input jsonb) returns jsonb language plpgsql as $$
declare
  claim claims;
begin
  insert into claims (session_id, key, tenant, state, owner, lease_until, host_id, host_epoch, turn, step, label)
  values (input->>'session', input->>'key', input->>'tenant', 'claimed', input->>'owner',
    clock_timestamp() + interval '3 seconds', input->>'host', (input->>'hostEpoch')::integer,
    (input->>'turn')::integer, (input->>'step')::integer, coalesce(input->>'label', ''))
  on conflict (session_id, key) do nothing
  returning * into claim;
  if found then return claim_answer(claim, 'granted'); end if;

  select * into strict claim from claims
    where tenant = input->>'tenant' and session_id = input->>'session' and key = input->>'key' for no key update;
  if claim.state <> 'claimed' then return claim_answer(claim, claim.state); end if;
  if judge_lease(claim) = 'live' then return claim_answer(claim, 'live'); end if;
  update claims set owner = input->>'owner', epoch = epoch + 1, lease_until = clock_timestamp() + interval '3 seconds',
    lapsed_seen_at = null, cancel_cause = null, host_id = input->>'host', host_epoch = (input->>'hostEpoch')::integer,
    updated_at = clock_timestamp()
  where session_id = claim.session_id and key = claim.key
  returning * into claim;
  return claim_answer(claim, 'taken-over');
end $$;

-- Commit and claim in one round trip: the first row is the answer, the others the log's rows from `readFrom` on.
create function begin_effect(input jsonb)
returns table (answer jsonb, seq bigint, type text, "time" bigint, data text,
  surface_op text, replace_start bigint, replace_end bigint, source_ranges jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  claim jsonb;
begin
  claim := take_claim(input);
  answer := jsonb_build_object('claim', claim, 'commit', commit_events(input->'commit'));
  return next;
  if input ? 'readFrom' then
    return query
      select null::jsonb, e.seq, e.type, e.time, e.data, e.surface_op, e.replace_start, e.replace_end, e.source_ranges
      from session_events as e
      where e.session_id = input->>'session' and e.seq >= (input->>'readFrom')::bigint and e.type <> 'assistant/chunk'
      order by e.seq;
  end if;
end $$;

-- Keeps the leases of one process. Answers, per claim still held, whether somebody asked its holder to cancel.
create function renew_leases(in_owner text, held jsonb)
returns table (session_id text, key text, cancel_cause text) language sql as $$
  with mine as (
    select claim.session_id, claim.key from claims as claim
    join jsonb_array_elements(held) as holding
      on claim.session_id = holding->>'session' and claim.key = holding->>'key' and claim.epoch = (holding->>'epoch')::integer
    where claim.owner = in_owner and claim.state = 'claimed'
    order by claim.session_id, claim.key
    for no key update of claim
  )
  update claims set lease_until = clock_timestamp() + interval '3 seconds', lapsed_seen_at = null
  from mine
  where claims.session_id = mine.session_id and claims.key = mine.key
  returning claims.session_id, claims.key, claims.cancel_cause
$$;

-- Records an outcome, with the events and last chunks that belong to it. A repeated call is answered like the first.
-- `settleAs` unknown: the outcome says no more than that it may have happened, and the claim says so too.
create function finish_effect(input jsonb) returns jsonb language plpgsql as $$
declare
  claim claims;
  head log_heads;
  appended record;
  acks jsonb := '[]';
  added integer := 0;
begin
  select * into claim from claims
    where tenant = input->>'tenant' and session_id = input->>'session' and key = input->>'key' for no key update;
  if not found or claim.owner is distinct from input->>'owner' or claim.epoch <> (input->>'epoch')::integer
     or claim.state not in ('claimed', input->>'settleAs') then
    perform refuse('CLAIM_LOST', format('claim %s of session %s is no longer held by this attempt', input->>'key', input->>'session'));
  end if;
  if claim.state = 'claimed' then
    if jsonb_array_length(input->'events') + jsonb_array_length(input->'chunks') > 0 then
      head := lock_head(claim.tenant, claim.session_id, (input->>'generation')::integer, -1);
      select * into appended from append_events(head, input->'chunks', null);
      added := appended.added;
      select * into appended from append_events(appended.head, input->'events', null);
      added := added + appended.added;
      acks := appended.acks;
      perform store_head(appended.head);
    end if;
    update claims set state = input->>'settleAs',
      outcome = case input->>'settleAs' when 'done' then input->>'outcome' end,
      written = case input->>'settleAs' when 'done' then input->>'written' end,
      written_acks = case input->>'settleAs' when 'done' then acks end,
      lease_until = null, lapsed_seen_at = null, updated_at = clock_timestamp()
    where session_id = claim.session_id and key = claim.key
    returning * into claim;
  end if;
  return claim_answer(claim, 'done') || jsonb_build_object('added', added, 'outcome', input->>'outcome');
end $$;

-- Chunk rows of many sessions in one call. Answers one object per entry; a refusal drops that entry's rows only.
create function append_chunks(in_owner text, entries jsonb) returns jsonb language plpgsql as $$
declare
  entry jsonb;
  head log_heads;
  appended record;
  held text[] := '{}';
  results jsonb[] := '{}';
  code text;
  message text;
begin
  for entry in select value from jsonb_array_elements(entries) order by value->>'session', value->>'key' loop
    perform from claims
      where tenant = entry->>'tenant' and session_id = entry->>'session' and key = entry->>'key'
        and owner = in_owner and epoch = (entry->>'epoch')::integer and state = 'claimed'
      for share;
    if found then held := held || (entry->>'id'); end if;
  end loop;
  for entry in select value from jsonb_array_elements(entries) order by value->>'session', value->>'key' loop
    begin
      if (entry->>'id') <> all (held) then
        perform refuse('CLAIM_LOST', format('claim %s of session %s is no longer held by this attempt', entry->>'key', entry->>'session'));
      end if;
      head := lock_head(entry->>'tenant', entry->>'session', (entry->>'generation')::integer, -1);
      select * into appended from append_events(head, entry->'events', null);
      perform store_head(appended.head);
      results := results || jsonb_build_object('id', entry->>'id', 'acks', appended.acks);
    exception when sqlstate 'EV001' then
      get stacked diagnostics code = constraint_name, message = message_text;
      results := results || jsonb_build_object('id', entry->>'id', 'code', code, 'message', message);
    end;
  end loop;
  return to_jsonb(results);
end $$;

-- Closes claims for good. Answers per key: done | void (it never started, and now cannot) | unknown | live (ask again).
create function settle_claims(input jsonb) returns jsonb language plpgsql as $$
declare
  wanted text;
  claim claims;
  answers jsonb := '{}';
begin
  for wanted in select distinct value from jsonb_array_elements_text(input->'keys') order by value loop
    insert into claims (session_id, key, tenant, state) values (input->>'session', wanted, input->>'tenant', 'void')
    on conflict (session_id, key) do nothing;
    select * into strict claim from claims
      where tenant = input->>'tenant' and session_id = input->>'session' and key = wanted for no key update;
    if claim.state = 'claimed' and (input->>'live' = 'take-over' or judge_lease(claim) = 'lapsed') then
      update claims set state = 'unknown', epoch = epoch + 1, owner = null, lease_until = null, lapsed_seen_at = null,
        updated_at = clock_timestamp()
      where session_id = claim.session_id and key = claim.key
      returning * into claim;
    end if;
    answers := answers || jsonb_build_object(wanted, claim_answer(claim, case claim.state when 'claimed' then 'live' else claim.state end));
  end loop;
  return jsonb_build_object('claims', answers, 'commit', commit_events(input->'commit'));
end $$;
