-- When servers are queried, and the results of the queries. Only the service uses this table.
revoke all on public.server_checks from anon, authenticated, service_role;
grant all on public.server_checks to service_role;

drop policy if exists "the service does everything" on public.server_checks;
create policy "the service does everything" on public.server_checks
for all to service_role using (true) with check (true);

-- Schedules a query of a new listing, and of one with a new address, whose state is reset. Repeated
-- changes of the address cause at most one query a minute.
create or replace function public.plan_server_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.server_checks as c (server_id, due_at)
    values (new.id, now())
    on conflict (server_id) do update
    set due_at = least(c.due_at, greatest(now() + interval '1 minute', c.leased_until)), failures = 0;
    if tg_op = 'UPDATE' and (old.ip_address, old.game_id) is distinct from (new.ip_address, new.game_id) then
        update public.server_checks set map = null, told_name = null where server_id = new.id;
        update public.server_standings
        set is_online = false, online_players = 0, status_checked_at = null
        where server_id = new.id and status_checked_at is not null;
    end if;
    return null;
end
$$;

drop trigger if exists servers_check_planned on public.servers;
create trigger servers_check_planned after insert on public.servers
for each row execute function public.plan_server_check();
drop trigger if exists servers_check_planned_anew on public.servers;
create trigger servers_check_planned_anew after update on public.servers
for each row when (
    (old.ip_address, old.game_id, old.is_approved, old.is_hidden)
    is distinct from (new.ip_address, new.game_id, new.is_approved, new.is_hidden)
) execute function public.plan_server_check();

-- Claims due servers; nobody else gets them before the lease ends. Hidden servers are postponed by
-- a day.
create or replace function public.claim_server_checks(p_at timestamptz, p_lease integer, p_rows integer)
returns table (server_id uuid, address text, protocol text, usual_port integer, was_online boolean)
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select c.server_id from public.server_checks as c
        where c.due_at <= p_at
        order by c.due_at
        limit p_rows
        for update skip locked
    ),
    leased as (
        update public.server_checks as c
        set
            due_at = p_at + case when t.is_listed then make_interval(secs => p_lease) else interval '1 day' end,
            leased_until = case when t.is_listed then p_at + make_interval(secs => p_lease) end
        from public.server_standings as t
        -- The planner assumes that an array is short. For a join it would guess the number of due
        -- rows and read all standings.
        where c.server_id = any(array(select due.server_id from due)) and t.server_id = c.server_id
        returning c.server_id, t.is_listed, t.is_online
    )
    select s.id, s.ip_address, g.status_protocol, g.default_port, leased.is_online
    from leased
    inner join public.servers as s on s.id = leased.server_id
    inner join public.games as g on g.id = s.game_id
    where leased.is_listed
$$;

-- Claims one server, unless another process is querying it; returns whether it was claimed.
create or replace function public.claim_server_check(p_server_id uuid, p_at timestamptz, p_lease integer)
returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.server_checks as c (server_id, due_at, leased_until)
    select t.server_id, p_at + make_interval(secs => p_lease), p_at + make_interval(secs => p_lease)
    from public.server_standings as t
    where t.server_id = p_server_id and t.is_listed
    on conflict (server_id) do update set due_at = excluded.due_at, leased_until = excluded.leased_until
    where c.leased_until is null or c.leased_until <= p_at;
    return found;
end
$$;

-- Stores the results of queries of many servers; returns how many were stored. Results older than
-- the stored ones are ignored. Null for `online` means that the server cannot be queried; its
-- status stays. A server that does not answer is queried half as often each time, down to an
-- eighth, but at least every two hours.
--
-- Standings are locked in the order of their ids, as by votes.
create or replace function public.set_server_statuses(
    p_at timestamptz,
    p_interval integer,
    p_server_ids uuid[],
    p_methods text[],
    p_online boolean[],
    p_players integer[],
    p_places integer[],
    p_maps text[],
    p_names text[]
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_zone text := public.setting_text('site_timezone', 'Europe/Paris');
    v_local timestamp := p_at at time zone v_zone;
    v_day date := v_local::date;
    v_day_start timestamptz := v_day::timestamp at time zone v_zone;
    v_hour integer := extract(hour from v_local);
    v_row_count integer;
begin
    perform from public.server_standings
    where server_id = any(p_server_ids)
    order by server_id
    for no key update;

    insert into public.server_status_days as d (
        server_id, day, method, checks, answered, watched_seconds, up_seconds, told, players_sum, peak_players, hours
    )
    select
        t.server_id,
        v_day,
        f.method,
        1,
        f.online::integer,
        watched.seconds,
        case when t.is_online then watched.seconds else 0 end,
        case when f.players is null then 0 else 1 end,
        coalesce(f.players, 0),
        f.players,
        array_fill(null::integer, array[v_hour]) || array[f.players] || array_fill(null::integer, array[23 - v_hour])
    from unnest(p_server_ids, p_methods, p_online, p_players) as f (server_id, method, online, players)
    inner join public.server_standings as t on t.server_id = f.server_id
    cross join lateral (
        select case
            when t.status_checked_at is null then 0
            else least(extract(epoch from p_at - greatest(t.status_checked_at, v_day_start)), 10800)::integer
        end as seconds
    ) as watched
    where f.online is not null and coalesce(t.status_checked_at < p_at, true)
    order by t.server_id
    on conflict (server_id, day) do update set
        method = excluded.method,
        checks = d.checks + 1,
        answered = d.answered + excluded.answered,
        watched_seconds = d.watched_seconds + excluded.watched_seconds,
        up_seconds = d.up_seconds + excluded.up_seconds,
        told = d.told + excluded.told,
        players_sum = d.players_sum + excluded.players_sum,
        peak_players = greatest(d.peak_players, excluded.peak_players),
        hours = d.hours[:v_hour]
            || array[greatest(d.hours[v_hour + 1], excluded.hours[v_hour + 1])]
            || d.hours[v_hour + 2:];

    update public.server_standings as t
    set
        is_online = f.online,
        online_players = case when f.online then coalesce(f.players, 0) else 0 end,
        -- Without a number of players there is no maximum, either.
        max_players = case
            when not f.online then t.max_players when f.players is null then 0 else coalesce(f.places, t.max_players)
        end,
        status_checked_at = p_at
    from unnest(p_server_ids, p_online, p_players, p_places) as f (server_id, online, players, places)
    where t.server_id = f.server_id and f.online is not null and coalesce(t.status_checked_at < p_at, true);
    get diagnostics v_row_count = row_count;

    update public.server_checks as c
    set
        leased_until = null,
        failures = case when f.online then 0 else least(c.failures + 1, 3) end,
        due_at = p_at + make_interval(
            secs => (0.9 + random() * 0.2) * case
                when f.online then p_interval
                when f.online is null then greatest(p_interval, 3600)
                else least(p_interval * 2 ^ least(c.failures, 3), greatest(p_interval, 7200))
            end
        ),
        map = case when f.online then f.map else c.map end,
        told_name = case when f.online then f.told_name else c.told_name end
    from unnest(p_server_ids, p_online, p_maps, p_names) as f (server_id, online, map, told_name)
    where c.server_id = f.server_id;
    return v_row_count;
end
$$;

-- The number of servers among which the query capacity is divided.
create or replace function public.count_checked_servers() returns bigint
language sql stable security definer set search_path = ''
as $$
    select coalesce(sum(servers), 0)::bigint from public.game_figures
$$;

revoke execute on function
    public.plan_server_check(), public.claim_server_checks(timestamptz, integer, integer),
    public.claim_server_check(uuid, timestamptz, integer), public.count_checked_servers(),
    public.set_server_statuses(
        timestamptz, integer, uuid[], text[], boolean[], integer[], integer[], text[], text[]
    )
from public;
grant execute on function public.set_server_statuses(
    timestamptz, integer, uuid[], text[], boolean[], integer[], integer[], text[], text[]
) to service_role;
