-- Background jobs: work that goes on after its call was answered. What one wrote is kept by pages, the newest of them;
-- who reads has a cursor, so that nothing is shown twice.

create table jobs (
  session_id   text not null,
  id           text not null,
  tenant       text not null,
  kind         text not null,
  number       integer not null,
  label        text not null,
  state        text not null default 'running' check (state in ('running', 'stopping', 'completed', 'killed', 'failed')),
  detail       text,
  -- The claim of the call that asked for it: asked again, the call gets the same job.
  call_key     text not null,
  turn         integer not null,
  step         integer not null,
  -- Its owner knows how it ended or has ended it: nobody need be told.
  reported     boolean not null default false,
  last_page    integer not null default 0,
  -- Pages up to this one were dropped to make room.
  dropped_page integer not null default 0,
  kept_bytes   bigint not null default 0,
  total_bytes  bigint not null default 0,
  -- Canonical JSON: where whole streams lie on the job's machine.
  files        text not null default '[]',
  -- What the model has read; the last reader and where it began, so that its repeated attempt reads the same again.
  read_page    integer not null default 0,
  read_from    integer not null default 0,
  read_by      text,
  started_at   timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at  timestamptz,
  primary key (session_id, id),
  unique (session_id, kind, number),
  unique (session_id, call_key)
) with (fillfactor = 70);
create index jobs_active on jobs (session_id) where state in ('running', 'stopping');

create table job_pages (
  session_id text not null,
  job_id     text not null,
  page       integer not null,
  tenant     text not null,
  stream     text not null check (stream in ('stdout', 'stderr', 'notice')),
  text       text not null,
  -- More was written before it than could be kept.
  dropped    boolean not null default false,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (session_id, job_id, page)
);

-- Ends jobs that never began and now cannot: the call that asked for them was settled without an outcome.
create function end_orphan_jobs(in_tenant text, in_session text) returns void language sql as $$
  update jobs set state = 'failed', detail = 'not started', reported = true, finished_at = clock_timestamp()
  where tenant = in_tenant and session_id = in_session and state = 'running'
    and exists (select from claims where session_id = in_session and key = jobs.call_key and state in ('unknown', 'void'))
    and not exists (select from claims where session_id = in_session and key = 'job:' || jobs.id)
$$;

-- Gives a call its job: admitted | known (asked before) | full (too many run) | missing (no such session).
create function admit_job(input jsonb) returns jsonb language plpgsql as $$
declare
  found_id text;
  active integer;
  next_number integer;
begin
  perform from sessions where tenant = input->>'tenant' and id = input->>'session' for no key update;
  if not found then return jsonb_build_object('kind', 'missing'); end if;
  select id into found_id from jobs
    where tenant = input->>'tenant' and session_id = input->>'session' and call_key = input->>'call';
  if found then return jsonb_build_object('kind', 'known', 'id', found_id); end if;
  perform end_orphan_jobs(input->>'tenant', input->>'session');
  select count(*) into active from jobs where session_id = input->>'session' and state in ('running', 'stopping');
  if active >= (input->>'limit')::integer then return jsonb_build_object('kind', 'full'); end if;
  select coalesce(max(number), 0) + 1 into next_number from jobs
    where session_id = input->>'session' and kind = input->>'kind';
  found_id := (input->>'kind') || '-' || next_number;
  insert into jobs (session_id, id, tenant, kind, number, label, call_key, turn, step)
  values (input->>'session', found_id, input->>'tenant', input->>'kind', next_number, input->>'label', input->>'call',
    (input->>'turn')::integer, (input->>'step')::integer);
  update sessions set updated_at = clock_timestamp() where id = input->>'session';
  return jsonb_build_object('kind', 'admitted', 'id', found_id);
end $$;

-- Adds pages in the name of who holds the job's claim; anybody else is refused.
create function append_job_pages(input jsonb) returns void language plpgsql as $$
declare
  job jobs;
  entry jsonb;
  keep bigint := (input->>'keepBytes')::bigint;
begin
  perform from claims
    where tenant = input->>'tenant' and session_id = input->>'session' and key = 'job:' || (input->>'job')
      and owner = input->>'owner' and epoch = (input->>'epoch')::integer and state = 'claimed'
    for share;
  if not found then
    perform refuse('CLAIM_LOST', format('job %s of session %s is no longer held by this attempt', input->>'job', input->>'session'));
  end if;
  select * into strict job from jobs
    where tenant = input->>'tenant' and session_id = input->>'session' and id = input->>'job' for no key update;
  for entry in select value from jsonb_array_elements(input->'pages') loop
    job.last_page := job.last_page + 1;
    job.kept_bytes := job.kept_bytes + octet_length(entry->>'text');
    job.total_bytes := job.total_bytes + octet_length(entry->>'text');
    insert into job_pages (session_id, job_id, page, tenant, stream, text, dropped)
    values (job.session_id, job.id, job.last_page, job.tenant, entry->>'stream', entry->>'text', (entry->>'dropped')::boolean);
  end loop;
  -- A tenth more than wanted is let stand, so that most calls delete nothing.
  if job.kept_bytes > keep + keep / 10 then
    with aged as (
      select page, octet_length(text) as bytes, sum(octet_length(text)) over (order by page desc) as newer
      from job_pages where session_id = job.session_id and job_id = job.id
    ), removed as (
      delete from job_pages using aged
      where session_id = job.session_id and job_id = job.id and job_pages.page = aged.page
        and aged.newer > keep and aged.page < job.last_page
      returning job_pages.page, aged.bytes
    )
    select greatest(job.dropped_page, coalesce(max(page), 0)), job.kept_bytes - coalesce(sum(bytes), 0)
      into job.dropped_page, job.kept_bytes from removed;
  end if;
  update jobs set last_page = job.last_page, kept_bytes = job.kept_bytes, total_bytes = job.total_bytes,
    dropped_page = job.dropped_page, files = coalesce(input->>'files', files)
  where session_id = job.session_id and id = job.id;
end $$;

-- As before, but claims that belong to no log are settled without a commit: jobs outlive turns, generations and the log.
create or replace function settle_claims(input jsonb) returns jsonb language plpgsql as $$
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
  return jsonb_build_object('claims', answers, 'commit',
    case when input ? 'commit' then commit_events(input->'commit') else '{"acks": [], "added": 0}' end);
end $$;
