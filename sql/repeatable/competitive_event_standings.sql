-- The places in a contest, for banner, list, page and prize: visible listings with votes, the most
-- votes first; of equal ones the listing with the earlier first vote. The places of a finished
-- contest are those at its end. Runs with its owner's rights, as servers_public does.
drop view if exists public.competitive_event_standings;
create view public.competitive_event_standings as
select
    p.event_id,
    p.server_id,
    case
        when e.is_finished then p.final_rank
        else (
            row_number() over (partition by p.event_id order by p.votes_count desc, p.created_at, p.server_id)
        )::integer
    end as place,
    p.votes_count,
    p.prize_days,
    s.name,
    s.slug,
    s.logo_image_url,
    g.name as game_name
from public.competitive_event_participations as p
inner join public.competitive_events as e on e.id = p.event_id
inner join public.server_standings as t on t.server_id = p.server_id
inner join public.servers as s on s.id = p.server_id
inner join public.games as g on g.id = t.game_id
where
    t.is_listed
    and (e.is_active or (select public.is_admin()))
    and case when e.is_finished then p.final_rank is not null else p.votes_count > 0 end;

revoke all on public.competitive_event_standings from anon, authenticated, service_role;
grant select on public.competitive_event_standings to anon, authenticated, service_role;

create trigger competitive_event_standings_read_only
instead of insert or update or delete on public.competitive_event_standings
for each row execute function public.refuse_writing();

comment on view public.competitive_event_standings is 'The places of public listings in contests, as everyone may see them.';
