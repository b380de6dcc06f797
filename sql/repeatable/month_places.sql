-- The rankings of finished months, of all games and of each game: a listing's votes then, its name
-- and picture now. Runs with its owner's rights, as servers_public does.
drop view if exists public.month_places;
create view public.month_places as
select
    m.month,
    m.rank,
    m.votes,
    m.server_id,
    s.name,
    s.slug,
    s.logo_image_url,
    g.name as game_name,
    g.slug as game_slug
from public.server_monthly_votes as m
inner join public.podium_months as k on k.month = m.month
inner join public.servers as s on s.id = m.server_id
left join public.games as g on g.id = m.game_id
where s.is_approved and not s.is_hidden and m.votes > 0;

revoke all on public.month_places from anon, authenticated, service_role;
grant select on public.month_places to anon, authenticated, service_role;

create trigger month_places_read_only instead of insert or update or delete on public.month_places
for each row execute function public.refuse_writing();

comment on view public.month_places is 'The ranking of each finished month, as everyone may see it.';
