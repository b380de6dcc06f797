-- The site's broadcasts over realtime/v1, and who receives them. All topics are private: anybody
-- could send to a public topic, and pages would show invented messages. Only the site may send.
--
-- `ranking`: figures of changed servers, for lists. `server:<id>`: the figures of one server. Both
-- have only public columns of servers_public, nothing about voters. `staff:queue`: that the
-- administrators' queue has changed.
drop policy if exists "everyone hears of figures" on realtime.messages;
create policy "everyone hears of figures" on realtime.messages
for select to anon, authenticated
using (extension = 'broadcast' and (topic = 'ranking' or topic like 'server:%'));

drop policy if exists "administrators hear of their queue" on realtime.messages;
create policy "administrators hear of their queue" on realtime.messages
for select to authenticated
using (extension = 'broadcast' and topic = 'staff:queue' and (select public.is_admin()));

-- Broadcasts the changed figures of these servers: one message to lists, one to the page of each
-- server. Returns how many of the servers are public. `p_votes_before` is a server's number of
-- votes this month before its new ones, null without new votes; with it a page moves the servers
-- that were overtaken. `p_has_figures` is false if only deliveries were settled.
create or replace function public.broadcast_standings(
    p_server_ids uuid[], p_votes_before integer[], p_has_figures boolean[], p_has_deliveries boolean[]
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_changed record;
    v_standings jsonb[] := '{}';
    v_count integer := 0;
begin
    for v_changed in
        select
            c.has_figures,
            c.has_deliveries,
            s.id,
            jsonb_build_object(
                'id', s.id,
                'game_slug', s.game_slug,
                'monthly_votes', s.monthly_votes,
                'votes_before', c.votes_before,
                'total_votes', s.total_votes,
                'daily_votes', s.daily_votes,
                'rank', s.rank,
                'game_rank', s.game_rank,
                'is_online', s.is_online,
                'online_players', s.online_players,
                'max_players', s.max_players,
                'status_checked_at', s.status_checked_at
            ) as standing
        from unnest(p_server_ids, p_votes_before, p_has_figures, p_has_deliveries)
        as c (server_id, votes_before, has_figures, has_deliveries)
        inner join public.servers_public as s on s.id = c.server_id
    loop
        v_count := v_count + 1;
        if v_changed.has_figures then
            v_standings := v_standings || v_changed.standing;
        end if;
        perform realtime.send(
            jsonb_build_object('servers', jsonb_build_array(v_changed.standing), 'delivered', v_changed.has_deliveries),
            'standings', 'server:' || v_changed.id, true
        );
    end loop;
    if v_standings <> '{}' then
        perform realtime.send(jsonb_build_object('servers', to_jsonb(v_standings)), 'standings', 'ranking', true);
    end if;
    return v_count;
end
$$;

-- Broadcasts that the queue has changed, without its content: receivers read the queue with their
-- own rights.
create or replace function public.broadcast_queue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    perform realtime.send('{}', 'queue', 'staff:queue', true);
    return null;
end
$$;

drop trigger if exists moderation_cases_broadcast on public.moderation_cases;
create trigger moderation_cases_broadcast after insert or delete or update of decision on public.moderation_cases
for each statement execute function public.broadcast_queue();

-- A second report about the same subject opens no case while the first is open, so reports
-- broadcast, too.
drop trigger if exists reports_broadcast on public.reports;
create trigger reports_broadcast after insert or delete or update of status on public.reports
for each statement execute function public.broadcast_queue();

drop trigger if exists tag_proposals_broadcast on public.tag_proposals;
create trigger tag_proposals_broadcast after insert or delete or update of status on public.tag_proposals
for each statement execute function public.broadcast_queue();

revoke execute on function
    public.broadcast_standings(uuid[], integer[], boolean[], boolean[]), public.broadcast_queue()
from public;
