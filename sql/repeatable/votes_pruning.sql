-- Retention: each function deletes at most `p_rows` old rows, the oldest first, by an index, and
-- returns how many. Rows that another process has locked are skipped. Counters stay.

-- Removes the address hashes of votes and clicks before `p_before`; the votes and the clicks stay.
create or replace function public.purge_vote_identities(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with old_votes as materialized (
        select id from public.votes
        where voted_at < p_before and ip_hash is not null
        order by voted_at
        limit p_rows
        for no key update skip locked
    ),
    old_clicks as materialized (
        select id from public.server_clicks
        where clicked_at < p_before and ip_hash is not null
        order by clicked_at
        limit p_rows
        for no key update skip locked
    ),
    purged as (
        update public.votes as v set ip_hash = null, network = null from old_votes where v.id = old_votes.id returning 1
    ),
    purged_clicks as (
        update public.server_clicks as c set ip_hash = null from old_clicks where c.id = old_clicks.id returning 1
    )
    select (select count(*) from purged)::integer + (select count(*) from purged_clicks)::integer
$$;

-- Deletes old votes, whose figures stay in the daily and monthly counters and in the account. A
-- vote that still has its address hash is never deleted. One process at a time. Accounts are locked
-- by id before the votes, because the deletion of an account locks it first.
create or replace function public.prune_votes(p_before timestamptz, p_rows integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_due uuid[];
    v_pruned_count integer;
begin
    if not pg_try_advisory_xact_lock(hashtextextended('public.prune_votes', 0)) then
        return 0;
    end if;
    v_due := array(
        select id from public.votes where voted_at < p_before and ip_hash is null order by voted_at limit p_rows
    );
    if v_due = '{}' then
        return 0;
    end if;
    perform from public.profiles
    where id in (select v.user_id from public.votes as v where v.id = any(v_due))
    order by id
    for no key update;
    update public.vote_clock set thinned_before = p_before
    where thinned_before is null or thinned_before < p_before;
    with thinned as (
        delete from public.votes where id = any(v_due) returning user_id
    ),
    kept as (
        update public.profiles as p
        set thinned_votes = p.thinned_votes + given.votes
        from (select user_id, count(*)::integer as votes from thinned group by user_id) as given
        where given.user_id = p.id
    )
    select count(*) from thinned into v_pruned_count;
    return v_pruned_count;
end
$$;

-- Deletes clicks, which only distinguish a day's visitors; older ones are in the daily counter.
create or replace function public.prune_clicks(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select id from public.server_clicks
        where clicked_at < p_before and ip_hash is null
        order by clicked_at
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.server_clicks as c using due where c.id = due.id returning 1
    )
    select count(*)::integer from thinned
$$;

-- Deletes voters' totals of periods that ended before `p_before`: leaderboards use running periods
-- only.
create or replace function public.prune_voter_totals(p_before date, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select old.period, old.period_start, old.voter_key
        from (values ('day', interval '1 day'), ('week', interval '7 days'), ('month', interval '1 month'))
            as periods (period, length)
        cross join lateral (
            select t.period, t.period_start, t.voter_key
            from public.voter_totals as t
            where t.period = periods.period and t.period_start <= (p_before - periods.length)::date
            order by t.period_start, t.voter_key
            limit p_rows
            for update skip locked
        ) as old
        limit p_rows
    ),
    thinned as (
        delete from public.voter_totals as t using due
        where
            t.period = due.period and t.period_start = due.period_start and t.voter_key = due.voter_key
        returning 1
    )
    select count(*)::integer from thinned
$$;

-- Deletes deliveries, delivered or not: an old vote is no news for a receiver.
create or replace function public.prune_deliveries(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select id from public.deliveries
        where created_at < p_before
        order by created_at
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.deliveries as d using due where d.id = due.id returning 1
    )
    select count(*)::integer from thinned
$$;

-- Deletes entries of the security log and of the audit log. Returns the number of rows of the log
-- with more, so that the caller knows whether there may be more.
create or replace function public.prune_security_events(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select id from public.security_events
        where created_at < p_before
        order by created_at
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.security_events as e using due where e.id = due.id returning 1
    ),
    due_entries as materialized (
        select id from public.audit_log
        where created_at < p_before
        order by created_at
        limit p_rows
        for update skip locked
    ),
    thinned_entries as (
        delete from public.audit_log as e using due_entries as due where e.id = due.id returning 1
    )
    select greatest((select count(*) from thinned), (select count(*) from thinned_entries))::integer
$$;

revoke execute on function
    public.purge_vote_identities(timestamptz, integer),
    public.prune_votes(timestamptz, integer), public.prune_clicks(timestamptz, integer),
    public.prune_voter_totals(date, integer), public.prune_deliveries(timestamptz, integer),
    public.prune_security_events(timestamptz, integer)
from public;
grant execute on function public.purge_vote_identities(timestamptz, integer) to service_role;
