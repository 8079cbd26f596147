-- Which stored values messages and effects refer to, for whoever deletes those nothing refers to. Ids are of one length:
-- whatever else looks like a reference is none, and an index takes no long words.
create function blob_ids(value text) returns text[] language sql immutable parallel safe as $$
  select array(select found[1] from regexp_matches(value, '"\$blob":"([0-9a-f]{64})"', 'g') as found)
$$;

create index prompts_by_blob on prompts using gin (blob_ids(entry)) where position('"$blob"' in entry) > 0;
create index claims_by_blob on claims using gin (blob_ids(outcome)) where position('"$blob"' in outcome) > 0;
create index claims_by_written_blob on claims using gin (blob_ids(written)) where position('"$blob"' in written) > 0;
