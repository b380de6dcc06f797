revoke all on public.event_types from anon, authenticated, service_role;
grant select on public.event_types to anon, authenticated;
grant insert, update, delete on public.event_types to authenticated;
grant all on public.event_types to service_role;

drop policy if exists "everyone sees the kinds of events" on public.event_types;
create policy "everyone sees the kinds of events" on public.event_types
for select to anon, authenticated using (true);

drop policy if exists "administrators keep the kinds of events" on public.event_types;
create policy "administrators keep the kinds of events" on public.event_types
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.event_types;
create policy "the service does everything" on public.event_types
for all to service_role using (true) with check (true);

drop trigger if exists event_types_touch on public.event_types;
create trigger event_types_touch before update on public.event_types
for each row execute function public.touch_updated_at();
