-- What a contest came to: the votes of the ten best together, who ended it, and the days each winner was given. And where
-- the ten best stood at the end of each day.
alter table public.competitive_events
add column total_votes integer,
add column finished_by text,
add constraint competitive_events_finished_by check (finished_by in ('administrator', 'job'));

alter table public.competitive_event_participations add column prize_days integer;

update public.competitive_event_participations as p
set prize_days = e.prestige_days
from public.competitive_events as e
where e.id = p.event_id and e.is_finished and e.is_success and p.final_rank <= e.winner_count;

update public.competitive_events as e
set
    total_votes = (
        select coalesce(sum(p.votes_count), 0)
        from public.competitive_event_participations as p
        where p.event_id = e.id and p.final_rank <= 10
    )
where e.is_finished;

-- Along the order in which places are given.
create index competitive_event_participations_places_idx
on public.competitive_event_participations (event_id, votes_count desc, created_at, server_id);
drop index public.competitive_event_participations_order_idx;

create table public.competitive_event_places (
    event_id uuid not null references public.competitive_events (id) on delete cascade,
    day date not null,
    server_id uuid not null references public.servers (id) on delete cascade,
    place integer not null,
    votes_count integer not null,
    primary key (event_id, day, server_id),
    constraint competitive_event_places_place check (place between 1 and 10),
    constraint competitive_event_places_votes check (votes_count > 0)
);

alter table public.competitive_event_places enable row level security;

create index competitive_event_places_server_idx on public.competitive_event_places (server_id);

insert into public.site_settings (setting_key, setting_value)
values ('competitive_event_finalize_after_hours', '24')
on conflict do nothing;
