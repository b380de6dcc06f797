-- What happens on a listed server, and the kinds of happenings. Owners write the texts in one language or more.
create table public.event_types (
    key text primary key,
    name_fr text not null,
    name_en text not null,
    name_es text not null,
    icon text not null default 'calendar',
    color text not null default '#8B5CF6',
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint event_types_key_shape check (key ~ '^[a-z][a-z0-9_]{1,39}$'),
    constraint event_types_name_lengths check (
        char_length(name_fr) between 1 and 60 and char_length(name_en) between 1 and 60
        and char_length(name_es) between 1 and 60
    ),
    constraint event_types_color_shape check (color ~ '^#[0-9A-Fa-f]{6}$')
);

alter table public.event_types enable row level security;

-- The kinds of events the site opens with. Icons are names of the lucide set.
insert into public.event_types (key, name_fr, name_en, name_es, icon, color)
values
('tournament', 'Tournoi', 'Tournament', 'Torneo', 'trophy', '#F59E0B'),
('double_xp', 'Expérience doublée', 'Double experience', 'Experiencia doble', 'zap', '#8B5CF6'),
('drop_boost', 'Butin augmenté', 'Boosted drops', 'Botín aumentado', 'gem', '#EC4899'),
('new_season', 'Nouvelle saison', 'New season', 'Nueva temporada', 'sunrise', '#F97316'),
('update', 'Mise à jour', 'Update', 'Actualización', 'rocket', '#3B82F6'),
('opening', 'Ouverture', 'Opening', 'Apertura', 'door-open', '#10B981'),
('giveaway', 'Cadeaux', 'Giveaway', 'Sorteo', 'gift', '#EF4444'),
('pvp', 'Bataille', 'Battle', 'Batalla', 'swords', '#EF4444'),
('boss', 'Chasse au boss', 'Boss hunt', 'Caza de jefes', 'skull', '#6366F1'),
('building', 'Concours de construction', 'Building contest', 'Concurso de construcción', 'hammer', '#84CC16'),
('community', 'Soirée communautaire', 'Community night', 'Noche de la comunidad', 'party-popper', '#14B8A6'),
('seasonal', 'Événement saisonnier', 'Seasonal event', 'Evento de temporada', 'snowflake', '#14B8A6');

create table public.server_events (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    event_type_key text not null references public.event_types (key) on update cascade,
    title_fr text,
    title_en text,
    title_es text,
    description_fr text,
    description_en text,
    description_es text,
    start_date timestamptz not null,
    end_date timestamptz not null,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint server_events_title check (
        char_length(btrim(coalesce(title_fr, '') || coalesce(title_en, '') || coalesce(title_es, ''))) >= 1
    ),
    constraint server_events_lengths check (
        char_length(title_fr) <= 600 and char_length(title_en) <= 600 and char_length(title_es) <= 600
        and char_length(description_fr) <= 12000 and char_length(description_en) <= 12000
        and char_length(description_es) <= 12000
    ),
    constraint server_events_dates check (end_date > start_date)
);

alter table public.server_events enable row level security;

create index server_events_of_server_idx on public.server_events (server_id, created_at desc) where is_active;
create index server_events_type_idx on public.server_events (event_type_key);
create index server_events_end_idx on public.server_events (end_date) where is_active;
