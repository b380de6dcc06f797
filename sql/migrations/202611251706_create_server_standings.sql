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
    -- The language the listing is presented in, by which lists are filtered.
    language text not null,
    -- Approved and not hidden.
    is_listed boolean not null,
    is_prestige boolean not null default false,
    promoted_order double precision,
    is_online boolean not null default false,
    online_players integer not null default 0,
    max_players integer not null default 100,
    status_checked_at timestamptz,
    -- Some owners take votes of their own site's visitors only.
    requires_ticket boolean not null default false,
    total_votes integer not null default 0,
    month date not null default '-infinity',
    monthly_votes integer not null default 0,
    week date not null default '-infinity',
    weekly_votes integer not null default 0,
    day date not null default '-infinity',
    daily_votes integer not null default 0,
    clicks integer not null default 0,
    -- The place it had when the day began, among all and in its game, and how far it climbed since: what cards tell as
    -- movement, and what the rising are ordered by. Null: it had no votes this month, so there was no place to speak of.
    -- See server_standings_places.sql.
    place_day date not null default '-infinity',
    day_rank integer,
    day_game_rank integer,
    -- How many times nearer to the first place, as a logarithm: 0.69 from twentieth to tenth, or from second to first.
    rise real not null default 0,
    game_rise real not null default 0,
    created_at timestamptz not null,
    constraint server_standings_language check (language in ('fr', 'en', 'es')),
    constraint server_standings_not_negative check (
        online_players >= 0 and max_players >= 0 and total_votes >= 0 and monthly_votes >= 0 and weekly_votes >= 0
        and daily_votes >= 0 and clicks >= 0
    ),
    constraint server_standings_places check (day_rank >= 1 and day_game_rank >= 1 and rise >= 0 and game_rise >= 0)
)
with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05
);

alter table public.server_standings enable row level security;

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

-- Those that climbed only: a vote for any other writes no entry.
create index server_standings_rise_idx
on public.server_standings (rise desc, monthly_votes desc, server_id) where is_listed and rise > 0;
create index server_standings_of_game_rise_idx
on public.server_standings (game_slug, game_rise desc, monthly_votes desc, server_id) where is_listed and game_rise > 0;

-- A language that many are in is met soon along any order; one that few are in is looked up by this index.
create index server_standings_language_idx on public.server_standings (language) where is_listed;

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
