-- The rows have account ids, so they are read through get_leaderboard only.
revoke all on public.voter_totals from anon, authenticated, service_role;
grant all on public.voter_totals to service_role;

drop policy if exists "the service does everything" on public.voter_totals;
create policy "the service does everything" on public.voter_totals
for all to service_role using (true) with check (true);
