-- Only the vote API, which requires a server's token, reads and writes this table.
revoke all on public.vote_claims from anon, authenticated, service_role;
grant all on public.vote_claims to service_role;

drop policy if exists "the service does everything" on public.vote_claims;
create policy "the service does everything" on public.vote_claims
for all to service_role using (true) with check (true);

-- How long a vote can be rewarded: a day at least, so that a player who is offline does not lose
-- the reward.
create or replace function public.claim_window() returns interval
language sql stable
as $$
    select greatest(public.vote_cooldown(), interval '24 hours')
$$;

-- Whether a player's vote for a listing can be rewarded: `open`; `taken` if the caller claims it,
-- once for each vote, the oldest first; `claimed` while the last vote is in its cooldown; `none`
-- when the player can vote again. A single statement, so that of concurrent callers one claims a
-- vote.
create or replace function public.claim_vote(
    p_server_id uuid, p_nickname text, p_takes boolean, p_at timestamptz default now()
) returns text
language sql volatile security definer set search_path = ''
as $$
    with due as materialized (
        select v.id from public.votes as v
        where
            v.server_id = p_server_id and v.nickname_folded = lower(btrim(p_nickname))
            and v.voted_at > p_at - public.claim_window() and v.voted_at <= p_at
            and not exists (select from public.vote_claims as c where c.vote_id = v.id)
        order by v.voted_at
        limit 1
    ),
    taken as (
        insert into public.vote_claims (vote_id, claimed_at)
        select due.id, p_at from due where p_takes
        on conflict (vote_id) do nothing
        returning vote_id
    )
    select case
        when exists (select from taken) then 'taken'
        when exists (select from due) then case when p_takes then 'claimed' else 'open' end
        when exists (
            select from public.votes as v
            where
                v.server_id = p_server_id and v.nickname_folded = lower(btrim(p_nickname))
                and v.voted_at > p_at - public.vote_cooldown() and v.voted_at <= p_at
        ) then 'claimed'
        else 'none'
    end
$$;

revoke execute on function public.claim_window(), public.claim_vote(uuid, text, boolean, timestamptz) from public;
grant execute on function public.claim_vote(uuid, text, boolean, timestamptz) to service_role;
