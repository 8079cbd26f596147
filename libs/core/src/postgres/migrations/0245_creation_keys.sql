-- What a session was created with is known for as long as the session is, so the sweep of old keys never sees it.
drop index idempotency_by_age;
create index idempotency_by_age on idempotency (created_at) where key <> 'creation of the session';
