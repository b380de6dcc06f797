-- How much goes on in each game, kept so that nobody counts listings to read it; see games_figures.sql.
create table public.game_figures (
    game_id uuid primary key references public.games (id) on delete cascade,
    servers integer not null default 0,
    players_online integer not null default 0,
    votes_this_month integer not null default 0,
    votes_total bigint not null default 0,
    constraint game_figures_not_negative check (
        servers >= 0 and players_online >= 0 and votes_this_month >= 0 and votes_total >= 0
    )
);

alter table public.game_figures enable row level security;
