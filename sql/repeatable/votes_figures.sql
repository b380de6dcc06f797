-- The figures that pages and plugins read. Hidden listings have none.

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
        t.total_votes,
        this.monthly_votes,
        t.clicks,
        coalesce(today.votes, 0),
        coalesce(today.clicks, 0),
        coalesce((
            select sum(c.votes)::integer from public.server_daily_counts as c
            where c.server_id = t.server_id and c.day > this.day - 7
        ), 0),
        public.rank_at(public.all_games(), this.monthly_votes),
        public.rank_at(t.game_id, this.monthly_votes)
    from (
        select
            clock.day,
            standing.server_id,
            -- A counter of a former month that is not reset yet does not count.
            case when standing.month >= public.month_of(clock.day) then standing.monthly_votes else 0 end as monthly_votes
        from public.server_standings as standing
        cross join (select public.site_today() as day) as clock
        where standing.server_id = p_server_id and standing.is_listed
    ) as this
    inner join public.server_standings as t on t.server_id = this.server_id
    left join public.server_daily_counts as today on today.server_id = this.server_id and today.day = this.day
$$;

create or replace function public.get_vote_history(p_server_id uuid, p_days integer default 7)
returns table (vote_date date, vote_count integer)
language sql stable security definer set search_path = ''
as $$
    select days.day::date, coalesce(c.votes, 0)
    from public.server_standings as t
    cross join generate_series(
        (public.site_today() - (least(greatest(coalesce(p_days, 7), 1), 366) - 1))::timestamp,
        public.site_today()::timestamp,
        interval '1 day'
    ) as days (day)
    left join public.server_daily_counts as c on c.server_id = t.server_id and c.day = days.day::date
    where t.server_id = p_server_id and t.is_listed
    order by days.day
$$;

-- The neighbors of a listing in its game: itself with its rank and its address, the next one ahead,
-- the next one behind, and five of the two hundred most voted, those with a common tag first. Each
-- is read from the start of an index, however many listings the game has.
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
        select * from public.server_standings as t where t.server_id = p_server_id and t.is_listed
    ),
    found as (
        select 1 as place, 'self' as relation, me.* from me
        union all
        select 2, 'ahead', t.* from me cross join lateral (
            select o.* from public.server_standings as o
            where o.is_listed and o.game_id = me.game_id and o.monthly_votes > me.monthly_votes
            order by o.monthly_votes, o.server_id desc limit 1
        ) as t
        union all
        select 3, 'behind', t.* from me cross join lateral (
            select o.* from public.server_standings as o
            where
                o.is_listed and o.game_id = me.game_id and o.server_id <> me.server_id
                and o.monthly_votes <= me.monthly_votes
            order by o.monthly_votes desc, o.server_id limit 1
        ) as t
        union all
        select 4, 'similar', t.* from me cross join lateral (
            select top.*
            from (
                select o.* from public.server_standings as o
                where o.is_listed and o.game_id = me.game_id and o.server_id <> me.server_id
                order by o.monthly_votes desc, o.server_id limit 200
            ) as top
            order by top.tags && me.tags desc, top.monthly_votes desc, top.server_id limit 5
        ) as t
    )
    select
        f.relation, s.id, s.slug, s.name, s.logo_image_url,
        case when f.place = 1 then s.ip_address end,
        f.is_online, f.online_players, f.monthly_votes,
        case when f.place = 1 then public.rank_at(f.game_id, f.monthly_votes) end
    from found as f
    inner join public.servers as s on s.id = f.server_id
    order by f.place, f.monthly_votes desc, s.id
$$;

-- The site's totals. The number of servers is that of the operator's setting, or the counted one
-- without it.
create or replace function public.get_site_stats()
returns table (servers integer, players_online integer, votes_this_month integer, votes_total bigint)
language sql stable security definer set search_path = ''
as $$
    select
        coalesce(nullif(public.setting_integer('total_servers', 0), 0), sum(f.servers), 0)::integer,
        coalesce(sum(f.players_online), 0)::integer,
        coalesce(sum(f.votes_this_month), 0)::integer,
        coalesce(sum(f.votes_total), 0)::bigint
    from public.game_figures as f
$$;

revoke execute on function
    public.get_server_neighbours(uuid), public.get_server_stats(uuid), public.get_vote_history(uuid, integer), public.get_site_stats()
from public;
grant execute on function
    public.get_server_neighbours(uuid), public.get_server_stats(uuid), public.get_vote_history(uuid, integer), public.get_site_stats()
to anon, authenticated, service_role;
