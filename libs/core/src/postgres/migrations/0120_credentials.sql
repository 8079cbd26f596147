-- Keys of providers that tenants keep here, sealed under a key of the deployment. Written and used, never shown.
create table credentials (
  tenant     text not null,
  -- Named as the variable it stands for.
  ref        text not null,
  sealed     text not null,
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (tenant, ref)
);
