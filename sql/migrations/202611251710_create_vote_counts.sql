-- What the counters on a listing are about right now: the running day, week (Monday) and month in the site's time zone.
-- One row; the counters are set back in the transaction that moves it.
create table public.vote_clock (
    is_only_row boolean primary key default true,
    day date not null,
    week date not null,
    month date not null,
    -- Votes cast before are not all there any more: what is counted anew from votes is counted from here on.
    thinned_before timestamptz,
    constraint vote_clock_one_row check (is_only_row)
);

alter table public.vote_clock enable row level security;

-- Votes and clicks of a listing by day, and how often its address was copied; the base every other figure can be recounted from.
create table public.server_daily_counts (
    server_id uuid not null references public.servers (id) on delete cascade,
    day date not null,
    votes integer not null default 0,
    clicks integer not null default 0,
    copies integer not null default 0,
    primary key (server_id, day),
    constraint server_daily_counts_not_negative check (votes >= 0 and clicks >= 0),
    constraint server_daily_counts_copies check (copies >= 0)
);

alter table public.server_daily_counts enable row level security;

create index server_daily_counts_day_idx on public.server_daily_counts (day);

-- Finished months, with the place the listing ended at.
create table public.server_monthly_votes (
    server_id uuid not null references public.servers (id) on delete cascade,
    month date not null,
    -- What the listing was in when its month ended, so that a game's finished month is found by an index.
    game_id uuid references public.games (id) on delete set null,
    votes integer not null,
    rank integer,
    primary key (server_id, month),
    constraint server_monthly_votes_month check (extract(day from month) = 1),
    constraint server_monthly_votes_not_negative check (votes >= 0)
);

alter table public.server_monthly_votes enable row level security;

create index server_monthly_votes_month_idx on public.server_monthly_votes (month, votes desc);

-- Finished months whose places are not yet told.
create index server_monthly_votes_unplaced_idx on public.server_monthly_votes (month) where rank is null;
create index server_monthly_votes_game_idx on public.server_monthly_votes (month, game_id, votes desc, server_id);
create index server_monthly_votes_games_idx on public.server_monthly_votes (game_id);

-- What each voter gave in a day, week or month. A voter is an account, or else a nickname in lower case.
create table public.voter_totals (
    period text not null,
    period_start date not null,
    voter_key text not null,
    user_id uuid references public.profiles (id) on delete cascade,
    nickname text not null,
    votes integer not null default 0,
    last_vote_at timestamptz not null,
    primary key (period, period_start, voter_key),
    constraint voter_totals_period check (period in ('day', 'week', 'month')),
    constraint voter_totals_not_negative check (votes >= 0)
);

alter table public.voter_totals enable row level security;

create index voter_totals_leaders_idx on public.voter_totals (period, period_start, votes desc, last_vote_at);
create index voter_totals_user_idx on public.voter_totals (user_id);
