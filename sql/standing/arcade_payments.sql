revoke all on public.arcade_payments from anon, authenticated, service_role;
grant select on public.arcade_payments to authenticated;
grant all on public.arcade_payments to service_role;

drop policy if exists "people see their own payments" on public.arcade_payments;
create policy "people see their own payments" on public.arcade_payments
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every payment" on public.arcade_payments;
create policy "administrators see every payment" on public.arcade_payments
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.arcade_payments;
create policy "the service does everything" on public.arcade_payments
for all to service_role using (true) with check (true);
