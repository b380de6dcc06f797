-- Voids votes and subtracts them from all counters: for each function of votes_counting there is
-- one here that subtracts. The caller has locked the standings and the accounts.

-- Subtracts votes from the counters of listings: from the running periods, or from the closed
-- month, whose ranks are then computed again.
create or replace function public.uncount_for_servers(p_votes public.votes[]) returns void
language plpgsql
as $$
declare
    v_months date[];
begin
    with dated as (
        select v.server_id, public.site_day(v.voted_at) as day from unnest(p_votes) as v
    )
    update public.server_standings as t
    set
        total_votes = greatest(t.total_votes - c.votes, 0),
        monthly_votes = greatest(t.monthly_votes - c.monthly, 0),
        weekly_votes = greatest(t.weekly_votes - c.weekly, 0),
        daily_votes = greatest(t.daily_votes - c.daily, 0)
    from (
        select
            d.server_id,
            count(*)::integer as votes,
            count(*) filter (where public.month_of(d.day) = s.month)::integer as monthly,
            count(*) filter (where public.week_of(d.day) = s.week)::integer as weekly,
            count(*) filter (where d.day = s.day)::integer as daily
        from dated as d
        inner join public.server_standings as s on s.server_id = d.server_id
        group by d.server_id
    ) as c
    where t.server_id = c.server_id;

    -- All rows of these months are locked, by listing, because ranks depend on all of them.
    select array_agg(distinct public.month_of(public.site_day(v.voted_at))) into v_months
    from unnest(p_votes) as v
    inner join public.server_standings as t on t.server_id = v.server_id
    where public.month_of(public.site_day(v.voted_at)) < t.month;
    if v_months is not null then
        perform from public.server_monthly_votes where month = any(v_months)
        order by server_id, month
        for no key update;
        update public.server_monthly_votes as m
        set votes = greatest(m.votes - c.votes, 0)
        from (
            select v.server_id, public.month_of(public.site_day(v.voted_at)) as month, count(*)::integer as votes
            from unnest(p_votes) as v
            group by 1, 2
        ) as c
        inner join public.server_standings as t on t.server_id = c.server_id and c.month < t.month
        where m.server_id = c.server_id and m.month = c.month;
        delete from public.server_monthly_votes as m
        using unnest(p_votes) as v
        where m.server_id = v.server_id and m.month = any(v_months) and m.votes = 0;
        update public.server_monthly_votes as m
        set rank = placed.place
        from (
            select server_id, month, rank() over (partition by month order by votes desc) as place
            from public.server_monthly_votes
            where month = any(v_months)
        ) as placed
        where
            m.server_id = placed.server_id and m.month = placed.month
            -- A job ranks the months that have no ranks yet.
            and m.rank is not null and m.rank <> placed.place;
    end if;

    perform from public.server_daily_counts as c
    inner join (
        select distinct v.server_id, public.site_day(v.voted_at) as day from unnest(p_votes) as v
    ) as d on d.server_id = c.server_id and d.day = c.day
    order by c.server_id, c.day
    for no key update of c;
    update public.server_daily_counts as c
    set votes = greatest(c.votes - d.votes, 0)
    from (
        select v.server_id, public.site_day(v.voted_at) as day, count(*)::integer as votes
        from unnest(p_votes) as v
        group by 1, 2
    ) as d
    where c.server_id = d.server_id and c.day = d.day;
end
$$;

-- Subtracts votes from the totals of voters; deletes totals without votes. Deleted accounts have no
-- totals.
create or replace function public.subtract_for_voters(p_votes public.votes[]) returns void
language plpgsql
as $$
declare
    v_periods text[];
    v_starts date[];
    v_keys text[];
    v_votes integer[];
begin
    select
        array_agg(given.period), array_agg(given.period_start), array_agg(given.voter_key), array_agg(given.votes)
    into v_periods, v_starts, v_keys, v_votes
    from (
        select starts.period, starts.period_start, voters.voter_key, count(*)::integer as votes
        from (
            select
                coalesce('user:' || v.user_id::text, 'guest:' || v.nickname_folded) as voter_key,
                public.site_day(v.voted_at) as day
            from unnest(p_votes) as v
            where v.user_id is not null or not v.was_signed_in
        ) as voters
        cross join lateral (
            values ('day', voters.day), ('month', public.month_of(voters.day)), ('week', public.week_of(voters.day))
        ) as starts (period, period_start)
        group by 1, 2, 3
    ) as given;
    perform from public.voter_totals as t
    inner join unnest(v_periods, v_starts, v_keys) as given (period, period_start, voter_key)
        on given.period = t.period and given.period_start = t.period_start and given.voter_key = t.voter_key
    order by t.period, t.period_start, t.voter_key
    for no key update of t;
    update public.voter_totals as t
    set votes = greatest(t.votes - given.votes, 0)
    from unnest(v_periods, v_starts, v_keys, v_votes) as given (period, period_start, voter_key, votes)
    where t.period = given.period and t.period_start = given.period_start and t.voter_key = given.voter_key;
    delete from public.voter_totals as t
    using unnest(v_periods, v_starts, v_keys) as given (period, period_start, voter_key)
    where
        t.period = given.period and t.period_start = given.period_start and t.voter_key = given.voter_key
        and t.votes = 0;
end
$$;

-- Removes days of Prestige that the remaining votes no longer earn, except used ones; returns how
-- many used ones stay.
create or replace function public.uncount_for_accounts(p_votes public.votes[]) returns integer
language plpgsql
as $$
declare
    v_users uuid[];
    v_totals integer[];
    v_row_count integer;
begin
    with counted as (
        select v.user_id, count(*)::integer as votes from unnest(p_votes) as v where v.user_id is not null group by v.user_id
    ),
    lowered as (
        update public.profiles as p
        set total_votes = greatest(p.total_votes - c.votes, 0)
        from counted as c
        where p.id = c.user_id
        returning p.id, p.total_votes
    )
    select array_agg(l.id), array_agg(l.total_votes) into v_users, v_totals from lowered as l;
    delete from public.prestige_pass_days as d
    using unnest(v_users, v_totals) as l (user_id, votes)
    where d.user_id = l.user_id and d.milestone > l.votes and not d.is_used;
    select count(*) into v_row_count
    from public.prestige_pass_days as d
    inner join unnest(v_users, v_totals) as l (user_id, votes) on l.user_id = d.user_id
    where d.milestone > l.votes and d.is_used;
    return v_row_count;
end
$$;

-- Subtracts votes from running contests; finished ones keep their winners.
create or replace function public.uncount_for_competitions(p_votes public.votes[]) returns void
language plpgsql
as $$
begin
    perform from public.competitive_event_participations as p
    inner join public.competitive_events as e on e.id = p.event_id and not e.is_finished
    where p.server_id in (select v.server_id from unnest(p_votes) as v)
    order by p.event_id, p.server_id
    for no key update of p;
    update public.competitive_event_participations as p
    set votes_count = greatest(p.votes_count - c.votes, 0)
    from (
        select e.id as event_id, v.server_id, count(*)::integer as votes
        from public.competitive_events as e
        inner join unnest(p_votes) as v on v.voted_at >= e.start_date and v.voted_at < e.end_date
        inner join public.server_standings as t on t.server_id = v.server_id
        where e.is_active and not e.is_finished and (e.game_ids = '{}' or t.game_id = any(e.game_ids))
        group by e.id, v.server_id
    ) as c
    where p.event_id = c.event_id and p.server_id = c.server_id;
end
$$;

-- Cancels the pending deliveries of these votes and ends their tickets.
create or replace function public.cancel_vote_deliveries(p_ids uuid[]) returns void
language plpgsql
as $$
begin
    perform from public.deliveries where vote_id = any(p_ids) order by id for update;
    update public.deliveries
    set status = 'failed', fault = 'vote_voided', last_error = null
    where vote_id = any(p_ids) and status <> 'delivered';
    update public.vote_tickets
    set vote_id = null, voted_as = null, spent_at = null, expires_at = least(expires_at, spent_at)
    where vote_id = any(p_ids);
end
$$;

-- The votes to void: those in `p_ids`, or those of a listing and a time range that match the other
-- conditions; the oldest first, at most `p_rows`. `p_nickname` is a pattern as in
-- refused_nicknames; `p_address_of` and `p_network_of` are votes with the same address or network.
-- Votes without an address hash match neither. The reference vote comes last, so that the next call
-- still finds the others by it.
create or replace function public.votes_to_void(
    p_ids uuid[], p_server_id uuid, p_from timestamptz, p_until timestamptz, p_nickname text,
    p_address_of uuid, p_network_of uuid, p_rows integer
) returns uuid[]
language plpgsql stable
as $$
declare
    v_folded text := public.fold_name_pattern(p_nickname);
begin
    if p_ids is not null then
        return array(select v.id from public.votes as v where v.id = any(p_ids) order by v.id limit p_rows);
    end if;
    return array(
        select v.id from public.votes as v
        where
            v.server_id = p_server_id and v.voted_at >= p_from and v.voted_at < p_until
            and (v_folded is null or public.name_key(v.nickname) like v_folded)
            and (
                p_address_of is null
                or v.ip_hash = (select same.ip_hash from public.votes as same where same.id = p_address_of)
            )
            and (
                p_network_of is null
                or v.network = (select same.network from public.votes as same where same.id = p_network_of)
            )
        order by v.id is not distinct from coalesce(p_address_of, p_network_of), v.voted_at
        limit p_rows
    );
end
$$;

-- Voids the votes that votes_to_void finds, 1,000 at most; call again until there are none. Returns
-- how many were voided, and how many of the days of Prestige that they earned were used already and
-- stay.
--
-- Locks are taken in the order of cast_votes. Concurrent calls, and the job that prunes votes, run
-- one after the other.
create or replace function public.void_votes(
    p_reason text, p_note text default null, p_ids uuid[] default null, p_server_id uuid default null,
    p_from timestamptz default null, p_until timestamptz default null, p_nickname text default null,
    p_address_of uuid default null, p_network_of uuid default null, p_rows integer default 1000
) returns table (voided integer, used_pass_days integer)
language plpgsql security definer set search_path = '' set lock_timeout = '5s'
as $$
declare
    v_rows integer := least(greatest(coalesce(p_rows, 1000), 1), 1000);
    v_ids uuid[];
    v_votes public.votes[];
    v_row_count integer;
begin
    perform public.require_admin();
    if not exists (select from public.vote_reasons as r where r.code = p_reason and r.kind = 'voided') then
        raise exception 'This is no reason to take votes back for' using errcode = '22023';
    end if;
    if p_ids is null and (p_server_id is null or p_from is null or p_until is null) then
        raise exception 'Name votes, or a server and a time' using errcode = '22023';
    end if;
    perform pg_advisory_xact_lock(hashtextextended('public.prune_votes', 0));
    lock table public.votes in row exclusive mode;
    v_ids := public.votes_to_void(
        p_ids, p_server_id, p_from, p_until, p_nickname, p_address_of, p_network_of, v_rows
    );
    perform from public.servers where id in (select v.server_id from public.votes as v where v.id = any(v_ids))
    order by id
    for key share;
    perform from public.server_standings
    where server_id in (select v.server_id from public.votes as v where v.id = any(v_ids))
    order by server_id
    for no key update;
    perform from public.profiles where id in (select v.user_id from public.votes as v where v.id = any(v_ids))
    order by id
    for no key update;
    -- The rows after they are locked, when nobody else changes them.
    select array_agg(held.vote) into v_votes
    from (select v as vote from public.votes as v where v.id = any(v_ids) order by v.id for update) as held;
    if v_votes is null then
        return query select 0, 0;
        return;
    end if;
    v_ids := array(select v.id from unnest(v_votes) as v);

    insert into public.voided_votes (id, server_id, voted_at, reason, note, voided_by, voided_at)
    select
        v.id, v.server_id, v.voted_at, p_reason, p_note, (select id from public.profiles where id = auth.uid()), now()
    from unnest(v_votes) as v;
    perform public.uncount_for_servers(v_votes);
    perform public.subtract_for_voters(v_votes);
    v_row_count := public.uncount_for_accounts(v_votes);
    perform public.uncount_for_competitions(v_votes);
    perform public.cancel_vote_deliveries(v_ids);
    perform public.uncount_for_site(v_votes, p_reason);
    delete from public.votes where id = any(v_ids);
    insert into public.vote_outcomes as existing (server_id, day, reason, votes)
    select v.server_id, public.site_day(v.voted_at), p_reason, count(*)
    from unnest(v_votes) as v
    group by 1, 2
    order by 1, 2
    on conflict (server_id, day, reason) do update set votes = existing.votes + excluded.votes;
    perform public.record_decision('votes_voided', jsonb_build_object(
        'votes', cardinality(v_votes), 'reason', p_reason, 'note', p_note,
        'servers', (select jsonb_agg(distinct v.server_id) from unnest(v_votes) as v)
    ));
    perform
        public.write_audit_entry(
            'voided', 'votes', jsonb_build_object('server_id', v.server_id), null,
            jsonb_build_object('votes', count(*), 'reason', p_reason, 'note', p_note)
        )
    from unnest(v_votes) as v
    where public.is_admin()
    group by v.server_id;
    return query select cardinality(v_votes), v_row_count;
end
$$;

revoke execute on function
    public.uncount_for_servers(public.votes[]), public.subtract_for_voters(public.votes[]),
    public.uncount_for_accounts(public.votes[]), public.uncount_for_competitions(public.votes[]),
    public.cancel_vote_deliveries(uuid[]),
    public.votes_to_void(uuid[], uuid, timestamptz, timestamptz, text, uuid, uuid, integer),
    public.void_votes(text, text, uuid[], uuid, timestamptz, timestamptz, text, uuid, uuid, integer)
from public;
grant execute on function
    public.void_votes(text, text, uuid[], uuid, timestamptz, timestamptz, text, uuid, uuid, integer)
to authenticated, service_role;
