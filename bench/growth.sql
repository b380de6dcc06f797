-- Adds servers, votes and their dependent rows, as on a site that has grown. Sizes are the settings
-- growth.servers and growth.votes; growth.totals_days is the retention of voters' daily and weekly
-- totals. Nothing is random: the same sizes give the same rows.

-- The rows are inserted in their final state, so triggers and foreign keys need not run for each.
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '1GB';
set work_mem = '256MB';

-- A pseudo-random number in [0, 1), always the same for the same arguments.
create function pg_temp.chance(kind text, n bigint) returns double precision
language sql immutable
as $$
    select (hashtextextended(kind, n) & 4294967295)::double precision / 4294967296
$$;

create function pg_temp.server_id(n bigint) returns uuid
language sql immutable
as $$
    select md5('growth ' || n)::uuid
$$;

-- Games differ in size as in reality: the first has more than half of all servers.
create temporary table growth_game as
select g.id, g.slug, row_number() over (order by (g.slug <> 'minecraft'), g.sort_order, g.name) - 1 as place, count(*) over () as games
from public.games as g
where g.is_active;

insert into public.servers (
    id, slug, name, search_name, description, language, ip_address, version, game_id, tags, logo_image_url,
    is_sponsored, sponsor_tier, prestige_expires_at, is_approved, is_hidden, created_at, updated_at
)
select
    pg_temp.server_id(n),
    'growth-' || n,
    listing.name,
    ' ' || lower(listing.name),
    repeat('Une carte dessinée à la main, des métiers qui comptent et un conseil élu. ', 12),
    -- A few in Spanish, every fifth in English.
    case when n % 500 = 3 then 'es' when n % 5 = 1 then 'en' else 'fr' end,
    'play-' || n || '.growth.example',
    '1.21',
    g.id,
    listing.tags,
    '/pictures/demo/logos/' || (1 + n % 120) || '.svg',
    n % 100 = 0,
    case when n % 100 = 0 then 'gold' end,
    case when n % 100 = 0 then now() + interval '30 days' end,
    n % 67 <> 1,
    n % 211 = 2,
    now() - make_interval(mins => (pg_temp.chance('age', n) * 2000000)::integer),
    now() - make_interval(mins => (pg_temp.chance('edited', n) * 100000)::integer)
from generate_series(1, current_setting('growth.servers')::bigint) as n
cross join lateral (
    select
        initcap(words.one || ' ' || words.two) || ' ' || n as name,
        (
            select array_agg(t.name order by t.name)
            from public.server_tags as t
            where pg_temp.chance(t.name, n) < 0.15
        ) as tags
    from (
        select
            (array['loup','brume','cendre','aurore','granit','forge','vallon','corail','givre','lande'])[1 + (n % 10)] as one,
            (array['noire','garde','royale','perdue','haute','claire','rouge','vieille','sombre','douce'])[1 + (n / 10 % 10)] as two
    ) as words
) as drawn
cross join lateral (select drawn.name, coalesce(drawn.tags[1:5], '{}') as tags) as listing
inner join growth_game as g
    on g.place = floor(power(pg_temp.chance('game', n), 5) * g.games);

insert into public.server_standings (
    server_id, game_id, game_slug, tags, language, is_listed, is_prestige, promoted_order, is_online, online_players,
    max_players, status_checked_at, created_at
)
select
    s.id, s.game_id, g.slug, s.tags, s.language, s.is_approved and not s.is_hidden, s.is_sponsored,
    case when s.is_sponsored then public.promoted_order_at(s.id, now()) end,
    true, floor(power(pg_temp.chance('players', hashtext(s.slug)), 6) * 900)::integer, 1000, now(), s.created_at
from public.servers as s
inner join growth_game as g on g.id = s.game_id
where s.slug like 'growth-%';

analyze public.servers;
analyze public.server_standings;

insert into public.server_api_tokens (server_id, token)
select id, md5(id::text || 'growth') || md5('growth' || id::text) from public.servers where slug like 'growth-%'
on conflict do nothing;

-- Indexes are dropped and recreated after the rows, which takes a fraction of the time.
create temporary table growth_index as
select indexname, indexdef from pg_catalog.pg_indexes
where schemaname = 'public' and tablename = 'votes' and indexname <> 'votes_pkey';
do $$
declare
    v_index record;
begin
    for v_index in select * from growth_index loop
        execute format('drop index public.%I', v_index.indexname);
    end loop;
end
$$;

-- Ids ascend, which makes insertion into the primary key's index fast.
insert into public.votes (id, server_id, nickname, ip_hash, voted_at)
select
    (lpad(to_hex(n), 12, '0') || '00008000000000000000')::uuid,
    pg_temp.server_id(1 + floor(
        power(pg_temp.chance('voted for', n), 4) * current_setting('growth.servers')::bigint
    )::bigint),
    'voter_' || floor(power(pg_temp.chance('voter', n), 2) * current_setting('growth.votes')::bigint / 12),
    md5('growth address ' || n) || md5('growth of ' || n),
    -- The last 40 days except the last three hours, so that no voter has to wait for the next vote.
    now() - interval '3 hours' - make_interval(secs => pg_temp.chance('when', n) * 86400 * 40)
from generate_series(1, current_setting('growth.votes')::bigint) as n;

do $$
declare
    v_index record;
begin
    for v_index in select * from growth_index loop
        execute v_index.indexdef;
    end loop;
end
$$;

analyze public.votes;

insert into public.server_daily_counts (server_id, day, votes, clicks)
select
    v.server_id,
    (v.voted_at at time zone (select public.setting_text('site_timezone', 'Europe/Paris')))::date,
    count(*),
    count(*) * 2
from public.votes as v
inner join public.servers as s on s.id = v.server_id and s.slug like 'growth-%'
group by 1, 2
on conflict (server_id, day) do nothing;

analyze public.server_daily_counts;

update public.server_standings as t
set clicks = counted.clicks
from (
    select c.server_id, sum(c.clicks)::integer as clicks
    from public.server_daily_counts as c
    inner join public.servers as s on s.id = c.server_id and s.slug like 'growth-%'
    group by c.server_id
) as counted
where counted.server_id = t.server_id;

-- Voters' totals, those of ended periods too, although no leaderboard shows them.
insert into public.voter_totals (period, period_start, voter_key, nickname, votes, last_vote_at)
select starts.period, starts.period_start, 'guest:' || v.nickname_folded, max(v.nickname), count(*), max(v.voted_at)
from (
    select
        nickname,
        nickname_folded,
        voted_at,
        (voted_at at time zone (select public.setting_text('site_timezone', 'Europe/Paris')))::date as day
    from public.votes
    where user_id is null
) as v
cross join lateral (
    values ('day', v.day, 1), ('week', public.week_of(v.day), 7), ('month', public.month_of(v.day), 31)
) as starts (period, period_start, days)
where starts.period_start + starts.days >= (select public.site_today() - current_setting('growth.totals_days')::integer)
group by starts.period, starts.period_start, v.nickname_folded
on conflict do nothing;

analyze public.voter_totals;

reset session_replication_role;

do $$
begin
    call public.recount_votes(p_commits => false);
    perform public.refresh_game_figures();
    perform public.refresh_tag_figures();
    perform public.refresh_ranks();
end
$$;

-- The ranks of this morning, when each server had 60 to 100 % of the month's votes.
update public.server_standings as t
set
    place_day = public.site_today(),
    day_rank = moved.day_rank,
    day_game_rank = moved.day_game_rank,
    rise = public.rise_between(moved.day_rank, public.rank_at(public.all_games(), t.monthly_votes)),
    game_rise = public.rise_between(moved.day_game_rank, public.rank_at(t.game_id, t.monthly_votes))
from (
    select
        begun.server_id,
        (rank() over (order by begun.votes desc))::integer as day_rank,
        (rank() over (partition by begun.game_id order by begun.votes desc))::integer as day_game_rank
    from (
        select server_id, game_id, floor(monthly_votes * (0.6 + 0.4 * pg_temp.chance('morning', hashtext(server_id::text)))) as votes
        from public.server_standings
        where is_listed and monthly_votes > 0
    ) as begun
) as moved
where moved.server_id = t.server_id;
