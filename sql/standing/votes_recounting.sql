-- Figures counted anew from the days and the votes; for repairs, and after data was loaded by hand.

create or replace function public.rebuild_server_counts(p_day date) returns void
language sql security definer set search_path = ''
as $$
    update public.server_standings as t
    set
        total_votes = counted.total,
        monthly_votes = counted.monthly,
        weekly_votes = counted.weekly,
        daily_votes = counted.daily,
        month = counted.month,
        week = counted.week,
        day = p_day
    from (
        select
            listed.server_id,
            starts.month,
            starts.week,
            coalesce(sum(c.votes), 0)::integer as total,
            coalesce(sum(c.votes) filter (where c.day >= starts.month), 0)::integer as monthly,
            coalesce(sum(c.votes) filter (where c.day >= starts.week), 0)::integer as weekly,
            coalesce(sum(c.votes) filter (where c.day = p_day), 0)::integer as daily
        from public.server_standings as listed
        cross join (select public.month_of(p_day) as month, public.week_of(p_day) as week) as starts
        left join public.server_daily_counts as c on c.server_id = listed.server_id
        group by listed.server_id, starts.month, starts.week
    ) as counted
    where counted.server_id = t.server_id
        and (
            (t.total_votes, t.monthly_votes, t.weekly_votes, t.daily_votes)
            is distinct from (counted.total, counted.monthly, counted.weekly, counted.daily)
            or (t.monthly_votes > 0 and t.month <> counted.month)
            or (t.weekly_votes > 0 and t.week <> counted.week)
            or (t.daily_votes > 0 and t.day <> p_day)
        );

    insert into public.server_monthly_votes (server_id, month, votes, rank)
    select
        server_id,
        public.month_of(day),
        sum(votes),
        rank() over (partition by public.month_of(day) order by sum(votes) desc)
    from public.server_daily_counts
    where day < public.month_of(p_day)
    group by server_id, public.month_of(day)
    having sum(votes) > 0
    on conflict (server_id, month) do update set votes = excluded.votes, rank = excluded.rank;
$$;

-- The day from which on not all votes may be there; before every day while none was taken away.
create or replace function public.votes_left_from() returns table (day date)
language sql stable security definer set search_path = ''
as $$
    select coalesce(
        (select public.site_day(thinned_before) from public.vote_clock where thinned_before is not null),
        '-infinity'
    )
$$;

create or replace function public.rebuild_voter_totals() returns void
language sql security definer set search_path = ''
as $$
    -- What began before the votes that are left is right as it stands.
    delete from public.voter_totals where period_start > (select day from public.votes_left_from());

    with dated as (
        select
            coalesce('user:' || user_id::text, 'guest:' || nickname_folded) as voter_key,
            user_id,
            nickname,
            voted_at,
            -- As site_day does, with the zone looked up once.
            (voted_at at time zone (select public.setting_text('site_timezone', 'Europe/Paris')))::date as day
        from public.votes
    ),
    by_day as (
        select
            voter_key,
            user_id,
            day,
            count(*)::integer as votes,
            max(voted_at) as last_vote_at,
            (array_agg(nickname order by voted_at desc))[1] as nickname
        from dated
        group by voter_key, user_id, day
    )
    insert into public.voter_totals (period, period_start, voter_key, user_id, nickname, votes, last_vote_at)
    select
        starts.period,
        starts.period_start,
        by_day.voter_key,
        by_day.user_id,
        (array_agg(by_day.nickname order by by_day.last_vote_at desc))[1],
        sum(by_day.votes),
        max(by_day.last_vote_at)
    from by_day
    cross join lateral (
        values
        ('day', by_day.day), ('week', public.week_of(by_day.day)), ('month', public.month_of(by_day.day))
    ) as starts (period, period_start)
    where starts.period_start > (select day from public.votes_left_from())
    group by starts.period, starts.period_start, by_day.voter_key, by_day.user_id;

    update public.profiles as p
    set total_votes = counted.votes
    from (
        select listed.id, listed.thinned_votes + count(v.id)::integer as votes
        from public.profiles as listed
        left join public.votes as v on v.user_id = listed.id
        group by listed.id
    ) as counted
    where counted.id = p.id and p.total_votes is distinct from counted.votes;
$$;

-- All of them. Votes wait meanwhile.
create or replace function public.rebuild_vote_counts(p_at timestamptz default now()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
begin
    lock table public.votes in share row exclusive mode;
    insert into public.vote_clock (day, week, month)
    values (v_day, public.week_of(v_day), public.month_of(v_day))
    on conflict (is_only_row) do update set day = excluded.day, week = excluded.week, month = excluded.month;
    perform public.rebuild_server_counts(v_day);
    perform public.rebuild_voter_totals();
    perform public.count_ranks();
end
$$;

revoke execute on function
    public.rebuild_server_counts(date), public.votes_left_from(), public.rebuild_voter_totals(),
    public.rebuild_vote_counts(timestamptz)
from public;
