revoke all on public.deliveries from anon, authenticated, service_role;
grant select on public.deliveries to authenticated;
grant all on public.deliveries to service_role;

drop policy if exists "owners see the deliveries of their listings" on public.deliveries;
create policy "owners see the deliveries of their listings" on public.deliveries
for select to authenticated
using ((select public.has_shown_second_factor()) and server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see every delivery" on public.deliveries;
create policy "administrators see every delivery" on public.deliveries
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.deliveries;
create policy "the service does everything" on public.deliveries
for all to service_role using (true) with check (true);

-- Enqueues the deliveries of votes, one for each vote and each active receiver, and notifies the
-- workers if a lane had none waiting. The payload does not have the voter's address. Lanes are
-- locked in the order of their keys.
create or replace function public.queue_vote_deliveries(p_ballots public.ballot[]) returns void
language plpgsql
as $$
declare
    v_notified text;
begin
    with queued as (
        insert into public.deliveries (
            server_id, vote_id, channel, event, payload, created_at, queued_at, next_attempt_at
        )
        select
            b.server_id,
            b.vote_id,
            targets.channel,
            'vote.created',
            jsonb_build_object(
                'event', 'vote.created',
                'vote', jsonb_build_object('id', b.vote_id, 'nickname', btrim(b.nickname), 'voted_at', b.voted_at)
                -- The reference by which the owner's own site identifies the voter.
                || case when b.ticket is null then '{}' else jsonb_build_object(
                    'ticket', b.ticket,
                    'reference', (select t.reference from public.vote_tickets as t where t.ticket = b.ticket)
                ) end,
                'server', jsonb_build_object(
                    'id', s.id,
                    'slug', s.slug,
                    'name', public.plain_text(s.name),
                    'total_votes', b.total_votes,
                    'monthly_votes', b.monthly_votes
                )
            ),
            b.voted_at,
            b.voted_at,
            b.voted_at
        from unnest(p_ballots) as b
        inner join (
            select w.server_id, 'webhook' as channel from public.webhooks as w
            where w.is_active and 'vote.created' = any(w.events)
            union all
            select v.server_id, 'votifier' from public.votifier_configs as v
            where v.is_active
        ) as targets on targets.server_id = b.server_id
        inner join public.servers as s on s.id = b.server_id
        returning server_id, channel, next_attempt_at
    ),
    woken as (
        insert into public.delivery_lanes as l (server_id, channel, due_at)
        select server_id, channel, min(next_attempt_at) from queued
        group by server_id, channel
        order by server_id, channel
        on conflict (server_id, channel) do update set due_at = excluded.due_at where l.due_at is null
        returning 1
    )
    select pg_catalog.pg_notify('public.delivery_lanes', '')::text into v_notified from woken limit 1;
end
$$;
revoke execute on function public.queue_vote_deliveries(public.ballot[]) from public;

-- The state of a vote's deliveries, for callers who know the vote's id: the voter and the owner.
create or replace function public.get_vote_arrival(p_vote_id uuid)
returns table (channel text, status text, is_confirmed boolean)
language sql stable security definer set search_path = ''
as $$
    select d.channel, d.status, d.is_confirmed from public.deliveries as d
    where d.vote_id = p_vote_id
    order by d.channel
$$;
revoke execute on function public.get_vote_arrival(uuid) from public;
grant execute on function public.get_vote_arrival(uuid) to anon, authenticated, service_role;

-- Sends deliveries of a listing again under the same ids: those in `p_ids`, or all that failed in
-- the last week, 500 at most. Returns how many. Skips pending deliveries and those of voided votes.
create or replace function public.replay_deliveries(p_server_id uuid, p_ids uuid[] default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_count integer;
begin
    perform public.require_owner_or_admin(p_server_id);
    with chosen as materialized (
        select d.id from public.deliveries as d
        where
            d.server_id = p_server_id and d.status <> 'pending'
            and (d.id = any(p_ids) or (p_ids is null and d.status = 'failed' and d.created_at > now() - interval '7 days'))
            and not exists (
                select from public.voided_votes as gone where gone.id = (d.payload -> 'vote' ->> 'id')::uuid
            )
            and case d.channel
                when 'webhook' then
                    exists (select from public.webhooks as w where w.server_id = p_server_id and w.is_active)
                else exists (select from public.votifier_configs as v where v.server_id = p_server_id and v.is_active)
            end
        order by d.created_at
        limit 500
        for update
    ),
    replayed as (
        update public.deliveries as d
        set
            status = 'pending', attempts = 0, queued_at = now(), next_attempt_at = now(),
            last_error = null, fault = null, delivered_at = null, is_confirmed = null
        from chosen where d.id = chosen.id
        returning d.channel
    ),
    woken as (
        insert into public.delivery_lanes as l (server_id, channel, due_at)
        select distinct p_server_id, channel, now() from replayed
        order by channel
        on conflict (server_id, channel) do update set due_at = least(l.due_at, excluded.due_at)
        returning pg_catalog.pg_notify('public.delivery_lanes', '')
    )
    select count(*) into v_count from replayed where (select count(*) from woken) >= 0;
    return v_count;
end
$$;
revoke execute on function public.replay_deliveries(uuid, uuid[]) from public;
grant execute on function public.replay_deliveries(uuid, uuid[]) to authenticated, service_role;
