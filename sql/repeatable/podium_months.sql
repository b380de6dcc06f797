revoke all on public.podium_months from anon, authenticated, service_role;
grant select (month) on public.podium_months to anon, authenticated;
grant all on public.podium_months to service_role;

drop policy if exists "everyone sees which months are kept" on public.podium_months;
create policy "everyone sees which months are kept" on public.podium_months
for select to anon, authenticated using (true);

drop policy if exists "the service does everything" on public.podium_months;
create policy "the service does everything" on public.podium_months
for all to service_role using (true) with check (true);
