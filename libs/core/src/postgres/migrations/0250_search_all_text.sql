-- What an event says is found although it holds what jsonb refuses, and in each script that sets no spaces.

-- A character of a script without spaces is a word by itself: also of Thai, Lao, Tibetan and Myanmar, Khmer, Tai, Balinese,
-- Javanese and Cham.
create or replace function search_body(words text) returns text language sql immutable parallel safe as $$
  select ' ' || btrim(regexp_replace(
    regexp_replace(search_lower(words), '([\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\u2e80-\u2fdf\u3040-\u31ff\u3400-\u9fff\ua960-\uaadf\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc])', ' \1 ', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u00d7\u00f7\u02c2-\u02df\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe6f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufff0-\uffff]+', '  ', 'g'), ' ') || ' '
$$;

-- JSON as jsonb takes it: NULs and halves of characters are blanks. An escaped backslash before one makes it text.
create or replace function storable_json(data text) returns jsonb language plpgsql immutable parallel safe as $$
declare
  readable text := data;
begin
  if position('\u0000' in readable) > 0 then
    readable := regexp_replace(readable, '(?<!\\)((?:\\\\)*)\\u0000', '\1 ', 'g');
  end if;
  begin
    return readable::jsonb;
  exception when others then
    readable := regexp_replace(readable, '(?<!\\)((?:\\\\)*)\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})', '\1 ', 'g');
    return regexp_replace(readable, '(?<!\\u[dD][89abAB][0-9a-fA-F]{2})(?<!\\)((?:\\\\)*)\\u[dD][c-fC-F][0-9a-fA-F]{2}', '\1 ', 'g')::jsonb;
  end;
end $$;

create or replace function searched_text(kind text, data text) returns text language plpgsql immutable parallel safe as $$
declare
  event jsonb;
begin
  begin
    event := storable_json(data);
  exception when others then
    return null;
  end;
  return case kind
    when 'tool/call' then concat_ws(' ', event->>'name', event->>'arguments')
    when 'todo/write' then (
      select string_agg(concat_ws(' ', todo->>'status', todo->>'content'), ' ' order by place)
      from jsonb_array_elements(event->'todos') with ordinality as listed (todo, place))
    when 'turn/end' then case
      when event #>> '{reason,kind}' in ('error', 'aborted', 'max-tokens', 'interrupted') then concat_ws(' ',
        event #>> '{reason,kind}', event #>> '{reason,code}', event #>> '{reason,message}',
        event #>> '{reason,failure,code}', event #>> '{reason,failure,message}') end
    else concat_ws(' ', (
      select string_agg(block->>'text', ' ' order by place)
      from jsonb_array_elements(event->'content') with ordinality as listed (block, place)
      where block->>'type' = 'text'), event #>> '{error,name}', event #>> '{error,code}', event->>'reason')
  end;
end $$;

-- What others write meanwhile would be written as before, and then not be found.
lock table session_events, search_documents in share row exclusive mode;
update search_documents set body = search_body(body),
  terms = search_terms(search_body(body), array['@t:' || tenant, '@s:' || session_id])
where body ~ '[\u0e00-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\uaadf]';

-- What could not be found so far.
with missing as materialized (
  select session_id, seq from session_events as e
  where type in ('user/message', 'context/message', 'steering/message', 'assistant/message', 'prompt/blocked',
      'tool/call', 'tool/result', 'todo/write', 'turn/end')
    and not exists (select from search_documents as d where d.session_id = e.session_id and d.seq = e.seq)
)
insert into search_documents (session_id, seq, tenant, type, time, surface_op, body, terms)
select session_id, seq, tenant, type, time, surface_op, body, search_terms(body, array['@t:' || tenant, '@s:' || session_id])
from (
  select session_id, seq, tenant, type, time, surface_op, search_body(left(searched_text(type, data), 200000)) as body
  from missing join session_events using (session_id, seq)
  where data ~ '\\u(?:0000|[dD][89a-fA-F])'
) as found
where btrim(body) <> '';
