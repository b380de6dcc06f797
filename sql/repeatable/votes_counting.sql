-- Adds votes to all counters. The caller has locked the standings and passes them as they were
-- before.

-- Updates the counters of listings. A vote of a closed period counts there, not in the running one;
-- the first vote of a new month stores the finished one.
create or replace function public.count_for_servers(
    p_ballots public.ballot[], p_standings public.server_standings[]
) returns void
language plpgsql
as $$
begin
    insert into public.server_monthly_votes (server_id, month, votes)
    select t.server_id, t.month, t.monthly_votes
    from unnest(p_standings) as t
    where
        t.monthly_votes > 0
        and exists (
            select from unnest(p_ballots) as b where b.server_id = t.server_id and public.month_of(b.day) > t.month
        )
    order by t.server_id
    on conflict (server_id, month) do update set votes = excluded.votes;

    with dated as (
        select
            b.server_id,
            b.day,
            public.week_of(b.day) as week,
            public.month_of(b.day) as month,
            max(b.day) over (partition by b.server_id) as last_day
        from unnest(p_ballots) as b
    ),
    counted as (
        select
            d.server_id,
            d.last_day as day,
            public.week_of(d.last_day) as week,
            public.month_of(d.last_day) as month,
            count(*) as votes,
            count(*) filter (where d.day = d.last_day) as daily,
            count(*) filter (where d.week = public.week_of(d.last_day)) as weekly,
            count(*) filter (where d.month = public.month_of(d.last_day)) as monthly
        from dated as d
        group by d.server_id, d.last_day
    ),
    moved as (
        update public.server_standings as t
        set
            total_votes = t.total_votes + c.votes,
            monthly_votes = case
                when t.month = c.month then t.monthly_votes + c.monthly
                when t.month < c.month then c.monthly
                else t.monthly_votes
            end,
            weekly_votes = case
                when t.week = c.week then t.weekly_votes + c.weekly when t.week < c.week then c.weekly else t.weekly_votes
            end,
            daily_votes = case
                when t.day = c.day then t.daily_votes + c.daily when t.day < c.day then c.daily else t.daily_votes
            end,
            month = greatest(t.month, c.month),
            week = greatest(t.week, c.week),
            day = greatest(t.day, c.day)
        from counted as c
        where t.server_id = c.server_id
        returning t.server_id, t.month
    )
    insert into public.server_monthly_votes (server_id, month, votes)
    select d.server_id, d.month, count(*)
    from dated as d
    inner join moved as m on m.server_id = d.server_id
    where d.month < m.month
    group by d.server_id, d.month
    order by d.server_id, d.month
    on conflict (server_id, month) do update set votes = server_monthly_votes.votes + excluded.votes;

    insert into public.server_daily_counts (server_id, day, votes)
    select b.server_id, b.day, count(*)
    from unnest(p_ballots) as b
    group by b.server_id, b.day
    order by b.server_id, b.day
    on conflict (server_id, day) do update set votes = server_daily_counts.votes + excluded.votes;
end
$$;

-- Updates the totals of voters. A voter is an account, or a nickname without an account.
create or replace function public.count_for_voters(p_ballots public.ballot[]) returns void
language plpgsql
as $$
begin
    insert into public.voter_totals (period, period_start, voter_key, user_id, nickname, votes, last_vote_at)
    select
        starts.period,
        starts.period_start,
        voters.voter_key,
        voters.user_id,
        (array_agg(voters.nickname order by voters.voted_at desc))[1],
        count(*),
        max(voters.voted_at)
    from (
        select
            coalesce('user:' || b.user_id::text, 'guest:' || lower(btrim(b.nickname))) as voter_key,
            b.user_id,
            btrim(b.nickname) as nickname,
            b.voted_at,
            b.day
        from unnest(p_ballots) as b
    ) as voters
    cross join lateral (
        values ('day', voters.day), ('month', public.month_of(voters.day)), ('week', public.week_of(voters.day))
    ) as starts (period, period_start)
    group by starts.period, starts.period_start, voters.voter_key, voters.user_id
    order by starts.period, starts.period_start, voters.voter_key
    on conflict (period, period_start, voter_key) do update
    set
        votes = voter_totals.votes + excluded.votes,
        nickname = excluded.nickname,
        last_vote_at = greatest(voter_totals.last_vote_at, excluded.last_vote_at);
end
$$;

-- An account earns a day of Prestige for each number of votes in the setting.
create or replace function public.count_for_accounts(p_ballots public.ballot[]) returns void
language plpgsql
as $$
declare
    v_each integer := public.setting_integer('prestige_pass_votes_per_day', 1000);
begin
    with counted as (
        select b.user_id, count(*)::integer as votes, max(b.voted_at) as voted_at
        from unnest(p_ballots) as b
        where b.user_id is not null
        group by b.user_id
    ),
    raised as (
        update public.profiles as p
        set total_votes = p.total_votes + c.votes
        from counted as c
        where p.id = c.user_id
        returning p.id, p.total_votes, c.votes, c.voted_at
    )
    insert into public.prestige_pass_days (user_id, milestone, earned_at)
    select r.id, reached.votes, r.voted_at
    from raised as r
    cross join lateral generate_series(r.total_votes - r.votes + 1, r.total_votes) as reached (votes)
    where reached.votes % v_each = 0
    on conflict do nothing;
end
$$;

-- Inserts the accepted votes and adds them to all counters.
create or replace function public.count_votes(
    p_ballots public.ballot[], p_standings public.server_standings[]
) returns void
language plpgsql
as $$
declare
    v_accepted public.ballot[];
begin
    select array_agg(b order by b.place) into v_accepted from unnest(p_ballots) as b where b.outcome = 'accepted';
    if v_accepted is null then
        return;
    end if;
    insert into public.votes (id, server_id, user_id, nickname, ip_hash, network, was_signed_in, voted_at)
    select
        b.vote_id, b.server_id, b.user_id, btrim(b.nickname), b.ip_hash, b.network, b.user_id is not null, b.voted_at
    from unnest(v_accepted) as b;
    perform public.count_for_servers(v_accepted, p_standings);
    perform public.count_for_voters(v_accepted);
    if exists (select from unnest(v_accepted) as b where b.user_id is not null) then
        perform public.count_for_accounts(v_accepted);
    end if;
    perform public.count_for_competitions(v_accepted);
    if exists (select from unnest(v_accepted) as b where b.ticket is not null) then
        perform public.spend_tickets(v_accepted);
    end if;
    perform public.queue_vote_deliveries(v_accepted);
end
$$;

revoke execute on function
    public.count_for_servers(public.ballot[], public.server_standings[]), public.count_for_voters(public.ballot[]),
    public.count_for_accounts(public.ballot[]), public.count_votes(public.ballot[], public.server_standings[])
from public;
