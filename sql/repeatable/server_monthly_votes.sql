revoke all on public.server_monthly_votes from anon, authenticated, service_role;
grant select on public.server_monthly_votes to anon, authenticated;
grant all on public.server_monthly_votes to service_role;

drop policy if exists "everyone sees the finished months of public listings" on public.server_monthly_votes;
create policy "everyone sees the finished months of public listings" on public.server_monthly_votes
for select to anon, authenticated
using (
    exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the finished months of their listings" on public.server_monthly_votes;
create policy "owners see the finished months of their listings" on public.server_monthly_votes
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see all finished months" on public.server_monthly_votes;
create policy "administrators see all finished months" on public.server_monthly_votes
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_monthly_votes;
create policy "the service does everything" on public.server_monthly_votes
for all to service_role using (true) with check (true);

-- A month belongs to the game that the listing has when the month is closed.
create or replace function public.record_game_of_month() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.game_id := (select s.game_id from public.servers as s where s.id = new.server_id);
    return new;
end
$$;

drop trigger if exists server_monthly_votes_note_game on public.server_monthly_votes;
create trigger server_monthly_votes_note_game before insert on public.server_monthly_votes
for each row execute function public.record_game_of_month();

revoke execute on function public.record_game_of_month() from public;
