-- Decides votes: any number in one call, each with its own outcome.

-- Locks the standings of these listings by id. Each listing is locked first, shared, because a
-- deletion locks the listing first. Without waiting, skips those that another transaction has
-- locked.
create or replace function public.lock_standings(p_server_ids uuid[], p_waits boolean)
returns public.server_standings[]
language plpgsql
as $$
declare
    v_free uuid[] := p_server_ids;
    v_locked public.server_standings[];
begin
    if p_waits then
        perform s.id from public.servers as s where s.id = any(p_server_ids) order by s.id for key share;
        select array_agg(held.standing) into v_locked
        from (
            select t as standing from public.server_standings as t
            where t.server_id = any(p_server_ids) and t.is_listed
            order by t.server_id
            for no key update
        ) as held;
        return v_locked;
    end if;
    select array_agg(held.id) into v_free
    from (
        select s.id from public.servers as s where s.id = any(p_server_ids) order by s.id for key share skip locked
    ) as held;
    select array_agg(held.standing) into v_locked
    from (
        select t as standing from public.server_standings as t
        where t.server_id = any(v_free) and t.is_listed
        order by t.server_id
        for no key update skip locked
    ) as held;
    return v_locked;
end
$$;

-- Locks the existing profiles of these accounts by id, in the same way as lock_standings.
create or replace function public.lock_voters(p_user_ids uuid[], p_waits boolean) returns public.profiles[]
language plpgsql
as $$
declare
    v_locked public.profiles[];
begin
    if p_waits then
        select array_agg(held.profile) into v_locked
        from (
            select p as profile from public.profiles as p where p.id = any(p_user_ids) order by p.id for no key update
        ) as held;
    else
        select array_agg(held.profile) into v_locked
        from (
            select p as profile from public.profiles as p where p.id = any(p_user_ids)
            order by p.id
            for no key update skip locked
        ) as held;
    end if;
    return v_locked;
end
$$;

-- Sets the outcomes that are known before any challenge is spent. A ballot that shares address,
-- account, nickname or challenge with an earlier one is deferred, because the outcome of that one
-- decides about it.
create or replace function public.sort_ballots(
    p_ballots public.ballot[], p_standings public.server_standings[], p_voters public.profiles[], p_waits boolean
) returns public.ballot[]
language plpgsql
as $$
declare
    v_sorted public.ballot[];
    v_refuses_names boolean := exists (select from public.refused_nicknames);
begin
    with numbered as (
        select
            b.*,
            row_number() over (partition by b.server_id, b.ip_hash order by b.place) as nth_of_address,
            row_number() over (partition by b.server_id, lower(btrim(b.nickname)) order by b.place) as nth_of_name,
            row_number() over (partition by b.server_id, b.user_id order by b.place) as nth_of_account,
            row_number() over (partition by b.nonce order by b.place) as nth_of_nonce
        from unnest(p_ballots) as b
    )
    select array_agg(
        row(
            b.place, b.server_id, b.ip_hash, p.id, b.nickname, b.nonce, b.nonce_ends_at, b.voted_at, b.day, t.game_id,
            case
                when t.server_id is null and not p_waits and exists (
                    select from public.server_standings as held where held.server_id = b.server_id and held.is_listed
                ) then 'busy'
                when t.server_id is null then 'server_not_found'
                when b.user_id is not null and p.id is null and not p_waits and exists (
                    select from public.profiles as held where held.id = b.user_id
                ) then 'busy'
                when b.nth_of_address > 1 or b.nth_of_name > 1 or b.user_id is not null and b.nth_of_account > 1
                    or b.nonce is not null and b.nth_of_nonce > 1 then 'deferred'
                -- Only visitors answer a challenge, and only their nicknames must match the game's
                -- pattern.
                when b.nonce is not null and b.nickname !~ ('^(?:' || g.nickname_pattern || ')$') then 'nickname_pattern'
                when n.folded is not null and exists (
                    select from public.refused_nicknames as r
                    where
                        n.folded like r.folded and (r.game_id is null or r.game_id = t.game_id)
                        and (r.expires_at is null or r.expires_at > b.voted_at)
                ) then 'nickname_refused'
                when b.nonce is not null and t.requires_ticket and b.ticket is null then 'ticket_required'
            end,
            null, null, null, null, b.ticket, b.network, null
        )::public.ballot
        order by b.place
    ) into v_sorted
    from numbered as b
    left join unnest(p_standings) as t on t.server_id = b.server_id
    left join unnest(p_voters) as p on p.id = b.user_id
    left join public.games as g on g.id = t.game_id
    -- Folding is slower than the rest, and mostly there is no refused name to compare with.
    left join lateral (
        select public.name_key(b.nickname) as folded where v_refuses_names offset 0
    ) as n on true;
    return v_sorted;
end
$$;

-- Decides the remaining ballots and computes the figures after each one. The ballots of a server
-- are decided in the order of their times.
create or replace function public.judge_ballots(
    p_ballots public.ballot[], p_standings public.server_standings[], p_voters public.profiles[],
    p_spent text[], p_cooldown interval
) returns public.ballot[]
language plpgsql
as $$
declare
    v_decided public.ballot[];
begin
    -- Materialized, because the statement reads each result more than once.
    with found as materialized (
        select
            b.*,
            t.month as known_month,
            t.total_votes as known_total,
            t.monthly_votes as known_monthly,
            p.is_banned as is_banned,
            i.id is not null and (i.expires_at is null or i.expires_at > b.voted_at) as is_banned_address,
            b.nonce is not null and b.nonce <> all(p_spent) as is_spent,
            held_back.voted_at as held_back_by
        from unnest(p_ballots) as b
        left join unnest(p_standings) as t on t.server_id = b.server_id
        left join unnest(p_voters) as p on p.id = b.user_id
        left join public.ip_bans as i on i.ip_hash = b.ip_hash
        left join lateral public.last_counting_vote(
            b.server_id, b.ip_hash, b.user_id, b.nickname, b.voted_at - p_cooldown
        ) as held_back on b.outcome is null
    ),
    judged as materialized (
        select
            f.*,
            public.month_of(f.day) as of_month,
            case
                when f.outcome is not null then f.outcome
                when f.is_spent then 'captcha_spent'
                when f.is_banned then 'banned_account'
                when f.is_banned_address then 'banned_address'
                when f.held_back_by is not null then 'cooldown'
                else 'accepted'
            end as said,
            -- The response may have been lost, so a voter who repeats the same vote learns that it
            -- counts. Anybody else learns nothing; otherwise a spent challenge would reveal whether
            -- a nickname has voted.
            case when f.outcome is null and f.is_spent and f.held_back_by is not null then
                public.get_repeated_vote_cooldown(f.server_id, f.ip_hash, f.user_id, f.nickname, f.voted_at)
                - p_cooldown
            end as repeats
        from found as f
    ),
    counted as (
        select
            j.*,
            count(*) filter (where j.said = 'accepted') over (
                partition by j.server_id order by j.voted_at, j.place
            ) as so_far,
            count(*) filter (where j.said = 'accepted') over (
                partition by j.server_id, j.of_month order by j.voted_at, j.place
            ) as so_far_of_month
        from judged as j
    )
    select array_agg(
        row(
            c.place, c.server_id, c.ip_hash, c.user_id, c.nickname, c.nonce, c.nonce_ends_at, c.voted_at, c.day,
            c.game_id,
            case when c.repeats is null then c.said else 'cooldown' end,
            case when c.said = 'accepted' then gen_random_uuid() end,
            coalesce(c.repeats, case c.said when 'accepted' then c.voted_at when 'cooldown' then c.held_back_by end),
            c.known_total + c.so_far,
            -- A vote of a closed month does not change the running month's counter.
            case when c.known_month >= c.of_month then c.known_monthly else 0 end
            + case when c.known_month <= c.of_month then c.so_far_of_month else 0 end,
            c.ticket, c.network, null
        )::public.ballot
        order by c.place
    ) into v_decided
    from counted as c;
    return v_decided;
end
$$;

-- Casts the votes in the arrays. Each is all or nothing and has its own outcome: `accepted`,
-- `cooldown`, `banned_account`, `banned_address`, `nickname_refused`, `server_not_found`,
-- `limit_address`, `limit_network` and `limit_server` (with the time at which there is room again),
-- for votes with a challenge also `nickname_pattern`, `captcha_spent` and `ticket_required`, for
-- those with a ticket `ticket_unknown`, `ticket_expired` and `ticket_spent`, and two outcomes to
-- retry: `deferred` (see sort_ballots) and, unless `p_waits`, `busy` if another transaction has
-- locked the listing or the account. An error refuses all votes of the call.
--
-- Locks are taken in this order, rows of each kind by their key: the table votes, shared, because a
-- recount locks it first; listings, shared; standings, so that votes for one server are decided one
-- after the other; accounts; challenges; windows; finished months and days; the voters' totals;
-- contests. close_vote_periods locks standings by id and then their finished months,
-- record_server_click the standing and then its day.
create or replace function public.cast_votes(
    p_server_ids uuid[], p_ip_hashes text[], p_user_ids uuid[], p_nicknames text[],
    p_nonces text[], p_nonce_ends timestamptz[], p_at timestamptz[], p_waits boolean,
    p_tickets text[] default null, p_networks bigint[] default null
) returns table (
    place integer,
    outcome text,
    vote_id uuid,
    voted_at timestamptz,
    next_vote_at timestamptz,
    total_votes integer,
    monthly_votes integer
)
language plpgsql security definer
set search_path = '' set lock_timeout = '3s'
-- Planning takes longer than execution, and the plan is the same for one ballot and for many.
set plan_cache_mode = 'force_generic_plan'
as $$
#variable_conflict use_column
declare
    v_cooldown interval := public.vote_cooldown();
    v_first date;
    v_last date;
    v_ballots public.ballot[];
    v_standings public.server_standings[];
    v_voters public.profiles[];
    v_used_nonces text[];
begin
    -- A batch must not wait for one ballot's lock; a ballot alone in its batch waits.
    if not p_waits then
        perform set_config('lock_timeout', '250ms', true);
    end if;
    lock table public.votes in row exclusive mode;
    v_standings := public.lock_standings(p_server_ids, p_waits);
    if array_remove(p_user_ids, null) <> '{}' then
        v_voters := public.lock_voters(p_user_ids, p_waits);
    end if;
    select public.site_day(min(at)), case when min(at) <> max(at) then public.site_day(max(at)) end
    into v_first, v_last
    from unnest(p_at) as at;
    select array_agg(
        row(
            b.place, b.server_id, b.ip_hash, b.user_id, b.nickname, b.nonce, b.nonce_ends_at, b.voted_at,
            case when v_last is null or v_last = v_first then v_first else public.site_day(b.voted_at) end,
            null, null, null, null, null, null, b.ticket, b.network, null
        )::public.ballot
    ) into v_ballots
    from unnest(
        p_server_ids, p_ip_hashes, p_user_ids, p_nicknames, p_nonces, p_nonce_ends, p_at, p_tickets, p_networks
    )
    with ordinality as b (
        server_id, ip_hash, user_id, nickname, nonce, nonce_ends_at, voted_at, ticket, network, place
    );
    v_ballots := public.sort_ballots(v_ballots, v_standings, v_voters, p_waits);
    if array_remove(p_tickets, null) <> '{}' then
        v_ballots := public.check_tickets(v_ballots, v_cooldown);
    end if;
    with spent as (
        insert into public.captcha_spent (nonce, expires_at)
        select b.nonce, b.nonce_ends_at from unnest(v_ballots) as b
        where b.outcome is null and b.nonce is not null
        order by b.nonce
        on conflict (nonce) do nothing
        returning nonce
    )
    select coalesce(array_agg(nonce), '{}') into v_used_nonces from spent;
    v_ballots := public.judge_ballots(v_ballots, v_standings, v_voters, v_used_nonces, v_cooldown);
    v_ballots := public.limit_ballots(v_ballots, v_standings);
    perform public.count_votes(v_ballots, v_standings);
    return query
    select
        b.place, b.outcome, b.vote_id, b.last_voted_at, coalesce(b.again_at, b.last_voted_at + v_cooldown),
        b.total_votes, b.monthly_votes
    from unnest(v_ballots) as b;
end
$$;

-- Casts one vote, without a challenge.
create or replace function public.cast_vote(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_at timestamptz default now(),
    p_network bigint default null
) returns table (
    outcome text,
    vote_id uuid,
    voted_at timestamptz,
    next_vote_at timestamptz,
    total_votes integer,
    monthly_votes integer
)
language plpgsql security definer set search_path = ''
as $$
begin
    return query
    select c.outcome, c.vote_id, c.voted_at, c.next_vote_at, c.total_votes, c.monthly_votes
    from public.cast_votes(
        array[p_server_id], array[p_ip_hash], array[p_user_id], array[p_nickname],
        array[null::text], array[null::timestamptz], array[p_at], true, null, array[p_network]
    ) as c;
end
$$;

revoke execute on function
    public.lock_standings(uuid[], boolean), public.lock_voters(uuid[], boolean),
    public.sort_ballots(public.ballot[], public.server_standings[], public.profiles[], boolean),
    public.judge_ballots(public.ballot[], public.server_standings[], public.profiles[], text[], interval),
    public.cast_votes(uuid[], text[], uuid[], text[], text[], timestamptz[], timestamptz[], boolean, text[], bigint[]),
    public.cast_vote(uuid, text, uuid, text, timestamptz, bigint)
from public;
grant execute on function public.cast_vote(uuid, text, uuid, text, timestamptz, bigint) to service_role;
