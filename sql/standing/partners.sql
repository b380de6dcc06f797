revoke all on public.partners from anon, authenticated, service_role;
grant select on public.partners to anon, authenticated;
grant insert, update, delete on public.partners to authenticated;
grant all on public.partners to service_role;

drop policy if exists "everyone sees active partners" on public.partners;
create policy "everyone sees active partners" on public.partners
for select to anon, authenticated using (is_active);

drop policy if exists "administrators keep the partners" on public.partners;
create policy "administrators keep the partners" on public.partners
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.partners;
create policy "the service does everything" on public.partners
for all to service_role using (true) with check (true);

drop trigger if exists partners_touch on public.partners;
create trigger partners_touch before update on public.partners
for each row execute function public.touch_updated_at();
