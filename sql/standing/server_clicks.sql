revoke all on public.server_clicks from anon, authenticated, service_role;
grant select on public.server_clicks to anon, authenticated;
grant all on public.server_clicks to service_role;

drop policy if exists "everyone sees the clicks of public listings" on public.server_clicks;
create policy "everyone sees the clicks of public listings" on public.server_clicks
for select to anon, authenticated
using (
    exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the clicks of their listings" on public.server_clicks;
create policy "owners see the clicks of their listings" on public.server_clicks
for select to authenticated using (public.owns_server(server_id));

drop policy if exists "administrators see all clicks" on public.server_clicks;
create policy "administrators see all clicks" on public.server_clicks
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_clicks;
create policy "the service does everything" on public.server_clicks
for all to service_role using (true) with check (true);
