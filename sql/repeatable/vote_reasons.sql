revoke all on public.vote_reasons from anon, authenticated, service_role;
grant select on public.vote_reasons to anon, authenticated;
grant all on public.vote_reasons to service_role;

drop policy if exists "everyone sees the reasons" on public.vote_reasons;
create policy "everyone sees the reasons" on public.vote_reasons
for select to anon, authenticated using (true);

drop policy if exists "the service does everything" on public.vote_reasons;
create policy "the service does everything" on public.vote_reasons
for all to service_role using (true) with check (true);
