-- How much of a provider's allowance is used up, for all workers together. Only routes with a limit have rows.
create table route_limits (
  route           text primary key,
  -- When the next request would be due if all came at an even pace.
  next_request_at timestamptz not null default '-infinity',
  -- When all tokens that were used will have been earned back.
  tokens_until    timestamptz not null default '-infinity'
) with (fillfactor = 50);

-- Whose turn comes when: who had to wait keeps its place, so that nobody is passed.
create table route_waits (
  route   text not null,
  waiter  text not null,
  slot_at timestamptz not null,
  primary key (route, waiter)
);
create index route_waits_by_slot on route_waits (slot_at);

-- Milliseconds to wait before a request may go out; 0 = it may now, and is counted. Whoever waits asks again then, under
-- the same name. At most `in_requests` go out in any minute: a tenth of them at once, the others at an even pace.
create function take_route_slot(in_route text, in_waiter text, in_requests double precision, in_tokens double precision)
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
  due := greatest(used.next_request_at, moment);
  update route_limits set next_request_at = due + gap where route = in_route;
  due := due - gap * (burst - 1);
  if due <= moment then
    return 0;
  end if;
  insert into route_waits (route, waiter, slot_at) values (in_route, in_waiter, due);
  -- Places of those that never came back.
  delete from route_waits where (route, waiter) in
    (select route, waiter from route_waits where slot_at < moment - interval '1 hour' order by slot_at limit 100);
  return greatest(1, ceil(extract(epoch from due - moment) * 1000));
end $$;

-- Counts what a call used, once it is known.
create function charge_route_tokens(in_route text, in_used double precision, in_tokens double precision)
returns void language sql as $$
  insert into route_limits (route, tokens_until) values (in_route, clock_timestamp() + interval '1 minute' * (in_used / in_tokens))
  on conflict (route) do update
    set tokens_until = greatest(route_limits.tokens_until, clock_timestamp()) + interval '1 minute' * (in_used / in_tokens)
$$;
