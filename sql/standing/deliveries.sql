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

-- The outbox rows of votes, one for each active way of announcing each. The voter's address is not
-- among the facts.
create or replace function public.queue_vote_deliveries(p_ballots public.ballot[]) returns void
language plpgsql
as $$
begin
    insert into public.deliveries (server_id, vote_id, channel, event, payload)
    select
        b.server_id,
        b.vote_id,
        targets.channel,
        'vote.created',
        jsonb_build_object(
            'event', 'vote.created',
            'vote', jsonb_build_object('id', b.vote_id, 'nickname', btrim(b.nickname), 'voted_at', b.voted_at)
            -- What the owner's own site knows the voter by.
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
        )
    from unnest(p_ballots) as b
    inner join (
        select w.server_id, 'webhook' as channel from public.webhooks as w
        where w.is_active and 'vote.created' = any(w.events)
        union all
        select v.server_id, 'votifier' from public.votifier_configs as v
        where v.is_active
    ) as targets on targets.server_id = b.server_id
    inner join public.servers as s on s.id = b.server_id;
end
$$;
revoke execute on function public.queue_vote_deliveries(public.ballot[]) from public;
