revoke all on public.prestige_pass_days from anon, authenticated, service_role;
grant select on public.prestige_pass_days to authenticated;
grant all on public.prestige_pass_days to service_role;

drop policy if exists "people see the days they earned" on public.prestige_pass_days;
create policy "people see the days they earned" on public.prestige_pass_days
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every earned day" on public.prestige_pass_days;
create policy "administrators see every earned day" on public.prestige_pass_days
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.prestige_pass_days;
create policy "the service does everything" on public.prestige_pass_days
for all to service_role using (true) with check (true);
