-- How a vote becomes figures.

-- Keeps a listing's finished month; its row is locked and is moved on by the caller.
create or replace function public.archive_month(p_standing public.server_standings) returns void
language sql security definer set search_path = ''
as $$
    insert into public.server_monthly_votes (server_id, month, votes)
    select (p_standing).server_id, (p_standing).month, (p_standing).monthly_votes
    where (p_standing).monthly_votes > 0
    on conflict (server_id, month) do update set votes = excluded.votes
$$;

-- The counters of the listing, whose row the caller has locked. A vote that belongs to a period
-- already closed counts there, not in the running one.
create or replace function public.count_vote(p_vote public.votes, p_standing public.server_standings)
returns public.server_standings
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day((p_vote).voted_at);
    v_week date := public.week_of(v_day);
    v_month date := public.month_of(v_day);
    v_standing public.server_standings;
begin
    if (p_standing).month < v_month then
        perform public.archive_month(p_standing);
    end if;
    update public.server_standings
    set
        total_votes = total_votes + 1,
        monthly_votes = case
            when month = v_month then monthly_votes + 1 when month < v_month then 1 else monthly_votes
        end,
        weekly_votes = case
            when week = v_week then weekly_votes + 1 when week < v_week then 1 else weekly_votes
        end,
        daily_votes = case when day = v_day then daily_votes + 1 when day < v_day then 1 else daily_votes end,
        month = greatest(month, v_month),
        week = greatest(week, v_week),
        day = greatest(day, v_day)
    where server_id = (p_vote).server_id
    returning * into v_standing;
    insert into public.server_daily_counts (server_id, day, votes)
    values ((p_vote).server_id, v_day, 1)
    on conflict (server_id, day) do update set votes = server_daily_counts.votes + 1;
    if v_month < (v_standing).month then
        insert into public.server_monthly_votes (server_id, month, votes)
        values ((p_vote).server_id, v_month, 1)
        on conflict (server_id, month) do update set votes = server_monthly_votes.votes + 1;
    end if;
    return v_standing;
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

revoke execute on function
    public.archive_month(public.server_standings), public.count_vote(public.votes, public.server_standings),
    public.count_voter(public.votes)
from public;
