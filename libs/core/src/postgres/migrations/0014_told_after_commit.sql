-- NOTIFY within a writing transaction makes all writers of a database queue for one lock; sent by itself it costs a
-- round trip. A procedure commits first and tells then. The functions of the same names stay for workers that were
-- started before this migration. The channel is COMMITTED_CHANNEL of channels.ts, the payload one of toPayloads.

create procedure commit_events_and_tell(input jsonb, inout answer jsonb) language plpgsql as $$
begin
  answer := commit_events(input);
  commit;
  if (answer->>'added')::integer > 0 or input ? 'rows' then
    perform pg_notify('everturn_committed', format('%s/%s', input->>'tenant', input->>'session'));
  end if;
end $$;

-- `stored` is the log from `readFrom` on, chunks left out, at most `readLimit` rows of it.
create procedure begin_effect_and_tell(input jsonb, inout answer jsonb, inout stored json) language plpgsql as $$
declare
  claim jsonb;
begin
  claim := take_claim(input);
  answer := jsonb_build_object('claim', claim, 'commit', commit_events(input->'commit'));
  if input ? 'readFrom' then
    select json_agg(row_to_json(page)) into stored from (
      select e.seq, e.type, e.time, e.data, e.surface_op, e.replace_start, e.replace_end, e.source_ranges
      from session_events as e
      where e.session_id = input->>'session' and e.seq >= (input->>'readFrom')::bigint and e.type <> 'assistant/chunk'
      order by e.seq limit (input->>'readLimit')::integer) as page;
  end if;
  commit;
  if (answer #>> '{commit,added}')::integer > 0 or input->'commit' ? 'rows' then
    perform pg_notify('everturn_committed', format('%s/%s', input->>'tenant', input->>'session'));
  end if;
end $$;

create procedure finish_effect_and_tell(input jsonb, inout answer jsonb) language plpgsql as $$
begin
  answer := finish_effect(input);
  commit;
  if (answer->>'added')::integer > 0 then
    perform pg_notify('everturn_committed', format('%s/%s', input->>'tenant', input->>'session'));
  end if;
end $$;

-- A payload is under 8,000 bytes, and the longest note 257 long.
create procedure append_chunks_and_tell(in_owner text, entries jsonb, inout answers jsonb) language plpgsql as $$
begin
  answers := append_chunks(in_owner, entries);
  commit;
  perform pg_notify('everturn_committed', payload)
  from (
    select string_agg(note, ' ') as payload
    from (
      select note, (row_number() over () - 1) / 30 as part
      from (
        select distinct format('%s/%s', entry->>'tenant', entry->>'session') as note
        from jsonb_array_elements(entries) as entry
        join jsonb_array_elements(answers) as answered on answered->>'id' = entry->>'id' and answered ? 'acks'
      ) as notes
    ) as numbered
    group by part
  ) as payloads;
end $$;

create procedure settle_claims_and_tell(input jsonb, inout answer jsonb) language plpgsql as $$
begin
  answer := settle_claims(input);
  commit;
  if (answer #>> '{commit,added}')::integer > 0 or input->'commit' ? 'rows' then
    perform pg_notify('everturn_committed', format('%s/%s', input->>'tenant', input->>'session'));
  end if;
end $$;
