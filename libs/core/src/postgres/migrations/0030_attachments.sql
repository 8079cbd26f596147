-- Pictures that logs refer to, once each. `id` = sha256 of the bytes keyed by tenant. They belong to the logs and live
-- as long as these: nothing collects them, and a backup of the log needs them.
create table attachments (
  tenant     text not null,
  id         text not null,
  media_type text not null,
  width      integer not null,
  height     integer not null,
  data       bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id)
);
-- Encoded pictures do not shrink any further.
alter table attachments alter column data set storage external;
