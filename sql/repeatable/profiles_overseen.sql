-- All accounts as administrators see them; servers_overseen.sql says why it is a view.
drop view if exists public.profiles_overseen;
create view public.profiles_overseen as
select
    p.id,
    p.username,
    p.email,
    p.role,
    p.total_votes,
    p.is_banned,
    p.ban_reason,
    p.banned_until,
    p.created_at
from public.profiles as p
where (select public.is_admin());

revoke all on public.profiles_overseen from anon, authenticated, service_role;
grant select on public.profiles_overseen to authenticated;

create trigger nobody_writes instead of insert or update or delete on public.profiles_overseen
for each row execute function public.refuse_writing();
