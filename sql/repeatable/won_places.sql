-- The first three places of finished months as pages show them, with the listing's current name and
-- picture if it is visible. Runs with its owner's rights, as servers_public does.
drop view if exists public.won_places;
create view public.won_places as
select
    p.game_id,
    p.month,
    p.place,
    p.votes,
    p.server_id,
    p.server_name,
    s.name,
    s.slug,
    s.logo_image_url
from public.month_podiums as p
left join public.servers as s on s.id = p.server_id
where p.server_id is null or (s.is_approved and not s.is_hidden);

revoke all on public.won_places from anon, authenticated, service_role;
grant select on public.won_places to anon, authenticated, service_role;

create trigger won_places_read_only instead of insert or update or delete on public.won_places
for each row execute function public.refuse_writing();

comment on view public.won_places is 'The first three of each game in every finished month, as everyone may see them.';
