-- How a vote becomes figures, and how the figures are set back when a day, a week or a month ends.

create or replace function public.vote_clock_lock() returns bigint
language sql immutable set search_path = ''
as $$
    select hashtextextended('public.vote_clock', 0)
$$;

-- Moves the clock when a day has ended, and in the same transaction archives the month and sets
-- back the counters. It cannot be done twice, since the clock has moved; it cannot be missed, since
-- the next vote does it too. The clock's lock comes before every row, as in cast_vote.
create or replace function public.roll_vote_periods(p_at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
    v_clock public.vote_clock;
begin
    select * into v_clock from public.vote_clock;
    if found and v_clock.day >= v_day then
        return false;
    end if;
    -- Waits for votes under way and holds new ones back; whoever waited here looks again.
    perform pg_advisory_xact_lock(public.vote_clock_lock());
    select * into v_clock from public.vote_clock;
    if not found then
        insert into public.vote_clock (day, week, month)
        values (v_day, public.week_of(v_day), public.month_of(v_day));
        return true;
    elsif v_clock.day >= v_day then
        return false;
    end if;
    if v_clock.month < public.month_of(v_day) then
        perform public.archive_month(v_clock.month);
        update public.servers set monthly_votes = 0 where monthly_votes <> 0;
    end if;
    if v_clock.week < public.week_of(v_day) then
        update public.servers set weekly_votes = 0 where weekly_votes <> 0;
    end if;
    update public.servers set daily_votes = 0 where daily_votes <> 0;
    update public.vote_clock set day = v_day, week = public.week_of(v_day), month = public.month_of(v_day);
    return true;
end
$$;

create or replace function public.archive_month(p_month date) returns void
language sql security definer set search_path = ''
as $$
    insert into public.server_monthly_votes (server_id, month, votes, rank)
    select id, p_month, monthly_votes, rank() over (order by monthly_votes desc)
    from public.servers
    where monthly_votes > 0
    on conflict (server_id, month) do update set votes = excluded.votes, rank = excluded.rank
$$;

-- The counters of the listing. A vote that belongs to a period already closed counts there, not in
-- the running one.
create or replace function public.count_vote(p_vote public.votes) returns public.servers
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day((p_vote).voted_at);
    v_clock public.vote_clock;
    v_server public.servers;
begin
    select * into v_clock from public.vote_clock;
    update public.servers
    set
        total_votes = total_votes + 1,
        monthly_votes = monthly_votes + (public.month_of(v_day) = v_clock.month)::integer,
        weekly_votes = weekly_votes + (public.week_of(v_day) = v_clock.week)::integer,
        daily_votes = daily_votes + (v_day = v_clock.day)::integer
    where id = (p_vote).server_id
    returning * into v_server;
    insert into public.server_daily_counts (server_id, day, votes)
    values ((p_vote).server_id, v_day, 1)
    on conflict (server_id, day) do update set votes = server_daily_counts.votes + 1;
    if public.month_of(v_day) < v_clock.month then
        insert into public.server_monthly_votes (server_id, month, votes)
        values ((p_vote).server_id, public.month_of(v_day), 1)
        on conflict (server_id, month) do update set votes = server_monthly_votes.votes + 1;
    end if;
    return v_server;
end
$$;

-- A voter is the account, or else the nickname; every so many votes an account earns a day of
-- Prestige.
create or replace function public.count_voter(p_vote public.votes) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day((p_vote).voted_at);
    v_total integer;
begin
    insert into public.voter_totals (period, period_start, voter_key, user_id, nickname, votes, last_vote_at)
    select
        starts.period, starts.period_start,
        coalesce('user:' || (p_vote).user_id::text, 'guest:' || (p_vote).nickname_folded),
        (p_vote).user_id, (p_vote).nickname, 1, (p_vote).voted_at
    from (values ('day', v_day), ('month', public.month_of(v_day)), ('week', public.week_of(v_day)))
    as starts (period, period_start)
    on conflict (period, period_start, voter_key) do update
    set
        votes = voter_totals.votes + 1,
        nickname = excluded.nickname,
        last_vote_at = greatest(voter_totals.last_vote_at, excluded.last_vote_at);
    if (p_vote).user_id is null then
        return;
    end if;
    update public.profiles set total_votes = total_votes + 1 where id = (p_vote).user_id
    returning total_votes into v_total;
    if v_total % public.setting_integer('prestige_pass_votes_per_day', 1000) = 0 then
        insert into public.prestige_pass_days (user_id, milestone, earned_at)
        values ((p_vote).user_id, v_total, (p_vote).voted_at)
        on conflict do nothing;
    end if;
end
$$;

-- Everything counted anew from the days and the votes; for repairs, and after data was loaded by
-- hand.
create or replace function public.rebuild_vote_counts(p_at timestamptz default now()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
begin
    perform pg_advisory_xact_lock(public.vote_clock_lock());
    insert into public.vote_clock (day, week, month)
    values (v_day, public.week_of(v_day), public.month_of(v_day))
    on conflict (is_only_row) do update set day = excluded.day, week = excluded.week, month = excluded.month;
    perform public.rebuild_server_counts(v_day);
    perform public.rebuild_voter_totals();
end
$$;

revoke execute on function
    public.vote_clock_lock(), public.roll_vote_periods(timestamptz), public.archive_month(date),
    public.count_vote(public.votes), public.count_voter(public.votes), public.rebuild_vote_counts(timestamptz)
from public;
grant execute on function public.roll_vote_periods(timestamptz) to service_role;
