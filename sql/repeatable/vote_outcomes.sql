-- The numbers of votes that did not count, without personal data.
revoke all on public.vote_outcomes from anon, authenticated, service_role;
grant select on public.vote_outcomes to anon, authenticated;
grant all on public.vote_outcomes to service_role;

drop policy if exists "everyone sees the figures of public listings" on public.vote_outcomes;
create policy "everyone sees the figures of public listings" on public.vote_outcomes
for select to anon, authenticated
using (
    exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the figures of their listings" on public.vote_outcomes;
create policy "owners see the figures of their listings" on public.vote_outcomes
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see all figures" on public.vote_outcomes;
create policy "administrators see all figures" on public.vote_outcomes
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.vote_outcomes;
create policy "the service does everything" on public.vote_outcomes
for all to service_role using (true) with check (true);

-- Adds the refused votes that a process has collected since its last call, so that any number of
-- them costs one row for each listing and reason. Returns the number of rows; deleted listings get
-- none. Rows are locked in the order of their keys.
create or replace function public.count_refused_votes(
    p_server_ids uuid[], p_reasons text[], p_votes integer[], p_at timestamptz
) returns integer
language sql security definer set search_path = ''
as $$
    with counted as (
        insert into public.vote_outcomes as existing (server_id, day, reason, votes)
        select s.id, public.site_day(p_at), r.code, sum(given.votes)
        from unnest(p_server_ids, p_reasons, p_votes) as given (server_id, reason, votes)
        inner join public.servers as s on s.id = given.server_id
        inner join public.vote_reasons as r on r.code = given.reason and r.kind = 'refused'
        group by s.id, r.code
        having sum(given.votes) > 0
        order by s.id, r.code
        on conflict (server_id, day, reason) do update set votes = existing.votes + excluded.votes
        returning 1
    )
    select count(*)::integer from counted
$$;

revoke execute on function public.count_refused_votes(uuid[], text[], integer[], timestamptz) from public;

-- The outcomes of a server's votes: how many were accepted, refused and voided, with the reasons,
-- in the last 30 days and since outcomes are recorded. Accepted votes are counted from the same day
-- on, so that the figures are comparable.
create or replace function public.count_vote_outcomes(p_server_id uuid)
returns table (kind text, reason text, last_days integer, total bigint, counted_since date)
language sql stable security definer set search_path = ''
as $$
    with since as (
        select public.site_day(min(r.counted_since)) as day, public.site_today() - 29 as lately from public.vote_reasons as r
    )
    select
        'accepted', 'accepted',
        coalesce(sum(c.votes) filter (where c.day >= s.lately), 0)::integer,
        coalesce(sum(c.votes), 0)::bigint,
        s.day
    from since as s
    left join public.server_daily_counts as c on c.server_id = p_server_id and c.day >= s.day
    group by s.day
    union all
    select
        r.kind, r.code, coalesce(sum(o.votes) filter (where o.day >= s.lately), 0)::integer, sum(o.votes)::bigint, s.day
    from since as s
    cross join public.vote_outcomes as o
    inner join public.vote_reasons as r on r.code = o.reason
    where o.server_id = p_server_id
    group by r.kind, r.code, s.day
    order by 1, 4 desc, 2
$$;

-- The outcomes of the votes of a visible server, for everybody.
create or replace function public.get_vote_outcomes(p_server_id uuid)
returns table (kind text, reason text, last_days integer, total bigint, counted_since date)
language sql stable security definer set search_path = ''
as $$
    select told.*
    from public.server_standings as t
    cross join lateral public.count_vote_outcomes(t.server_id) as told
    where t.server_id = p_server_id and t.is_listed
$$;

revoke execute on function public.count_vote_outcomes(uuid), public.get_vote_outcomes(uuid) from public;
grant execute on function public.get_vote_outcomes(uuid) to anon, authenticated, service_role;
