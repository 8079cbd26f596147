-- Packages of plugins. One is installed for the deployment by a tenant that has an admin key, and every tenant switches
-- it on for itself. Each worker makes its own folder of a row: what npm packed, what its lock says.
alter table api_keys add column admin boolean not null default false;

create table bundles (
  name            text primary key,
  version         text not null,
  spec            text not null,
  registry        text,
  -- Of archive, lock and approved builds: names the folder on each machine.
  digest          text not null,
  archive         bytea not null,
  lock            text not null,
  plugins         text not null,
  approved_builds text[] not null,
  pending_builds  text[] not null,
  installed_at    timestamptz not null default clock_timestamp()
);
alter table bundles alter column archive set storage external;

create table tenant_bundles (
  tenant  text not null,
  bundle  text not null references bundles on delete cascade,
  enabled boolean not null,
  primary key (tenant, bundle)
);

-- Absent = on.
create table tenant_plugins (
  tenant  text not null,
  bundle  text not null references bundles on delete cascade,
  plugin  text not null,
  enabled boolean not null,
  primary key (tenant, bundle, plugin)
);

-- One row: raised by every change, so that workers see cheaply that there is one; and who installs or removes now.
create table bundle_state (
  singleton   boolean primary key default true check (singleton),
  revision    bigint not null default 0,
  lease_owner text,
  lease_until timestamptz not null default '-infinity'
);
insert into bundle_state default values;
