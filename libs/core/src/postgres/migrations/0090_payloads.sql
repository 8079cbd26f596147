-- Values that were too large for Temporal although our own budgets should have kept them small: its last guard puts
-- them here, and the histories of their session have the address. Tenant and session are empty for workflows of nobody's.
create table payloads (
  tenant     text not null,
  session_id text not null,
  id         text not null,
  metadata   jsonb not null,
  data       bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, session_id, id)
);
alter table payloads alter column data set storage external;
