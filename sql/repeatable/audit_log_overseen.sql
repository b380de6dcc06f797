-- The audit log as administrators search it; servers_overseen.sql says why it is a view.
drop view if exists public.audit_log_overseen;
create view public.audit_log_overseen as
select
    a.id,
    a.created_at,
    a.actor_name,
    a.action,
    a.subject_kind,
    a.subject_label,
    a.person_name,
    a.before,
    a.after,
    a.names
from public.audit_log as a
where (select public.is_admin());

revoke all on public.audit_log_overseen from anon, authenticated, service_role;
grant select on public.audit_log_overseen to authenticated;

create trigger nobody_writes instead of insert or update or delete on public.audit_log_overseen
for each row execute function public.refuse_writing();
