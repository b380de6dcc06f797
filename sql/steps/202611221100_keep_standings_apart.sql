-- What of a listing changes with every vote, click and status query, and what lists filter and sort by: a narrow row, so
-- that counting rewrites no text, and every order of a list is an index of it. Kept in step with the listing by triggers;
-- see server_standings.sql.
--
-- A counter is about the period beside it: the first vote of a new one begins it anew, whoever sets the others back.
create table public.server_standings (
    server_id uuid primary key references public.servers (id) on delete cascade,
    game_id uuid not null references public.games (id),
    game_slug text not null,
    tags text[] not null default '{}',
    -- Approved and not hidden.
    is_listed boolean not null,
    is_prestige boolean not null default false,
    promoted_order double precision,
    is_online boolean not null default false,
    online_players integer not null default 0,
    max_players integer not null default 100,
    status_checked_at timestamptz,
    total_votes integer not null default 0,
    month date not null default '-infinity',
    monthly_votes integer not null default 0,
    week date not null default '-infinity',
    weekly_votes integer not null default 0,
    day date not null default '-infinity',
    daily_votes integer not null default 0,
    clicks integer not null default 0,
    created_at timestamptz not null,
    constraint server_standings_not_negative check (
        online_players >= 0 and max_players >= 0 and total_votes >= 0 and monthly_votes >= 0 and weekly_votes >= 0
        and daily_votes >= 0 and clicks >= 0
    )
)
with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05
);

alter table public.server_standings enable row level security;

insert into public.server_standings (
    server_id, game_id, game_slug, tags, is_listed, is_prestige, is_online, online_players, max_players,
    status_checked_at, total_votes, month, monthly_votes, week, weekly_votes, day, daily_votes, clicks, created_at
)
select
    s.id, s.game_id, g.slug, s.tags, s.is_approved and not s.is_hidden,
    s.is_sponsored and coalesce(s.prestige_expires_at > now(), false), s.is_online, s.online_players, s.max_players,
    s.status_checked_at, s.total_votes, coalesce(c.month, '-infinity'), s.monthly_votes, coalesce(c.week, '-infinity'),
    s.weekly_votes, coalesce(c.day, '-infinity'), s.daily_votes, s.clicks, s.created_at
from public.servers as s
inner join public.games as g on g.id = s.game_id
left join public.vote_clock as c on true;

-- The orders lists are read in, of all games and of one; what nobody may see is left out.
create index server_standings_default_idx
on public.server_standings (is_prestige desc, promoted_order, monthly_votes desc, server_id) where is_listed;
create index server_standings_votes_idx
on public.server_standings (is_prestige desc, monthly_votes desc, server_id) where is_listed;
create index server_standings_ranking_idx on public.server_standings (monthly_votes desc, server_id) where is_listed;
create index server_standings_players_idx on public.server_standings (online_players desc, server_id) where is_listed;
create index server_standings_age_idx on public.server_standings (created_at desc, server_id) where is_listed;
create index server_standings_clicks_idx on public.server_standings (clicks desc, server_id) where is_listed;

create index server_standings_of_game_default_idx
on public.server_standings (game_slug, is_prestige desc, promoted_order, monthly_votes desc, server_id) where is_listed;
create index server_standings_of_game_votes_idx
on public.server_standings (game_slug, is_prestige desc, monthly_votes desc, server_id) where is_listed;
create index server_standings_of_game_ranking_idx
on public.server_standings (game_id, monthly_votes desc, server_id) where is_listed;
create index server_standings_of_game_players_idx
on public.server_standings (game_slug, online_players desc, server_id) where is_listed;
create index server_standings_of_game_age_idx
on public.server_standings (game_slug, created_at desc, server_id) where is_listed;
create index server_standings_of_game_clicks_idx
on public.server_standings (game_slug, clicks desc, server_id) where is_listed;

create index server_standings_tags_idx on public.server_standings using gin (tags) where is_listed;
-- What the clock changes.
create index server_standings_promoted_idx on public.server_standings (server_id) where is_prestige;

-- A place by votes, so that nobody counts who is ahead: with so many votes this month a listing is at this rank of its
-- game, or of all of them under the id that no game has. One row for each number of votes there is; see rank_steps.sql.
create table public.rank_steps (
    game_id uuid not null,
    votes integer not null,
    rank integer not null,
    primary key (game_id, votes),
    constraint rank_steps_positive check (votes >= 0 and rank >= 1)
)
with (fillfactor = 80);

alter table public.rank_steps enable row level security;

-- Finished months whose places are not yet told.
create index server_monthly_votes_unplaced_idx on public.server_monthly_votes (month) where rank is null;

-- The view and whatever names the columns that go is made again by its standing file.
drop view if exists public.servers_public;
drop function if exists public.count_vote(public.votes);
drop function if exists public.queue_vote_deliveries(public.votes, public.servers);
drop function if exists public.roll_vote_periods(timestamptz);
drop function if exists public.archive_month(date);
drop function if exists public.vote_clock_lock();
drop function if exists public.rebuild_server_counts(date);

alter table public.servers
drop column is_online,
drop column online_players,
drop column max_players,
drop column status_checked_at,
drop column total_votes,
drop column monthly_votes,
drop column weekly_votes,
drop column daily_votes,
drop column clicks,
add constraint servers_counters check (review_count >= 0 and rating_sum >= 0 and warnings >= 0);

drop index public.servers_by_age_idx;
drop index public.servers_tags_idx;
-- Bonus listings that may have to go out of sight.
create index servers_shown_bonus_idx on public.servers (owner_id) where is_prestige_bonus and not is_hidden;

-- How many of a game's servers are promoted: lists with them or without them are counted from it.
alter table public.game_figures
add column promoted integer not null default 0,
add constraint game_figures_promoted check (promoted between 0 and servers);

-- Votes whose address is still to be forgotten: all that the time of a vote is ever looked up for.
drop index public.votes_by_time_idx;
create index votes_identities_idx on public.votes (voted_at) where ip_hash is not null;

-- What is searched for by name is joined to its standing, which knows whether it is listed.
do $$
declare
    v_schema text := (
        select n.nspname
        from pg_catalog.pg_extension as e
        inner join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
        where e.extname = 'pg_trgm'
    );
begin
    if v_schema is not null then
        drop index if exists public.servers_search_name_idx;
        execute format('create index servers_search_name_idx on public.servers using gin (search_name %I.gin_trgm_ops)', v_schema);
    end if;
end
$$;
