-- People see and delete the subscriptions they made while signed in, without the endpoint and the
-- keys. Guests know the endpoint itself and use the site's function.
revoke all on public.push_subscriptions from anon, authenticated, service_role;
grant select (id, user_id, language, created_at, asked_at) on public.push_subscriptions to authenticated;
grant delete on public.push_subscriptions to authenticated;
grant all on public.push_subscriptions to service_role;

drop policy if exists "people see their subscriptions" on public.push_subscriptions;
create policy "people see their subscriptions" on public.push_subscriptions
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "people end their subscriptions" on public.push_subscriptions;
create policy "people end their subscriptions" on public.push_subscriptions
for delete to authenticated using (user_id = (select auth.uid()));

drop policy if exists "the service does everything" on public.push_subscriptions;
create policy "the service does everything" on public.push_subscriptions
for all to service_role using (true) with check (true);
