-- Everybody who may see a listing may see its standing. The periods of the counters are internal to
-- the procedures.
revoke all on public.server_standings from anon, authenticated, service_role;
grant select (
    server_id, game_id, game_slug, tags, language, is_listed, is_prestige, promoted_order, is_online, online_players,
    max_players, status_checked_at, total_votes, monthly_votes, weekly_votes, daily_votes, clicks, created_at,
    day_rank, day_game_rank, rise, game_rise, requires_ticket
) on public.server_standings to anon, authenticated;
grant all on public.server_standings to service_role;

drop policy if exists "everyone sees the standings of public listings" on public.server_standings;
create policy "everyone sees the standings of public listings" on public.server_standings
for select to anon, authenticated using (is_listed);

drop policy if exists "owners see the standings of their listings" on public.server_standings;
create policy "owners see the standings of their listings" on public.server_standings
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see every standing" on public.server_standings;
create policy "administrators see every standing" on public.server_standings
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_standings;
create policy "the service does everything" on public.server_standings
for all to service_role using (true) with check (true);

-- The order of promoted listings changes every hour and is the same for all visitors within it.
create or replace function public.promoted_order_at(p_server_id uuid, p_at timestamptz) returns double precision
language sql immutable parallel safe
as $$
    select uuid_hash_extended(p_server_id, floor(extract(epoch from p_at) / 3600)::bigint)::double precision
$$;

create or replace function public.follow_server() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_is_prestige boolean
    := new.is_sponsored and new.shows_prestige and coalesce(new.prestige_expires_at > now(), false);
begin
    insert into public.server_standings as existing (
        server_id, game_id, game_slug, tags, language, is_listed, is_prestige, promoted_order, created_at
    )
    select
        new.id, g.id, g.slug, new.tags, new.language, new.is_approved and not new.is_hidden, v_is_prestige,
        case when v_is_prestige then public.promoted_order_at(new.id, now()) end, new.created_at
    from public.games as g
    where g.id = new.game_id
    on conflict (server_id) do update set
        game_id = excluded.game_id,
        game_slug = excluded.game_slug,
        tags = excluded.tags,
        language = excluded.language,
        is_listed = excluded.is_listed,
        is_prestige = excluded.is_prestige,
        promoted_order = excluded.promoted_order,
        created_at = excluded.created_at,
        -- The rank in a former game is not comparable.
        day_game_rank = case when existing.game_id = excluded.game_id then existing.day_game_rank end,
        game_rise = case when existing.game_id = excluded.game_id then existing.game_rise else 0 end
    where
        (
            existing.game_id, existing.game_slug, existing.tags, existing.language, existing.is_listed, existing.is_prestige,
            existing.created_at
        )
        is distinct from (
            excluded.game_id, excluded.game_slug, excluded.tags, excluded.language, excluded.is_listed,
            excluded.is_prestige, excluded.created_at
        );
    return null;
end
$$;

drop trigger if exists servers_standing_made on public.servers;
create trigger servers_standing_made after insert on public.servers
for each row execute function public.follow_server();
drop trigger if exists servers_standing_follows on public.servers;
create trigger servers_standing_follows after update on public.servers
for each row when (
    (
        old.game_id, old.tags, old.language, old.is_approved, old.is_hidden, old.is_sponsored, old.shows_prestige,
        old.prestige_expires_at, old.created_at
    ) is distinct from (
        new.game_id, new.tags, new.language, new.is_approved, new.is_hidden, new.is_sponsored, new.shows_prestige,
        new.prestige_expires_at, new.created_at
    )
) execute function public.follow_server();

create or replace function public.follow_game_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    update public.server_standings set game_slug = new.slug where game_id = new.id;
    return null;
end
$$;

drop trigger if exists games_follow_slug on public.games;
create trigger games_follow_slug after update of slug on public.games
for each row when (old.slug <> new.slug) execute function public.follow_game_slug();

-- Ends expired promotions and sets the order of the hour, for at most `p_rows` listings; returns
-- how many. Skips rows that another transaction has locked.
create or replace function public.refresh_promotion(p_at timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with promoted as (
        select
            t.server_id,
            s.is_sponsored and s.shows_prestige and coalesce(s.prestige_expires_at > p_at, false) as is_prestige
        from public.server_standings as t
        inner join public.servers as s on s.id = t.server_id
        where
            t.is_prestige
            and (
                not (s.is_sponsored and s.shows_prestige)
                or coalesce(s.prestige_expires_at <= p_at, true)
                or t.promoted_order is distinct from public.promoted_order_at(t.server_id, p_at)
            )
        order by t.server_id
        limit p_rows
        for no key update of t skip locked
    ),
    existing as (
        update public.server_standings as t
        set
            is_prestige = p.is_prestige,
            promoted_order = case when p.is_prestige then public.promoted_order_at(t.server_id, p_at) end
        from promoted as p
        where p.server_id = t.server_id
        returning 1
    )
    select count(*)::integer from existing
$$;

revoke execute on function
    public.promoted_order_at(uuid, timestamptz), public.follow_server(), public.follow_game_slug(),
    public.refresh_promotion(timestamptz, integer)
from public;

-- Set the order of listings that were promoted before this column existed.
do $$
begin
    perform public.refresh_promotion(now(), 1000000);
end
$$;
