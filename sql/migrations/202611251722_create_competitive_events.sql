-- Contests between listings: votes cast between two dates count, the best win days of Prestige.
create table public.competitive_events (
    id uuid primary key default gen_random_uuid(),
    -- What it is called and what is said of it. `name` and `description` are the French, which stands in where a
    -- translation is missing; `name_fr` and `description_fr` are the same under the names that go with the others.
    name text not null,
    name_fr text generated always as (name) stored,
    name_en text,
    name_es text,
    description text,
    description_fr text generated always as (description) stored,
    description_en text,
    description_es text,
    start_date timestamptz not null,
    end_date timestamptz not null,
    is_active boolean not null default true,
    is_finished boolean not null default false,
    is_success boolean,
    finished_at timestamptz,
    finished_by text,
    -- What it came to: the votes of the ten best together.
    total_votes integer,
    target_votes integer not null,
    winner_count integer not null default 3,
    prestige_days integer not null default 7,
    game_ids uuid[] not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint competitive_events_name_length check (char_length(btrim(name)) between 1 and 120),
    constraint competitive_events_description_length check (char_length(description) <= 4000),
    constraint competitive_events_translations check (
        coalesce(char_length(btrim(name_en)) between 1 and 120, true)
        and coalesce(char_length(btrim(name_es)) between 1 and 120, true)
        and coalesce(char_length(description_en) <= 4000, true)
        and coalesce(char_length(description_es) <= 4000, true)
    ),
    constraint competitive_events_dates check (end_date > start_date),
    constraint competitive_events_finished_by check (finished_by in ('administrator', 'job')),
    constraint competitive_events_target check (target_votes > 0),
    constraint competitive_events_winners check (winner_count between 1 and 100),
    constraint competitive_events_prize check (prestige_days between 1 and 365)
);

alter table public.competitive_events enable row level security;

create index competitive_events_running_idx on public.competitive_events (start_date, end_date)
where is_active and not is_finished;

create table public.competitive_event_participations (
    event_id uuid not null references public.competitive_events (id) on delete cascade,
    server_id uuid not null references public.servers (id) on delete cascade,
    votes_count integer not null default 0,
    final_rank integer,
    -- The days of Prestige a winner was given.
    prize_days integer,
    created_at timestamptz not null default now(),
    primary key (event_id, server_id),
    constraint competitive_event_participations_not_negative check (votes_count >= 0)
);

alter table public.competitive_event_participations enable row level security;

create index competitive_event_participations_server_idx on public.competitive_event_participations (server_id);

-- In the order in which places are given.
create index competitive_event_participations_places_idx
on public.competitive_event_participations (event_id, votes_count desc, created_at, server_id);

-- Where the ten best stood at the end of each day.
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
