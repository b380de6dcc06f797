-- What a listing was in when its month ended, so that a game's finished month is found by an index.
alter table public.server_monthly_votes
add column game_id uuid references public.games (id) on delete set null;

update public.server_monthly_votes as m
set game_id = s.game_id
from public.servers as s
where s.id = m.server_id;

create index server_monthly_votes_game_idx on public.server_monthly_votes (month, game_id, votes desc, server_id);
create index server_monthly_votes_games_idx on public.server_monthly_votes (game_id);
