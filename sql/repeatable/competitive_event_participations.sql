revoke all on public.competitive_event_participations from anon, authenticated, service_role;
grant select on public.competitive_event_participations to anon, authenticated;
grant all on public.competitive_event_participations to service_role;

drop policy if exists "everyone sees the results of public listings" on public.competitive_event_participations;
drop policy if exists "everyone sees public listings in contests they see"
on public.competitive_event_participations;
create policy "everyone sees public listings in contests they see" on public.competitive_event_participations
for select to anon, authenticated
using (
    exists (select from public.competitive_events as e where e.id = event_id)
    and exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the results of their listings" on public.competitive_event_participations;
create policy "owners see the results of their listings" on public.competitive_event_participations
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see all results" on public.competitive_event_participations;
create policy "administrators see all results" on public.competitive_event_participations
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.competitive_event_participations;
create policy "the service does everything" on public.competitive_event_participations
for all to service_role using (true) with check (true);
