-- The history of a server's status and players is as public as the server.
revoke all on public.server_status_days from anon, authenticated, service_role;
grant select on public.server_status_days to anon, authenticated;
grant all on public.server_status_days to service_role;

drop policy if exists "everyone sees the state of public listings" on public.server_status_days;
create policy "everyone sees the state of public listings" on public.server_status_days
for select to anon, authenticated
using (
    exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the state of their listings" on public.server_status_days;
create policy "owners see the state of their listings" on public.server_status_days
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see every state" on public.server_status_days;
create policy "administrators see every state" on public.server_status_days
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_status_days;
create policy "the service does everything" on public.server_status_days
for all to service_role using (true) with check (true);

-- Deletes days before `p_before`, at most `p_rows`, the oldest first; returns how many.
create or replace function public.prune_status_days(p_before date, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select server_id, day from public.server_status_days
        where day < p_before
        order by day
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.server_status_days as d using due
        where d.server_id = due.server_id and d.day = due.day
        returning 1
    )
    select count(*)::integer from thinned
$$;

revoke execute on function public.prune_status_days(date, integer) from public;
