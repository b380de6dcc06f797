-- Rate limits of votes, shared by all processes. No role reaches the table over REST.
revoke all on public.vote_windows from public, anon, authenticated, service_role;

-- The limits by scope: of an address over all listings in an hour and in a day, of a network for
-- one listing in an hour, of a listing in a minute. Null means no limit.
create or replace function public.vote_limits()
returns table (scope smallint, span interval, votes integer, day_votes integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
    return query
    select limits.scope::smallint, limits.span, nullif(limits.votes, 0), nullif(limits.day_votes, 0)
    from (
        select
            coalesce(max(s.value) filter (where s.key = 'vote_limit_address_hour'), 60) as address_hour,
            coalesce(max(s.value) filter (where s.key = 'vote_limit_address_day'), 300) as address_day,
            coalesce(max(s.value) filter (where s.key = 'vote_limit_network_hour'), 60) as network_hour,
            coalesce(max(s.value) filter (where s.key = 'vote_limit_server_minute'), 1200) as server_minute
        from (
            select
                existing.setting_key as key,
                case when existing.setting_value ~ '^"?[0-9]{1,7}"?$' then btrim(existing.setting_value, '"')::integer end as value
            from public.site_settings as existing
            where existing.setting_key in (
                'vote_limit_address_hour', 'vote_limit_address_day', 'vote_limit_network_hour', 'vote_limit_server_minute'
            )
        ) as s
    ) as given
    cross join lateral (
        values
        (1, interval '1 hour', given.address_hour, given.address_day),
        (2, interval '1 hour', given.network_hour, 0),
        (3, interval '1 minute', given.server_minute, 0)
    ) as limits (scope, span, votes, day_votes);
end
$$;

-- Counts the ballots that are about to be accepted and refuses those past a limit: `limit_address`,
-- `limit_network` or `limit_server`. One statement counts all of them; only if they are too many,
-- the refused ones are determined in the order of their times and subtracted again. Rows are locked
-- in the order of their keys.
create or replace function public.limit_ballots(p_ballots public.ballot[], p_standings public.server_standings[])
returns public.ballot[]
language plpgsql
as $$
declare
    v_key text[];
    v_remaining integer[];
    v_free_at timestamptz[];
    v_spare integer[];
    v_ballot public.ballot;
    v_places integer[];
    v_place integer;
    v_full integer;
    v_refused jsonb := '{}';
    v_limited public.ballot[];
begin
    with limits as materialized (
        select * from public.vote_limits()
    ),
    wanted as (
        select scopes.scope, scopes.server_id, scopes.voter, count(*)::integer as votes, max(b.voted_at) as at
        from unnest(p_ballots) as b
        cross join lateral (
            values
            (1::smallint, '00000000-0000-0000-0000-000000000000'::uuid, hashtextextended(b.ip_hash, 0)),
            (2::smallint, b.server_id, b.network),
            (3::smallint, b.server_id, 0::bigint)
        ) as scopes (scope, server_id, voter)
        where b.outcome = 'accepted' and scopes.voter is not null
        group by scopes.scope, scopes.server_id, scopes.voter
    ),
    counted as (
        insert into public.vote_windows as existing (
            scope, server_id, voter, starts_at, votes, day_starts_at, day_votes
        )
        select
            w.scope, w.server_id, w.voter,
            date_bin(l.span, w.at, 'epoch'), w.votes, date_bin('1 day', w.at, 'epoch'), w.votes
        from wanted as w
        inner join limits as l on l.scope = w.scope
        where coalesce(l.votes, l.day_votes) is not null
        order by w.scope, w.server_id, w.voter
        on conflict (scope, server_id, voter) do update
        set
            votes = case when existing.starts_at < excluded.starts_at then 0 else existing.votes end + excluded.votes,
            starts_at = greatest(existing.starts_at, excluded.starts_at),
            day_votes = case when existing.day_starts_at < excluded.day_starts_at then 0 else existing.day_votes end
            + excluded.day_votes,
            day_starts_at = greatest(existing.day_starts_at, excluded.day_starts_at)
        returning scope, server_id, voter, starts_at, votes, day_starts_at, day_votes
    ),
    judged as (
        select
            c.scope || ' ' || c.server_id || ' ' || c.voter as key,
            w.votes,
            -- How many of these ballots the limit allows, and when it allows more.
            least(l.votes - c.votes, l.day_votes - c.day_votes) + w.votes as room,
            case
                when l.votes is null or l.day_votes - c.day_votes <= l.votes - c.votes
                    then c.day_starts_at + interval '1 day'
                else c.starts_at + l.span
            end as again_at
        from counted as c
        inner join limits as l on l.scope = c.scope
        inner join wanted as w on w.scope = c.scope and w.server_id = c.server_id and w.voter = c.voter
    )
    select array_agg(j.key), array_agg(j.room), array_agg(j.again_at)
    into v_key, v_remaining, v_free_at
    from judged as j
    having bool_or(j.room < j.votes);
    if v_key is null then
        return p_ballots;
    end if;

    v_spare := array_fill(0, array[cardinality(v_key)]);
    for v_ballot in
        select b.* from unnest(p_ballots) as b where b.outcome = 'accepted' order by b.voted_at, b.place
    loop
        v_places := array_remove(array[
            array_position(v_key, '1 00000000-0000-0000-0000-000000000000 ' || hashtextextended(v_ballot.ip_hash, 0)),
            array_position(v_key, '2 ' || v_ballot.server_id || ' ' || v_ballot.network),
            array_position(v_key, '3 ' || v_ballot.server_id || ' 0')
        ], null);
        v_full := null;
        foreach v_place in array v_places loop
            v_full := coalesce(v_full, case when v_remaining[v_place] <= 0 then v_place end);
        end loop;
        foreach v_place in array v_places loop
            if v_full is null then
                v_remaining[v_place] := v_remaining[v_place] - 1;
            else
                v_spare[v_place] := v_spare[v_place] + 1;
            end if;
        end loop;
        if v_full is not null then
            v_refused := v_refused || jsonb_build_object(v_ballot.place::text, v_full);
        end if;
    end loop;
    update public.vote_windows as t
    set votes = greatest(t.votes - spare.votes, 0), day_votes = greatest(t.day_votes - spare.votes, 0)
    from unnest(v_key, v_spare) as spare (key, votes)
    where
        spare.votes > 0
        and t.scope = split_part(spare.key, ' ', 1)::smallint and t.server_id = split_part(spare.key, ' ', 2)::uuid
        and t.voter = split_part(spare.key, ' ', 3)::bigint;

    select array_agg(
        row(
            b.place, b.server_id, b.ip_hash, b.user_id, b.nickname, b.nonce, b.nonce_ends_at, b.voted_at, b.day,
            b.game_id,
            case
                when b.full_one is null then b.outcome
                else (array['limit_address', 'limit_network', 'limit_server'])[left(v_key[b.full_one], 1)::integer]
            end,
            case when b.full_one is null then b.vote_id end,
            case when b.full_one is null then b.last_voted_at end,
            b.total_votes - b.fewer,
            -- Ballots of a month that is closed are not in this counter.
            b.monthly_votes - case when t.month <= public.month_of(b.day) then b.fewer_of_month else 0 end,
            b.ticket, b.network, v_free_at[b.full_one]
        )::public.ballot
        order by b.place
    ) into v_limited
    from (
        select
            o.*,
            count(o.full_one) over (partition by o.server_id order by o.voted_at, o.place) as fewer,
            count(o.full_one) over (
                partition by o.server_id, public.month_of(o.day) order by o.voted_at, o.place
            ) as fewer_of_month
        from (select each.*, (v_refused ->> each.place::text)::integer as full_one from unnest(p_ballots) as each) as o
    ) as b
    left join unnest(p_standings) as t on t.server_id = b.server_id;
    return v_limited;
end
$$;

-- Deletes windows without a vote for a day, at most `p_rows`; returns how many.
create or replace function public.prune_vote_windows(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select scope, server_id, voter from public.vote_windows
        where day_starts_at < p_before
        order by day_starts_at
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.vote_windows as w using due
        where w.scope = due.scope and w.server_id = due.server_id and w.voter = due.voter
        returning 1
    )
    select count(*)::integer from thinned
$$;

revoke execute on function
    public.vote_limits(), public.limit_ballots(public.ballot[], public.server_standings[]),
    public.prune_vote_windows(timestamptz, integer)
from public;
