-- The first three of every game, month by month, for ever: filled once when a month is closed, and not counted again. The
-- name is kept as it was, so that the place stays when the listing goes. See month_podiums.sql.
create table public.month_podiums (
    game_id uuid not null references public.games (id) on delete cascade,
    month date not null,
    place integer not null,
    server_id uuid references public.servers (id) on delete set null,
    server_name text not null,
    votes integer not null,
    primary key (game_id, month, place),
    constraint month_podiums_month check (extract(day from month) = 1),
    constraint month_podiums_place check (place between 1 and 3),
    constraint month_podiums_votes check (votes > 0)
);

alter table public.month_podiums enable row level security;

create index month_podiums_month_idx on public.month_podiums (month desc, game_id, place);
create index month_podiums_server_idx on public.month_podiums (server_id, month desc);

-- Months whose first three are kept; what makes that happen once.
create table public.podium_months (
    month date primary key,
    kept_at timestamptz not null default now()
);

alter table public.podium_months enable row level security;
