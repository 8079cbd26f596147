-- Full text of the log, kept by the statements that write the log: no round trip of its own, and never behind.
-- Words are runs of letters and digits in small letters; a character of a script without spaces is a word by itself.
-- `body` holds the words of an event in order, each between two blanks of its own (' one  two '), so that a phrase is
-- a piece of it and its places are counted by replacing them. `terms` are the words once each, without positions
-- (their number is limited) and with marks for what searches are always narrowed by: '@t:' tenant, '@s:' session.

-- Small letters of all scripts where the server can tell them, else those of ASCII.
do $$ begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    create function search_lower(words text) returns text language sql immutable parallel safe
      as 'select lower(words collate "und-x-icu")';
  else
    create function search_lower(words text) returns text language sql immutable parallel safe as 'select lower(words)';
  end if;
end $$;

create function search_body(words text) returns text language sql immutable parallel safe as $$
  select ' ' || btrim(regexp_replace(
    regexp_replace(search_lower(words), '([\u1100-\u11ff\u2e80-\u2fdf\u3040-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc])', ' \1 ', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u00d7\u00f7\u02c2-\u02df\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe6f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufff0-\uffff]+', '  ', 'g'), ' ') || ' '
$$;

-- A word is cut where an index entry ends; a search cuts it the same way and finds out from `body`.
create function search_terms(body text, marks text[]) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(
    select distinct left(word, 100) from unnest(string_to_array(btrim(body), '  ')) as word where word <> ''
    union select unnest(marks)))
$$;

-- What of an event can be found; null = nothing. An event whose data jsonb refuses (a lone surrogate, say) is not found.
create function searched_text(kind text, data text) returns text language plpgsql immutable parallel safe as $$
declare
  event jsonb;
begin
  begin
    event := regexp_replace(data, '(^|[^\\])((?:\\\\)*)\\u0000', '\1\2 ', 'g')::jsonb;
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

create table search_documents (
  id         bigint generated always as identity,
  session_id text not null,
  seq        bigint not null,
  tenant     text not null,
  type       text not null,
  time       bigint not null,
  surface_op text,
  body       text not null,
  terms      tsvector not null,
  primary key (session_id, seq)
);
create index search_documents_by_terms on search_documents using gin (terms);
create index search_documents_by_age on search_documents (tenant, id desc);
-- Events that took the place of others: which, say their sources.
create index session_events_replacing on session_events (session_id) where surface_op = 'replace';

-- Whatever an event says, it must not keep the log from being written: what cannot be indexed is not found.
create function index_event() returns trigger language plpgsql as $$
declare
  found_body text;
  found_terms tsvector;
begin
  begin
    found_body := search_body(left(searched_text(new.type, new.data), 200000));
    if found_body is null or btrim(found_body) = '' then return null; end if;
    found_terms := search_terms(found_body, array['@t:' || new.tenant, '@s:' || new.session_id]);
  exception when others then
    raise warning 'event % of session % cannot be searched: %', new.seq, new.session_id, sqlerrm;
    return null;
  end;
  insert into search_documents (session_id, seq, tenant, type, time, surface_op, body, terms)
  values (new.session_id, new.seq, new.tenant, new.type, new.time, new.surface_op, found_body, found_terms)
  on conflict (session_id, seq) do update set type = excluded.type, time = excluded.time,
    surface_op = excluded.surface_op, body = excluded.body, terms = excluded.terms;
  return null;
end $$;

create trigger session_events_searched after insert on session_events for each row
  when (new.type in ('user/message', 'context/message', 'steering/message', 'assistant/message', 'prompt/blocked',
    'tool/call', 'tool/result', 'todo/write', 'turn/end'))
  execute function index_event();

create function forget_event() returns trigger language plpgsql as $$
begin
  delete from search_documents where session_id = old.session_id and seq = old.seq;
  return null;
end $$;

create trigger session_events_forgotten after delete on session_events for each row
  when (old.type <> 'assistant/chunk') execute function forget_event();

-- What the log holds already.
insert into search_documents (session_id, seq, tenant, type, time, surface_op, body, terms)
select session_id, seq, tenant, type, time, surface_op, body, search_terms(body, array['@t:' || tenant, '@s:' || session_id])
from (
  select session_id, seq, tenant, type, time, surface_op, search_body(left(searched_text(type, data), 200000)) as body
  from session_events
  where type in ('user/message', 'context/message', 'steering/message', 'assistant/message', 'prompt/blocked',
    'tool/call', 'tool/result', 'todo/write', 'turn/end')
) as found
where btrim(body) <> '';

-- How an event stands: on the surface, hidden behind what replaced it, or never there.
create function event_surface(in_session text, in_seq bigint, op text) returns text language sql stable as $$
  select case
    when op is null then 'log-only'
    when exists (
      select from session_events as r, jsonb_array_elements(r.source_ranges) as span
      where r.session_id = in_session and r.surface_op = 'replace' and r.seq > in_seq
        and in_seq between (span->>0)::bigint and (span->>1)::bigint) then 'shadowed'
    else 'current' end
$$;

-- A phrase as a query of its words, narrowed by marks.
create function search_query(body text, marks text[]) returns tsquery language sql immutable as $$
  select string_agg('''' || replace(replace(term, '\', '\\'), '''', '''''') || '''', ' & ')::tsquery
  from (
    select distinct left(word, 100) as term from unnest(string_to_array(btrim(body), '  ')) as word where word <> ''
    union select unnest(marks)) as terms
$$;
