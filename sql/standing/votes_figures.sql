-- The figures pages and plugins read. A listing that is not public has none.

create or replace function public.get_server_stats(p_server_id uuid)
returns table (
    total_votes integer,
    monthly_votes integer,
    total_clicks integer,
    votes_today integer,
    clicks_today integer,
    votes_last_7_days integer,
    rank integer,
    game_rank integer
)
language sql stable security definer set search_path = ''
as $$
    select
        s.total_votes,
        s.monthly_votes,
        s.clicks,
        coalesce((
            select c.votes from public.server_daily_counts as c
            where c.server_id = s.id and c.day = public.site_today()
        ), 0),
        coalesce((
            select c.clicks from public.server_daily_counts as c
            where c.server_id = s.id and c.day = public.site_today()
        ), 0),
        coalesce((
            select sum(c.votes)::integer from public.server_daily_counts as c
            where c.server_id = s.id and c.day > public.site_today() - 7
        ), 0),
        s.rank,
        s.game_rank
    from public.servers_public as s
    where s.id = p_server_id
$$;

create or replace function public.get_vote_history(p_server_id uuid, p_days integer default 7)
returns table (vote_date date, vote_count integer)
language sql stable security definer set search_path = ''
as $$
    select days.day::date, coalesce(c.votes, 0)
    from public.servers_public as s
    cross join generate_series(
        (public.site_today() - (least(greatest(coalesce(p_days, 7), 1), 366) - 1))::timestamp,
        public.site_today()::timestamp,
        interval '1 day'
    ) as days (day)
    left join public.server_daily_counts as c on c.server_id = s.id and c.day = days.day::date
    where s.id = p_server_id
    order by days.day
$$;

-- Where a listing stands in its game: itself with its place and its address, the next one ahead of
-- it, the next one behind it, and three of the two hundred most voted to look at besides: those with
-- a tag in common first. Each is the beginning of an index, however many listings a game has.
create or replace function public.get_server_neighbours(p_server_id uuid)
returns table (
    relation text,
    id uuid,
    slug text,
    name text,
    logo_image_url text,
    ip_address text,
    is_online boolean,
    online_players integer,
    monthly_votes integer,
    game_rank integer
)
language sql stable security definer set search_path = ''
as $$
    with me as (
        select * from public.servers where servers.id = p_server_id and is_approved and not is_hidden
    ),
    found as (
        select 1 as place, 'self' as relation, me.* from me
        union all
        select 2, 'ahead', s.* from me cross join lateral (
            select o.* from public.servers as o
            where o.is_approved and not o.is_hidden and o.game_id = me.game_id and o.monthly_votes > me.monthly_votes
            order by o.monthly_votes, o.id desc limit 1
        ) as s
        union all
        select 3, 'behind', s.* from me cross join lateral (
            select o.* from public.servers as o
            where
                o.is_approved and not o.is_hidden and o.game_id = me.game_id and o.id <> me.id
                and o.monthly_votes <= me.monthly_votes
            order by o.monthly_votes desc, o.id limit 1
        ) as s
        union all
        select 4, 'similar', s.* from me cross join lateral (
            select top.*
            from (
                select o.* from public.servers as o
                where o.is_approved and not o.is_hidden and o.game_id = me.game_id and o.id <> me.id
                order by o.monthly_votes desc, o.id limit 200
            ) as top
            order by top.tags && me.tags desc, top.monthly_votes desc, top.id limit 3
        ) as s
    )
    select
        f.relation, f.id, f.slug, f.name, f.logo_image_url,
        case when f.place = 1 then f.ip_address end,
        f.is_online, f.online_players, f.monthly_votes,
        case when f.place = 1 then (
            select (count(*) + 1)::integer from public.servers as better
            where
                better.is_approved and not better.is_hidden and better.game_id = f.game_id
                and better.monthly_votes > f.monthly_votes
        ) end
    from found as f
    order by f.place, f.monthly_votes desc, f.id
$$;

create or replace function public.get_site_stats()
returns table (servers integer, players_online integer, votes_this_month integer, votes_total bigint)
language sql stable security definer set search_path = ''
as $$
    select
        coalesce(sum(f.servers), 0)::integer,
        coalesce(sum(f.players_online), 0)::integer,
        coalesce(sum(f.votes_this_month), 0)::integer,
        coalesce(sum(f.votes_total), 0)::bigint
    from public.game_figures as f
$$;

-- Who voted most today, this week or this month. Guests are known by the nickname they typed.
create or replace function public.get_leaderboard(p_period text default 'month', p_limit integer default 50)
returns table (
    rank integer, voter_name text, votes_count integer, is_guest boolean, role text, is_me boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_start date := case p_period
        when 'day' then public.site_today()
        when 'week' then public.week_of(public.site_today())
        when 'month' then public.month_of(public.site_today())
    end;
begin
    if v_start is null then
        raise exception 'The period is day, week or month' using errcode = '22023';
    end if;
    return query
    select
        (row_number() over (order by t.votes desc, t.last_vote_at, t.voter_key))::integer,
        coalesce(p.username, t.nickname),
        t.votes,
        t.user_id is null,
        nullif(p.role, 'user'),
        coalesce(t.user_id = auth.uid(), false)
    from public.voter_totals as t
    left join public.profiles as p on p.id = t.user_id
    where t.period = p_period and t.period_start = v_start
    order by t.votes desc, t.last_vote_at, t.voter_key
    limit least(greatest(coalesce(p_limit, 50), 1), 100);
end
$$;

revoke execute on function
    public.get_server_neighbours(uuid), public.get_server_stats(uuid), public.get_vote_history(uuid, integer), public.get_site_stats(),
    public.get_leaderboard(text, integer)
from public;
grant execute on function
    public.get_server_neighbours(uuid), public.get_server_stats(uuid), public.get_vote_history(uuid, integer), public.get_site_stats(),
    public.get_leaderboard(text, integer)
to anon, authenticated, service_role;
