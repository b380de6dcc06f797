-- Votes are cast through cast_vote only. People read their own votes; no caller may read the
-- address hash.
revoke all on public.votes from anon, authenticated, service_role;
grant select (id, server_id, user_id, nickname, was_signed_in, voted_at) on public.votes to authenticated;
grant all on public.votes to service_role;

drop policy if exists "people see their own votes" on public.votes;
create policy "people see their own votes" on public.votes
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every vote" on public.votes;
create policy "administrators see every vote" on public.votes
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.votes;
create policy "the service does everything" on public.votes
for all to service_role using (true) with check (true);

-- The latest vote for this server after `p_after` with the same address, account or nickname, which
-- starts the voter's cooldown. One row; a set, so that the function is inlined into the calling
-- statement.
create or replace function public.last_counting_vote(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_after timestamptz
) returns table (voted_at timestamptz)
language sql stable
as $$
    select greatest(
        (
            select max(v.voted_at) from public.votes as v
            where v.server_id = p_server_id and v.ip_hash = p_ip_hash and v.voted_at > p_after
        ),
        case when p_user_id is not null then
            (
                select max(v.voted_at) from public.votes as v
                where v.server_id = p_server_id and v.user_id = p_user_id and v.voted_at > p_after
            )
        end,
        (
            select max(v.voted_at) from public.votes as v
            where
                v.server_id = p_server_id and v.nickname_folded = lower(btrim(p_nickname))
                and v.voted_at > p_after
        )
    )
$$;

-- When this voter may vote again; null if now.
create or replace function public.get_vote_cooldown(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_at timestamptz default now()
) returns timestamptz
language sql stable security definer set search_path = ''
as $$
    select last_one.voted_at + waits.cooldown
    from (select public.vote_cooldown() as cooldown offset 0) as waits
    cross join lateral public.last_counting_vote(
        p_server_id, p_ip_hash, p_user_id, p_nickname, p_at - waits.cooldown
    ) as last_one
$$;

-- When the voter may vote again, for the sender of the same vote before: with the same address,
-- account and nickname. Null for everybody else.
create or replace function public.get_repeated_vote_cooldown(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_at timestamptz default now()
) returns timestamptz
language sql stable security definer set search_path = ''
as $$
    select max(voted_at) + public.vote_cooldown()
    from public.votes
    where
        server_id = p_server_id and ip_hash = p_ip_hash and nickname_folded = lower(btrim(p_nickname))
        and user_id is not distinct from (select id from public.profiles where id = p_user_id)
        and voted_at > p_at - public.vote_cooldown()
$$;

revoke execute on function
    public.last_counting_vote(uuid, text, uuid, text, timestamptz),
    public.get_vote_cooldown(uuid, text, uuid, text, timestamptz),
    public.get_repeated_vote_cooldown(uuid, text, uuid, text, timestamptz)
from public;
grant execute on function
    public.get_vote_cooldown(uuid, text, uuid, text, timestamptz),
    public.get_repeated_vote_cooldown(uuid, text, uuid, text, timestamptz)
to service_role;
