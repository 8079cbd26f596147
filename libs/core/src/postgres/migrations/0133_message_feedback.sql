-- What people think of answers, beside the log: it may be changed and taken back. A version counts the changes.
create table message_feedback (
  session_id text not null references sessions (id) on delete cascade,
  seq        bigint not null,
  tenant     text not null,
  rating     text not null check (rating in ('positive', 'negative')),
  note       text,
  version    bigint not null check (version > 0),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (session_id, seq)
);
