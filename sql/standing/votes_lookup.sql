-- What the vote API answers from: by token all of it, by the public id without the name unless the
-- owner opened it.
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
language sql stable security definer set search_path = ''
as $$
    with asked as (
        select s.id, s.name, true as by_token, s.is_sponsored, s.prestige_expires_at
        from public.server_api_tokens as t
        inner join public.servers as s on s.id = t.server_id
        where t.token = p_server
        union all
        select s.id, s.name, s.open_vote_api, s.is_sponsored, s.prestige_expires_at
        from public.servers as s
        where
            s.id = case when p_server ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_server::uuid end
            and s.is_approved and not s.is_hidden
    )
    select
        case when a.id is null then 'server_not_found' when v.id is null then 'not_found' else 'found' end,
        a.id,
        public.plain_text(a.name),
        case when a.by_token then v.nickname end,
        v.voted_at,
        v.voted_at + public.vote_cooldown(),
        v.was_signed_in,
        case when v.id is not null then a.is_sponsored and coalesce(a.prestige_expires_at > p_at, false) end
    from (values (1)) as always (present)
    left join asked as a on true
    left join lateral (
        select * from public.votes
        where votes.server_id = a.id and votes.ip_hash = p_ip_hash and votes.voted_at > p_at - public.vote_cooldown()
        order by votes.voted_at desc
        limit 1
    ) as v on true
$$;

revoke execute on function public.find_vote(text, text, timestamptz) from public;
grant execute on function public.find_vote(text, text, timestamptz) to service_role;
