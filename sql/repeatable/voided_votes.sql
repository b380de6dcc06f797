-- Voided votes, for administrators; everybody sees their counts in vote_outcomes.
revoke all on public.voided_votes from anon, authenticated, service_role;
grant select on public.voided_votes to authenticated;
grant all on public.voided_votes to service_role;

drop policy if exists "administrators see what was taken back" on public.voided_votes;
create policy "administrators see what was taken back" on public.voided_votes
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.voided_votes;
create policy "the service does everything" on public.voided_votes
for all to service_role using (true) with check (true);

-- Deletes votes that were cast before `p_before`, at most `p_rows`; returns how many.
create or replace function public.prune_voided_votes(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select id from public.voided_votes
        where voted_at < p_before
        order by voted_at
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.voided_votes as v using due where v.id = due.id returning 1
    )
    select count(*)::integer from thinned
$$;

revoke execute on function public.prune_voided_votes(timestamptz, integer) from public;
