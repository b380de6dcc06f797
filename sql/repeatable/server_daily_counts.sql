revoke all on public.server_daily_counts from anon, authenticated, service_role;
grant select on public.server_daily_counts to anon, authenticated;
grant all on public.server_daily_counts to service_role;

drop policy if exists "everyone sees the daily counts of public listings" on public.server_daily_counts;
create policy "everyone sees the daily counts of public listings" on public.server_daily_counts
for select to anon, authenticated
using (
    exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the daily counts of their listings" on public.server_daily_counts;
create policy "owners see the daily counts of their listings" on public.server_daily_counts
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see all daily counts" on public.server_daily_counts;
create policy "administrators see all daily counts" on public.server_daily_counts
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_daily_counts;
create policy "the service does everything" on public.server_daily_counts
for all to service_role using (true) with check (true);
