-- Two neighbouring words of an event are a term as well, as one of 65,536 sorts of pairs: a phrase of frequent words is
-- looked for in the events that hold it, not in all that hold its words. Few sorts, because an index adds to a term it
-- knows for two bytes; whatever else falls into the same sort is told apart by `body`, which is asked in any case.
-- An event of very many words says '@long' instead, and is asked whenever it holds all words of a phrase.

create function search_pairs(words text[]) returns setof text language sql immutable parallel safe as $$
  select '#' || left(md5(left(word, 100) || ' ' || left(next_word, 100)), 4)
  from unnest(words[:cardinality(words) - 1], words[2:]) as pairs (word, next_word)
$$;

create or replace function search_terms(body text, marks text[]) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(
    select left(word, 100) from unnest(words) as word where word <> ''
    union select unnest(marks)
    union select unnest(case when cardinality(words) > 2000 then array['@long'] else array(select search_pairs(words)) end)))
  from string_to_array(btrim(body), '  ') as words
$$;

create or replace function search_query(body text, marks text[]) returns tsquery language sql immutable as $$
  select string_agg(term, ' & ')::tsquery
  from string_to_array(btrim(body), '  ') as words, lateral (
    select '''' || replace(replace(word, '\', '\\'), '''', '''''') || '''' as term
    from (select left(word, 100) as word from unnest(words) as word where word <> '' union select unnest(marks)) as known
    union select '(''' || pair || ''' | ''@long'')' from search_pairs(words) as pair) as terms
$$;

-- What others write meanwhile would be written as before, and then not be found.
lock table search_documents in share row exclusive mode;
update search_documents set terms = search_terms(body, array['@t:' || tenant, '@s:' || session_id]);
