-- Only the site itself reads and writes this table: for a request with the server's token, or for a
-- vote.
revoke all on public.vote_tickets from public, anon, authenticated, service_role;

-- The server of this token, if `p_server` is the same token or the server's id.
create or replace function public.server_by_token(p_server text, p_token text) returns uuid
language sql stable security definer set search_path = ''
as $$
    select s.id
    from public.server_api_tokens as t
    inner join public.servers as s on s.id = t.server_id
    where t.token = p_token and p_server in (t.token, s.id::text) and s.is_approved and not s.is_hidden
$$;

-- Stores a new ticket: `opened`, `not_yours`, or `too_many` while the server has 10,000 open ones.
create or replace function public.open_vote_ticket(
    p_server text, p_token text, p_ticket text, p_reference text, p_nickname text,
    p_at timestamptz, p_expires_at timestamptz
) returns table (outcome text, server_id uuid)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_server uuid := public.server_by_token(p_server, p_token);
    v_open integer;
begin
    if v_server is null then
        return query select 'not_yours', null::uuid;
        return;
    end if;
    select count(*) into v_open
    from (
        select from public.vote_tickets as t
        where t.server_id = v_server and t.spent_at is null and t.expires_at > p_at
        limit 10000
    ) as waiting;
    if v_open >= 10000 then
        return query select 'too_many', v_server;
        return;
    end if;
    insert into public.vote_tickets (ticket, server_id, reference, nickname, created_at, expires_at)
    values (p_ticket, v_server, p_reference, p_nickname, p_at, p_expires_at);
    return query select 'opened', v_server;
end
$$;

-- The state of a ticket: `not_yours`, `ticket_unknown`, `open`, `voted` or `expired`.
create or replace function public.find_vote_ticket(p_server text, p_token text, p_ticket text, p_at timestamptz)
returns table (
    outcome text, reference text, nickname text, expires_at timestamptz,
    vote_id uuid, voted_as text, spent_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
    select
        case
            when asked.server_id is null then 'not_yours'
            when t.ticket is null then 'ticket_unknown'
            when t.spent_at is not null then 'voted'
            when t.expires_at <= p_at then 'expired'
            else 'open'
        end,
        t.reference, t.nickname, t.expires_at, t.vote_id, t.voted_as, t.spent_at
    from (select public.server_by_token(p_server, p_token) as server_id) as asked
    left join public.vote_tickets as t on t.ticket = p_ticket and t.server_id = asked.server_id
$$;

-- Sets the outcomes of ballots that follow from their tickets. A transaction that votes for a
-- server has locked its standing, so nobody else spends the server's tickets meanwhile. A vote that
-- is sent again is not refused for its spent ticket.
create or replace function public.check_tickets(p_ballots public.ballot[], p_cooldown interval)
returns public.ballot[]
language plpgsql
as $$
declare
    v_checked public.ballot[];
begin
    select array_agg(
        row(
            b.place, b.server_id, b.ip_hash, b.user_id, b.nickname, b.nonce, b.nonce_ends_at, b.voted_at, b.day,
            b.game_id,
            case
                when b.outcome is not null or b.ticket is null then b.outcome
                when t.ticket is null then 'ticket_unknown'
                when b.nth_of_ticket > 1 then 'deferred'
                when t.spent_at is not null and v.id is null then 'ticket_spent'
                when t.spent_at is null and t.expires_at <= b.voted_at then 'ticket_expired'
            end,
            null, null, null, null, b.ticket, b.network, null
        )::public.ballot
        order by b.place
    ) into v_checked
    from (
        select
            each.*,
            row_number() over (partition by each.ticket, each.outcome is null order by each.place) as nth_of_ticket
        from unnest(p_ballots) as each
    ) as b
    left join public.vote_tickets as t on t.ticket = b.ticket and t.server_id = b.server_id
    left join public.votes as v
        on v.id = t.vote_id and v.ip_hash = b.ip_hash and v.nickname_folded = lower(btrim(b.nickname))
        and v.voted_at > b.voted_at - p_cooldown;
    return v_checked;
end
$$;

-- Spends the tickets of votes, in the transaction of the votes.
create or replace function public.spend_tickets(p_ballots public.ballot[]) returns void
language sql
as $$
    update public.vote_tickets as t
    set vote_id = b.vote_id, voted_as = btrim(b.nickname), spent_at = b.voted_at
    from unnest(p_ballots) as b
    where t.ticket = b.ticket
$$;

-- Sets whether votes without a ticket are refused, as the owner.
create or replace function public.set_ticket_rule(p_server_id uuid, p_required boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_owner_or_admin(p_server_id);
    update public.server_standings set requires_ticket = coalesce(p_required, false)
    where server_id = p_server_id;
end
$$;

-- Deletes tickets that expired before `p_before`, at most `p_rows`; returns how many.
create or replace function public.prune_vote_tickets(p_before timestamptz, p_rows integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_deleted integer;
begin
    delete from public.vote_tickets
    where ticket in (
        select ticket from public.vote_tickets where expires_at < p_before
        order by expires_at
        limit p_rows
        for update skip locked
    );
    get diagnostics v_deleted = row_count;
    return v_deleted;
end
$$;

revoke execute on function
    public.server_by_token(text, text), public.open_vote_ticket(text, text, text, text, text, timestamptz, timestamptz),
    public.find_vote_ticket(text, text, text, timestamptz), public.check_tickets(public.ballot[], interval),
    public.spend_tickets(public.ballot[]), public.set_ticket_rule(uuid, boolean),
    public.prune_vote_tickets(timestamptz, integer)
from public;
grant execute on function public.set_ticket_rule(uuid, boolean) to authenticated, service_role;
