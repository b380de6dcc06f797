-- Recounts figures from the daily counters and the votes; for repairs, and after data was loaded by
-- hand.
--
-- Runs in steps of bounded size, which are exact while votes are cast: each step locks the rows
-- that a vote changes, in the order of a vote, and then counts, or adds a difference that was
-- computed in one snapshot.

-- The day up to which old votes may have been deleted; `-infinity` if none was.
create or replace function public.votes_left_from() returns table (day date)
language sql stable security definer set search_path = ''
as $$
    select coalesce(
        (select public.site_day(thinned_before) from public.vote_clock where thinned_before is not null),
        '-infinity'
    )
$$;

-- Recounts the counters and the finished months of the next `p_rows` listings by id; returns the
-- last id, or null if there were none.
create or replace function public.recount_servers(p_at timestamptz, p_after uuid, p_rows integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
    v_week date := public.week_of(v_day);
    v_month date := public.month_of(v_day);
    v_due uuid[] := array(
        select server_id from public.server_standings where server_id > p_after order by server_id limit p_rows
    );
begin
    perform from public.server_standings where server_id = any(v_due) order by server_id for no key update;

    update public.server_standings as t
    set
        total_votes = counted.total,
        monthly_votes = counted.monthly,
        weekly_votes = counted.weekly,
        daily_votes = counted.daily,
        month = v_month,
        week = v_week,
        day = v_day
    from (
        select
            listed.server_id,
            coalesce(sum(c.votes), 0)::integer as total,
            coalesce(sum(c.votes) filter (where c.day >= v_month), 0)::integer as monthly,
            coalesce(sum(c.votes) filter (where c.day >= v_week), 0)::integer as weekly,
            coalesce(sum(c.votes) filter (where c.day = v_day), 0)::integer as daily
        from unnest(v_due) as listed (server_id)
        left join public.server_daily_counts as c on c.server_id = listed.server_id
        group by listed.server_id
    ) as counted
    where counted.server_id = t.server_id
        and (
            (t.total_votes, t.monthly_votes, t.weekly_votes, t.daily_votes)
            is distinct from (counted.total, counted.monthly, counted.weekly, counted.daily)
            or (t.monthly_votes > 0 and t.month <> v_month)
            or (t.weekly_votes > 0 and t.week <> v_week)
            or (t.daily_votes > 0 and t.day <> v_day)
        );

    insert into public.server_monthly_votes as existing (server_id, month, votes)
    select server_id, public.month_of(day), sum(votes)
    from public.server_daily_counts
    where server_id = any(v_due) and day < v_month
    group by server_id, public.month_of(day)
    having sum(votes) > 0
    order by server_id, public.month_of(day)
    on conflict (server_id, month) do update set votes = excluded.votes
    where existing.votes <> excluded.votes;

    return v_due[cardinality(v_due)];
end
$$;

-- Recounts the ranks of the first finished month after `p_after`; returns that month, or null if
-- there was none.
create or replace function public.recount_places(p_after date) returns date
language plpgsql security definer set search_path = ''
as $$
declare
    v_month date := (select min(month) from public.server_monthly_votes where month > p_after);
begin
    update public.server_monthly_votes as m
    set rank = placed.place
    from (
        select server_id, rank() over (order by votes desc) as place
        from public.server_monthly_votes
        where month = v_month
    ) as placed
    where m.month = v_month and m.server_id = placed.server_id and m.rank is distinct from placed.place;
    return v_month;
end
$$;

-- The voters whose totals of a period differ from their votes, with the difference. No row is
-- locked, and both are read in one snapshot.
create or replace function public.voters_counted_wrong(p_period text, p_start date)
returns table (
    voter_key text, user_id uuid, nickname text, last_vote_at timestamptz, votes integer, is_missing boolean
)
language sql stable security definer set search_path = ''
as $$
    with zone as (
        select public.setting_text('site_timezone', 'Europe/Paris') as name
    ),
    counted as (
        select
            coalesce('user:' || v.user_id::text, 'guest:' || v.nickname_folded) as voter_key,
            v.user_id,
            (array_agg(v.nickname order by v.voted_at desc))[1] as nickname,
            max(v.voted_at) as last_vote_at,
            count(*)::integer as votes
        from public.votes as v
        where
            v.voted_at >= (select p_start::timestamp at time zone name from zone)
            and v.voted_at < (select (p_start + ('1 ' || p_period)::interval) at time zone name from zone)
        group by 1, 2
    ),
    existing as (
        select t.voter_key, t.user_id, t.nickname, t.last_vote_at, t.votes
        from public.voter_totals as t
        where t.period = p_period and t.period_start = p_start
    )
    select
        voter_key,
        coalesce(c.user_id, k.user_id),
        coalesce(c.nickname, k.nickname),
        coalesce(c.last_vote_at, k.last_vote_at),
        coalesce(c.votes, 0) - coalesce(k.votes, 0),
        k.voter_key is null
    from counted as c
    full join existing as k using (voter_key)
    where c.votes is distinct from k.votes
$$;

-- Corrects the totals of a period by the difference, so that votes that are cast meanwhile still
-- count. Returns how many totals were wrong; corrects at most `p_rows` of the existing ones.
create or replace function public.recount_voters(p_period text, p_start date, p_rows integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_keys text[];
    v_differences integer[];
    v_added integer;
begin
    -- A concurrent recount would add the same difference again.
    perform pg_advisory_xact_lock(hashtextextended('public.recount_voters', 0));

    -- The votes of a whole period are many, so they are counted once for both cases.
    with wrong as materialized (
        select * from public.voters_counted_wrong(p_period, p_start)
    ),
    added as (
        insert into public.voter_totals as existing
            (period, period_start, voter_key, user_id, nickname, votes, last_vote_at)
        select p_period, p_start, voter_key, user_id, nickname, votes, last_vote_at
        from wrong
        where is_missing
        order by voter_key
        on conflict (period, period_start, voter_key) do update
        set votes = existing.votes + excluded.votes, last_vote_at = greatest(existing.last_vote_at, excluded.last_vote_at)
        returning true
    )
    select (select count(*) from added), array_agg(differing.voter_key), array_agg(differing.votes)
    into v_added, v_keys, v_differences
    from (
        select voter_key, votes from wrong where not is_missing order by voter_key limit p_rows
    ) as differing;
    perform from public.voter_totals
    where period = p_period and period_start = p_start and voter_key = any(v_keys)
    order by voter_key
    for no key update;
    update public.voter_totals as t
    set votes = t.votes + wrong.difference
    from unnest(v_keys, v_differences) as wrong (voter_key, difference)
    where t.period = p_period and t.period_start = p_start and t.voter_key = wrong.voter_key;
    delete from public.voter_totals
    where period = p_period and period_start = p_start and voter_key = any(v_keys) and votes = 0;
    return v_added + coalesce(cardinality(v_keys), 0);
end
$$;

-- Recounts the votes of the next `p_rows` accounts by id; returns the last id, or null if there
-- were none.
create or replace function public.recount_accounts(p_after uuid, p_rows integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_due uuid[] := array(select id from public.profiles where id > p_after order by id limit p_rows);
begin
    perform from public.profiles where id = any(v_due) order by id for no key update;
    update public.profiles as p
    set total_votes = counted.votes
    from (
        select listed.id, listed.thinned_votes + count(v.id)::integer as votes
        from public.profiles as listed
        left join public.votes as v on v.user_id = listed.id
        where listed.id = any(v_due)
        group by listed.id
    ) as counted
    where counted.id = p.id and p.total_votes <> counted.votes;
    return v_due[cardinality(v_due)];
end
$$;

-- Recounts all figures, each step in its own transaction: `call public.recount_votes()`. With
-- `p_commits => false` everything runs in the caller's transaction. Of voters' totals only running
-- periods are recounted, which leaderboards use; a period whose votes were partly deleted is left
-- alone.
create or replace procedure public.recount_votes(p_at timestamptz default now(), p_commits boolean default true)
language plpgsql
as $$
declare
    v_today date := public.site_day(p_at);
    v_whole_from date := (select day from public.votes_left_from());
    v_id uuid := '00000000-0000-0000-0000-000000000000';
    v_month date := '-infinity';
    v_period text;
    v_start date;
    v_voters integer;
begin
    while v_id is not null loop
        v_id := public.recount_servers(p_at, v_id, 250);
        if p_commits then commit; end if;
    end loop;
    while v_month is not null loop
        v_month := public.recount_places(v_month);
        if p_commits then commit; end if;
    end loop;
    for v_period, v_start in
        values ('day', v_today), ('week', public.week_of(v_today)), ('month', public.month_of(v_today))
    loop
        continue when v_start <= v_whole_from;
        loop
            v_voters := public.recount_voters(v_period, v_start, 1000);
            if p_commits then commit; end if;
            -- Fewer than the limit of a step mean that none is left.
            exit when v_voters < 1000;
        end loop;
    end loop;
    v_id := '00000000-0000-0000-0000-000000000000';
    while v_id is not null loop
        v_id := public.recount_accounts(v_id, 250);
        if p_commits then commit; end if;
    end loop;
    perform public.move_vote_clock(p_at);
    perform public.refresh_ranks();
end
$$;

-- Functions of an earlier version.
drop function if exists public.rebuild_server_counts(date);
drop function if exists public.rebuild_voter_totals();
drop function if exists public.rebuild_vote_counts(timestamptz);

revoke execute on function
    public.recount_servers(timestamptz, uuid, integer), public.votes_left_from(), public.recount_places(date),
    public.voters_counted_wrong(text, date), public.recount_voters(text, date, integer),
    public.recount_accounts(uuid, integer)
from public;
revoke execute on procedure public.recount_votes(timestamptz, boolean) from public;
