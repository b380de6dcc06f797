-- Resets counters when a day, a week or a month has ended.
--
-- Each counter has its period beside it. The first vote of a new period closes the month of its own
-- listing and resets the counter (see count_for_servers); a job does the same for the other
-- listings, some rows at a time. So the end of a period takes no lock for which all votes wait, and
-- whichever comes first closes a row.

-- Whether a day has ended whose counters may not be reset yet.
create or replace function public.has_vote_period_ended(p_at timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
    select not exists (select from public.vote_clock where day >= public.site_day(p_at))
$$;

-- Closes finished periods for the next `p_rows` listings by id: stores the month's votes and resets
-- the counters. Returns the last id, or null if there were none. Rows that are closed already are
-- skipped.
create or replace function public.close_vote_periods(p_at timestamptz, p_after uuid, p_rows integer)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
    v_week date := public.week_of(v_day);
    v_month date := public.month_of(v_day);
    v_last uuid;
begin
    select page.server_id into v_last
    from (
        select server_id from public.server_standings where server_id > p_after order by server_id limit p_rows
    ) as page
    order by page.server_id desc
    limit 1;
    with ended as materialized (
        select server_id, month, monthly_votes
        from public.server_standings
        where
            server_id > p_after and server_id <= v_last
            and (
                (monthly_votes > 0 and month < v_month)
                or (weekly_votes > 0 and week < v_week)
                or (daily_votes > 0 and day < v_day)
            )
        order by server_id
        for no key update
    ),
    archived as (
        insert into public.server_monthly_votes (server_id, month, votes)
        select server_id, month, monthly_votes from ended
        where monthly_votes > 0 and month < v_month
        on conflict (server_id, month) do update set votes = excluded.votes
    )
    update public.server_standings as t
    set
        monthly_votes = case when t.month < v_month then 0 else t.monthly_votes end,
        weekly_votes = case when t.week < v_week then 0 else t.weekly_votes end,
        daily_votes = case when t.day < v_day then 0 else t.daily_votes end,
        month = greatest(t.month, v_month),
        week = greatest(t.week, v_week),
        day = greatest(t.day, v_day)
    from ended
    where ended.server_id = t.server_id;
    return v_last;
end
$$;

-- Stores the ranks of finished months, at most `p_rows` rows a call; returns how many. Later votes
-- do not change stored ranks.
create or replace function public.place_finished_months(p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with placed as materialized (
        select m.server_id, m.month, m.rank, rank() over (partition by m.month order by m.votes desc) as place
        from public.server_monthly_votes as m
        where
            m.month in (
                select unplaced.month from public.server_monthly_votes as unplaced where unplaced.rank is null
            )
    ),
    written as (
        update public.server_monthly_votes as m
        set rank = next_ones.place
        from (
            select server_id, month, place from placed where rank is null order by month, server_id limit p_rows
        ) as next_ones
        where m.server_id = next_ones.server_id and m.month = next_ones.month
        returning 1
    )
    select count(*)::integer from written
$$;

-- Records that all periods before `p_at` are closed; returns false if another process has done so.
create or replace function public.move_vote_clock(p_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
begin
    insert into public.vote_clock as existing (day, week, month)
    values (v_day, public.week_of(v_day), public.month_of(v_day))
    on conflict (is_only_row) do update set day = excluded.day, week = excluded.week, month = excluded.month
    where existing.day < excluded.day;
    return found;
end
$$;

revoke execute on function
    public.has_vote_period_ended(timestamptz), public.close_vote_periods(timestamptz, uuid, integer),
    public.place_finished_months(integer), public.move_vote_clock(timestamptz)
from public;
grant execute on function
    public.has_vote_period_ended(timestamptz), public.close_vote_periods(timestamptz, uuid, integer),
    public.place_finished_months(integer), public.move_vote_clock(timestamptz)
to service_role;
