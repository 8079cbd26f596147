-- What a tenant says of how its sessions are treated, by namespace. A revision counts changes; nobody's change is lost
-- to another that did not know of it.
create table settings (
  tenant     text not null,
  namespace  text not null,
  value      text not null,
  revision   bigint not null check (revision > 0),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant, namespace)
);
