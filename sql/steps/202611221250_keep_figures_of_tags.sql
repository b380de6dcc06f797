-- How many listings of each game wear a tag, kept so that nobody counts them to read a list of one; see games_figures.sql.
create table public.game_tag_figures (
    game_id uuid not null references public.games (id) on delete cascade,
    tag text not null,
    servers integer not null,
    promoted integer not null,
    primary key (tag, game_id),
    constraint game_tag_figures_some check (servers > 0 and promoted between 0 and servers)
);

alter table public.game_tag_figures enable row level security;

create index game_tag_figures_game_idx on public.game_tag_figures (game_id);
