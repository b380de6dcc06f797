-- Votes are cast through cast_vote alone. People read their own; the address hash is nobody's to
-- read.
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

-- The latest vote that holds a voter back: same address, same account or same nickname, on this
-- server.
create or replace function public.last_counting_vote(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_at timestamptz
) returns timestamptz
language sql stable security definer set search_path = ''
as $$
    select greatest(
        (
            select max(voted_at) from public.votes
            where server_id = p_server_id and ip_hash = p_ip_hash and voted_at > p_at - public.vote_cooldown()
        ),
        (
            select max(voted_at) from public.votes
            where server_id = p_server_id and user_id = p_user_id and voted_at > p_at - public.vote_cooldown()
        ),
        (
            select max(voted_at) from public.votes
            where
                server_id = p_server_id and nickname_folded = lower(btrim(p_nickname))
                and voted_at > p_at - public.vote_cooldown()
        )
    )
$$;

-- When this voter may vote again; null: now.
create or replace function public.get_vote_cooldown(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_at timestamptz default now()
) returns timestamptz
language sql stable security definer set search_path = ''
as $$
    select public.last_counting_vote(p_server_id, p_ip_hash, p_user_id, p_nickname, p_at) + public.vote_cooldown()
$$;

-- The same for whoever cast this very vote before: address, account and nickname together. Null for
-- everybody else.
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

create or replace function public.is_banned_voter(p_ip_hash text, p_user_id uuid, p_at timestamptz)
returns boolean
language sql stable security definer set search_path = ''
as $$
    select
        exists (
            select from public.ip_bans
            where ip_hash = p_ip_hash and (expires_at is null or expires_at > p_at)
        )
        or exists (select from public.profiles where id = p_user_id and is_banned)
$$;

-- One vote, all or nothing. Locks are taken in this order: the listing, shared, as whoever takes it
-- away has it first; its standing, so that votes for one server are judged one after the other; its
-- finished month and its day; the voter's totals by day, month and week; the account's profile;
-- contests by id. close_vote_periods takes standings by id and then their finished months,
-- record_server_click the standing and then its day.
create or replace function public.cast_vote(
    p_server_id uuid, p_ip_hash text, p_user_id uuid, p_nickname text, p_at timestamptz default now()
) returns table (
    outcome text,
    vote_id uuid,
    voted_at timestamptz,
    next_vote_at timestamptz,
    total_votes integer,
    monthly_votes integer
)
language plpgsql security definer set search_path = '' set lock_timeout = '3s'
as $$
declare
    v_standing public.server_standings;
    v_monthly integer;
    v_account uuid;
    v_vote public.votes;
    v_last timestamptz;
begin
    perform from public.servers where id = p_server_id for key share;
    select * into v_standing from public.server_standings as t
    where t.server_id = p_server_id and t.is_listed
    for no key update;
    if not found then
        return query select 'server_not_found', null::uuid, null::timestamptz, null::timestamptz, null::int, null::int;
        return;
    end if;
    v_monthly := case
        when v_standing.month >= public.month_of(public.site_day(p_at)) then v_standing.monthly_votes else 0
    end;
    if public.is_banned_voter(p_ip_hash, p_user_id, p_at) then
        return query select
            'banned', null::uuid, null::timestamptz, null::timestamptz, v_standing.total_votes, v_monthly;
        return;
    end if;
    v_last := public.last_counting_vote(p_server_id, p_ip_hash, p_user_id, p_nickname, p_at);
    if v_last is not null then
        return query select
            'cooldown', null::uuid, v_last, v_last + public.vote_cooldown(),
            v_standing.total_votes, v_monthly;
        return;
    end if;
    -- An account that is gone meanwhile votes as a guest.
    select id into v_account from public.profiles where id = p_user_id;
    insert into public.votes (server_id, user_id, nickname, ip_hash, was_signed_in, voted_at)
    values (p_server_id, v_account, btrim(p_nickname), p_ip_hash, v_account is not null, p_at)
    returning * into v_vote;
    v_standing := public.count_vote(v_vote, v_standing);
    perform public.count_voter(v_vote);
    perform public.count_for_competitions(v_vote, v_standing.game_id);
    perform public.queue_vote_deliveries(v_vote, v_standing);
    return query select
        'accepted', v_vote.id, v_vote.voted_at, v_vote.voted_at + public.vote_cooldown(),
        v_standing.total_votes, v_standing.monthly_votes;
end
$$;

revoke execute on function
    public.last_counting_vote(uuid, text, uuid, text, timestamptz),
    public.get_vote_cooldown(uuid, text, uuid, text, timestamptz),
    public.get_repeated_vote_cooldown(uuid, text, uuid, text, timestamptz),
    public.is_banned_voter(text, uuid, timestamptz),
    public.cast_vote(uuid, text, uuid, text, timestamptz)
from public;
grant execute on function
    public.get_vote_cooldown(uuid, text, uuid, text, timestamptz),
    public.get_repeated_vote_cooldown(uuid, text, uuid, text, timestamptz),
    public.cast_vote(uuid, text, uuid, text, timestamptz)
to service_role;
