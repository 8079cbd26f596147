-- Changes of a session's permissions are requests as well, whose outcome one may ask for.
alter table sent_requests drop constraint sent_requests_kind_check;
alter table sent_requests add constraint sent_requests_kind_check
  check (kind in ('cancel', 'interrupt', 'close', 'edit', 'drop', 'answer', 'permissions'));
