-- Ids are text and sessions are unique across tenants, since a workflow id is; every row still names its tenant,
-- and every query starts with it. There are no foreign keys between the log and its neighbours: a rebuild writes
-- them in whatever order histories yield them, and each insert would lock a parent row.
-- JSON that must come back byte for byte is text (canonical JSON): jsonb refuses \u0000 and reorders keys.
-- jsonb is used only for derived values that hold no free text.

create table sessions (
  id           text primary key,
  tenant       text not null,
  header       text not null,
  options      text not null,
  status       text not null check (status in ('starting', 'idle', 'running', 'waiting', 'broken', 'closed')),
  generation   integer not null default 0,
  host_id      text,
  host_epoch   integer,
  queue_length integer not null default 0,
  open_turn    integer,
  usage        jsonb not null default '{}',
  model        text,
  title        text not null default '',
  preview      text not null default '',
  metadata     jsonb not null default '{}',
  parent_id    text,
  -- When each column a workflow writes was last stamped, in workflow time, so that a late duplicate changes nothing.
  row_stamps   jsonb not null default '{}',
  -- Whole milliseconds, since cursors carry it through programs whose clocks have no more.
  created_at   timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at   timestamptz not null default clock_timestamp()
) with (fillfactor = 80);
create index sessions_by_creation on sessions (tenant, created_at desc, id);
create index sessions_by_status on sessions (tenant, status, created_at desc, id);
create index sessions_by_parent on sessions (tenant, parent_id) where parent_id is not null;
create index sessions_by_metadata on sessions using gin (metadata jsonb_path_ops);
create index sessions_starting on sessions (created_at) where status = 'starting';

-- One narrow row per log, locked by every commit: the only place numbers come from.
create table log_heads (
  session_id     text primary key,
  tenant         text not null,
  next_seq       bigint not null default 0,
  generation     integer not null default 0,
  -- The run that raised the generation, so that a retried attempt recognises its own work.
  opened_by      text,
  closed         boolean not null default false,
  open_turn      integer,
  open_step      integer,
  last_turn      integer not null default 0,
  -- The last step of the last turn; 0 = none yet.
  last_step      integer not null default 0,
  last_time      bigint not null default 0,
  turn_start_seq bigint,
  step_start_seq bigint,
  -- Calls of the open step without a result; brackets of the open turn (an approval asked, say). Each is the
  -- canonical JSON of its key, since a model may put characters into an id that text cannot hold.
  open_calls     text[] not null default '{}',
  open_brackets  text[] not null default '{}',
  seen_brackets  text[] not null default '{}',
  -- The rows of the last commit by the session's own workflow, whose history may not have heard of them.
  session_from   bigint,
  session_to     bigint
) with (fillfactor = 50);

create table session_events (
  session_id    text not null,
  seq           bigint not null,
  tenant        text not null,
  type          text not null,
  time          bigint not null,
  -- The time its author stamped, where that was before its predecessor's.
  stamped_time  bigint,
  eid           text not null,
  content_hash  bytea not null,
  data          text not null,
  -- The turn and step the event lies in.
  turn          integer,
  step          integer,
  surface_op    text check (surface_op in ('append', 'replace')),
  replace_start bigint,
  replace_end   bigint,
  -- [[from, to], …] in recorded order; null = provenance not recorded.
  source_ranges jsonb,
  primary key (session_id, seq),
  check ((surface_op is not distinct from 'replace') = (replace_start is not null and replace_end is not null)),
  check (surface_op is not null or source_ranges is null)
);
create unique index session_events_by_eid on session_events (session_id, eid);
-- Deriving and pages without chunks would otherwise read past hundreds of chunks per step.
create index session_events_without_chunks on session_events (session_id, seq) where type <> 'assistant/chunk';
create index session_events_boundaries on session_events (session_id, turn, step)
  where type in ('turn/start', 'turn/end', 'step/start', 'step/end');

-- Ranges of numbers that have no row, and why.
create table log_gaps (
  session_id text not null,
  from_seq   bigint not null,
  to_seq     bigint not null,
  tenant     text not null,
  reason     text not null check (reason in ('pruned', 'rebuilt')),
  primary key (session_id, from_seq),
  check (from_seq <= to_seq)
);

-- The hash chain over the non-chunk rows of finished turns.
create table turn_seals (
  session_id text not null,
  turn       integer not null,
  tenant     text not null,
  from_seq   bigint not null,
  to_seq     bigint not null,
  row_count  integer not null,
  previous   bytea not null,
  hash       bytea not null,
  sealed_at  timestamptz not null default clock_timestamp(),
  primary key (session_id, turn)
);

-- The effects ledger: one row per effect, keyed by what it means.
create table claims (
  session_id       text not null,
  key              text not null,
  tenant           text not null,
  state            text not null check (state in ('claimed', 'done', 'unknown', 'void')),
  owner            text,
  epoch            integer not null default 1,
  lease_until      timestamptz,
  -- When somebody first found the lease lapsed; a second look, a second later, takes over.
  lapsed_seen_at   timestamptz,
  host_id          text,
  host_epoch       integer,
  -- Written by a waiting attempt that was cancelled, read by the holder when it renews.
  cancel_cause     text,
  turn             integer,
  step             integer,
  label            text not null default '',
  outcome          text,
  -- Events the holder wrote with its outcome, as authored, and their numbers: [[eid, seq, time], …].
  written          text,
  written_acks     jsonb,
  created_at       timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at       timestamptz not null default clock_timestamp(),
  primary key (session_id, key)
) with (fillfactor = 70);
create index claims_open on claims (session_id, state) where state <> 'done';

-- Messages accepted from callers, written before anything is sent to a workflow.
create table prompts (
  session_id text not null,
  prompt_id  text not null,
  tenant     text not null,
  position   bigint generated always as identity,
  mode       text not null check (mode in ('send', 'steer', 'inject')),
  state      text not null default 'accepted' check (state in ('accepted', 'queued', 'claimed', 'done', 'discarded')),
  -- Canonical JSON of the message entry.
  entry      text not null,
  turn       integer,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (session_id, prompt_id)
);
create index prompts_unclaimed on prompts (session_id, position) where state in ('accepted', 'queued');
create index prompts_by_turn on prompts (session_id, turn) where turn is not null;

-- What a caller's key was first used for; kept 7 days.
create table idempotency (
  tenant     text not null,
  session_id text not null,
  key        text not null,
  body_hash  bytea not null,
  request_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, session_id, key)
);
create index idempotency_by_age on idempotency (created_at);

-- Approvals and questions, and who waits for the answer.
create table interactions (
  session_id text not null,
  id         text not null,
  tenant     text not null,
  kind       text not null check (kind in ('approval', 'question')),
  state      text not null check (state in ('open', 'answered', 'cancelled')),
  turn       integer not null,
  step       integer not null,
  call_id    text,
  answer_to  text not null,
  request    text not null,
  outcome    text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (session_id, id)
);
create index interactions_open on interactions (tenant, created_at) where state = 'open';

-- What became of each request a session was sent.
create table requests (
  session_id text not null,
  request_id text not null,
  tenant     text not null,
  outcome    text not null check (outcome in ('accepted', 'refused')),
  code       text,
  message    text,
  settled_at timestamptz not null default clock_timestamp(),
  primary key (session_id, request_id)
);
create index requests_by_time on requests (session_id, settled_at desc);

-- Values too large to travel, as canonical JSON. `id` = sha256 of the plaintext keyed by tenant.
create table blobs (
  tenant     text not null,
  id         text not null,
  bytes      integer not null,
  data       text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id)
);

-- Machines that run tools: a lease, beaten every 2 s.
create table hosts (
  host_id    text primary key,
  epoch      integer not null,
  last_seen  timestamptz not null,
  -- Identifies the holder: pid and start time of its process on its machine.
  holder     text not null,
  -- Absolute folders whose contents this host serves.
  roots      jsonb not null,
  details    jsonb not null default '{}',
  taken_at   timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

create table api_keys (
  id           text primary key,
  tenant       text not null,
  name         text not null default '',
  -- sha256 of the key; the key itself is shown once and stored nowhere.
  hash         bytea not null unique,
  created_at   timestamptz not null default clock_timestamp(),
  expires_at   timestamptz,
  revoked_at   timestamptz
);
create index api_keys_by_tenant on api_keys (tenant, created_at);
