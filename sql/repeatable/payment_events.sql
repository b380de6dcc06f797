-- Webhook events of providers, for administrators who reconcile figures.
revoke all on public.payment_events from anon, authenticated, service_role;
grant select on public.payment_events to authenticated, service_role;

drop policy if exists "administrators see what providers said" on public.payment_events;
create policy "administrators see what providers said" on public.payment_events
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service sees what providers said" on public.payment_events;
create policy "the service sees what providers said" on public.payment_events
for select to service_role using (true);
