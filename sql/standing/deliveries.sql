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

-- The outbox rows of a vote, one for each active way of announcing it. The voter's address is not
-- among the facts.
create or replace function public.queue_vote_deliveries(p_vote public.votes, p_standing public.server_standings)
returns void
language sql security definer set search_path = ''
as $$
    insert into public.deliveries (server_id, vote_id, channel, event, payload)
    select
        s.id,
        (p_vote).id,
        targets.channel,
        'vote.created',
        jsonb_build_object(
            'event', 'vote.created',
            'vote', jsonb_build_object(
                'id', (p_vote).id,
                'nickname', (p_vote).nickname,
                'voted_at', (p_vote).voted_at
            ),
            'server', jsonb_build_object(
                'id', s.id,
                'slug', s.slug,
                'name', public.plain_text(s.name),
                'total_votes', (p_standing).total_votes,
                'monthly_votes', (p_standing).monthly_votes
            )
        )
    from (
        select 'webhook' as channel from public.webhooks
        where server_id = (p_vote).server_id and is_active and 'vote.created' = any(events)
        union all
        select 'votifier' from public.votifier_configs
        where server_id = (p_vote).server_id and is_active
    ) as targets
    inner join public.servers as s on s.id = (p_vote).server_id
$$;
revoke execute on function public.queue_vote_deliveries(public.votes, public.server_standings) from public;
