-- A call that is given up (cancelled, say) leaves its place in its route's queue to whoever comes next: nobody is to wait
-- for a provider that is idle.
alter table route_waits add column free boolean not null default false;
create index route_waits_by_waiter on route_waits (waiter);

create or replace function take_route_slot(in_route text, in_waiter text, in_requests double precision, in_tokens double precision)
returns integer language plpgsql as $$
declare
  moment timestamptz;
  used route_limits;
  reserved timestamptz;
  burst double precision;
  gap interval;
  due timestamptz;
begin
  insert into route_limits (route) values (in_route) on conflict do nothing;
  select * into used from route_limits where route = in_route for update;
  moment := clock_timestamp();
  if in_tokens is not null and used.tokens_until >= moment + interval '1 minute' then
    return greatest(1, ceil(extract(epoch from used.tokens_until - moment - interval '1 minute') * 1000));
  end if;
  if in_requests is null then
    return 0;
  end if;
  delete from route_waits where route = in_route and waiter = in_waiter and slot_at <= moment;
  if found then
    return 0;
  end if;
  select slot_at into reserved from route_waits where route = in_route and waiter = in_waiter;
  if found then
    return greatest(1, ceil(extract(epoch from reserved - moment) * 1000));
  end if;
  burst := 1 + floor(in_requests / 10);
  gap := interval '1 minute' / (in_requests - burst + 1);
  due := greatest(used.next_request_at, moment) - gap * (burst - 1);
  if due > moment then
    update route_waits set waiter = in_waiter, free = false
    where (route, waiter) =
      (select route, waiter from route_waits where route = in_route and free and slot_at > moment order by slot_at limit 1)
    returning slot_at into reserved;
    if found then
      return greatest(1, ceil(extract(epoch from reserved - moment) * 1000));
    end if;
  end if;
  update route_limits set next_request_at = greatest(next_request_at, moment) + gap where route = in_route;
  if due <= moment then
    return 0;
  end if;
  insert into route_waits (route, waiter, slot_at) values (in_route, in_waiter, due);
  -- Places of those that never came back.
  delete from route_waits where (route, waiter) in
    (select route, waiter from route_waits where slot_at < moment - interval '1 hour' order by slot_at limit 100);
  return greatest(1, ceil(extract(epoch from due - moment) * 1000));
end $$;
