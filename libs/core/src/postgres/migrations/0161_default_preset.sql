-- The preset that the tenant wanted for new sessions when this one was made; nothing where it said none.
alter table sessions add column default_preset text;
