-- Queries of the vote API: by token with all data, by the public id without names unless the owner
-- allows them.

-- The listing with this token or public id, and whether the caller may read voters' names; no row
-- if there is none. A set, so that the function is inlined into the calling statement.
create or replace function public.find_server_by_key(p_server text)
returns table (
    server_id uuid,
    name text,
    by_token boolean,
    tells_names boolean,
    is_subscriber boolean,
    prestige_until timestamptz
)
language sql stable
as $$
    select s.id, s.name, true, true, s.is_sponsored, s.prestige_expires_at
    from public.server_api_tokens as t
    inner join public.servers as s on s.id = t.server_id
    where t.token = p_server
    union all
    select s.id, s.name, false, s.open_vote_api, s.is_sponsored, s.prestige_expires_at
    from public.servers as s
    where
        s.id = case when p_server ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_server::uuid end
        and s.is_approved and not s.is_hidden
$$;

-- In plpgsql, which keeps the plan between calls: planning over partitions costs more than the
-- query. The cooldown is read once, as a variable: a call in the condition would read it again to
-- choose the partitions and for each scan.
create or replace function public.find_vote(p_server text, p_ip_hash text, p_at timestamptz default now())
returns table (
    outcome text,
    server_id uuid,
    server_name text,
    username text,
    voted_at timestamptz,
    next_vote_at timestamptz,
    is_connected boolean,
    is_subscriber boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_cooldown constant interval := public.vote_cooldown();
begin
    return query select
        case when a.server_id is null then 'server_not_found' when v.id is null then 'not_found' else 'found' end,
        a.server_id,
        public.plain_text(a.name),
        case when a.tells_names then v.nickname end,
        v.voted_at,
        v.voted_at + v_cooldown,
        v.was_signed_in,
        case when v.id is not null then a.is_subscriber and coalesce(a.prestige_until > p_at, false) end
    from (values (1)) as always (present)
    left join public.find_server_by_key(p_server) as a on true
    left join lateral (
        select * from public.votes
        where
            votes.server_id = a.server_id and votes.ip_hash = p_ip_hash
            and votes.voted_at > p_at - v_cooldown
        order by votes.voted_at desc
        limit 1
    ) as v on true;
end
$$;

-- Finds a vote by the player's nickname, for callers who may read names.
create or replace function public.find_vote_of(p_server text, p_nickname text, p_at timestamptz default now())
returns table (
    outcome text,
    server_id uuid,
    server_name text,
    username text,
    voted_at timestamptz,
    next_vote_at timestamptz,
    is_connected boolean,
    is_subscriber boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_cooldown constant interval := public.vote_cooldown();
begin
    return query select
        case
            when a.server_id is null then 'server_not_found'
            when not a.tells_names then 'token_needed'
            when v.id is null then 'not_found'
            else 'found'
        end,
        a.server_id,
        public.plain_text(a.name),
        v.nickname,
        v.voted_at,
        v.voted_at + v_cooldown,
        v.was_signed_in,
        case when v.id is not null then a.is_subscriber and coalesce(a.prestige_until > p_at, false) end
    from (values (1)) as always (present)
    left join public.find_server_by_key(p_server) as a on true
    left join lateral (
        select * from public.votes
        where
            a.tells_names and votes.server_id = a.server_id and votes.nickname_folded = lower(btrim(p_nickname))
            and votes.voted_at > p_at - v_cooldown
        order by votes.voted_at desc
        limit 1
    ) as v on true;
end
$$;

revoke execute on function
    public.find_server_by_key(text), public.find_vote(text, text, timestamptz), public.find_vote_of(text, text, timestamptz)
from public;
grant execute on function
    public.find_vote(text, text, timestamptz), public.find_vote_of(text, text, timestamptz)
to service_role;
