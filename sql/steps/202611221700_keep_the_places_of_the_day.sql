-- The place each listing had when the day began, among all and in its game, and how far it climbed since: what cards
-- tell as movement, and what the rising are ordered by. Null: it had no votes this month, so there was no place to speak
-- of. See server_standings_places.sql.
alter table public.server_standings
add column place_day date not null default '-infinity',
add column day_rank integer,
add column day_game_rank integer,
-- How many times nearer to the first place, as a logarithm: 0.69 from twentieth to tenth, or from second to first.
add column rise real not null default 0,
add column game_rise real not null default 0,
add constraint server_standings_places check (day_rank >= 1 and day_game_rank >= 1 and rise >= 0 and game_rise >= 0);

-- Those that climbed only: a vote for any other writes no entry.
create index server_standings_rise_idx
on public.server_standings (rise desc, monthly_votes desc, server_id) where is_listed and rise > 0;
create index server_standings_of_game_rise_idx
on public.server_standings (game_slug, game_rise desc, monthly_votes desc, server_id) where is_listed and game_rise > 0;
