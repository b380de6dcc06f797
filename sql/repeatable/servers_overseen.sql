-- All listings as administrators see them. With row security, conditions such as `like` are
-- evaluated after the policies, because they may reveal values, so indexes cannot serve them; these
-- views run with their owner's rights instead. They are no security barriers, so that conditions
-- reach the indexes. That is safe: the caller's role is checked once before anything is read, so
-- for others no row is read or compared. Columns of other tables are looked up for the rows on a
-- page only, not for rows that are only counted.
drop view if exists public.servers_overseen;
create view public.servers_overseen as
select
    s.id,
    s.slug,
    s.name,
    s.search_name,
    s.ip_address,
    s.is_approved,
    s.is_hidden,
    s.hidden_reason,
    s.refused_at,
    s.moderation_reason,
    s.is_sponsored,
    s.prestige_expires_at,
    s.warnings,
    s.created_at,
    s.updated_at,
    s.game_id,
    s.owner_id,
    public.server_state(s) as server_state,
    (select g.name from public.games as g where g.id = s.game_id) as game_name,
    (select p.username from public.profiles as p where p.id = s.owner_id) as owner_name,
    (select t.monthly_votes from public.server_standings as t where t.server_id = s.id) as monthly_votes
from public.servers as s
where (select public.is_admin());

-- All listings, for searches by a part of the owner's name.
drop view if exists public.servers_of_owners;
create view public.servers_of_owners as
select
    s.id,
    s.slug,
    s.name,
    s.search_name,
    s.ip_address,
    s.is_approved,
    s.is_hidden,
    s.hidden_reason,
    s.refused_at,
    s.moderation_reason,
    s.is_sponsored,
    s.prestige_expires_at,
    s.warnings,
    s.created_at,
    s.updated_at,
    s.game_id,
    s.owner_id,
    public.server_state(s) as server_state,
    (select g.name from public.games as g where g.id = s.game_id) as game_name,
    p.username as owner_name,
    (select t.monthly_votes from public.server_standings as t where t.server_id = s.id) as monthly_votes
from public.profiles as p
inner join public.servers as s on s.owner_id = p.id
where (select public.is_admin());

revoke all on public.servers_overseen, public.servers_of_owners from anon, authenticated, service_role;
grant select on public.servers_overseen, public.servers_of_owners to authenticated;

create trigger nobody_writes instead of insert or update or delete on public.servers_overseen
for each row execute function public.refuse_writing();
create trigger nobody_writes instead of insert or update or delete on public.servers_of_owners
for each row execute function public.refuse_writing();
