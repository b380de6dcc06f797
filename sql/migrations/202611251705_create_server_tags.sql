-- The tags listings may wear (servers.tags holds their names) and the ones people propose.
create table public.server_tags (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    description text,
    color text not null,
    name_fr text not null,
    name_en text not null,
    name_es text not null,
    description_fr text,
    description_en text,
    description_es text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint server_tags_name_key unique (name),
    constraint server_tags_name_length check (char_length(btrim(name)) between 1 and 30),
    constraint server_tags_description_length check (char_length(description) <= 200),
    constraint server_tags_color check (color in (
        '#3B82F6', '#EF4444', '#10B981', '#F59E0B', '#8B5CF6', '#EC4899', '#14B8A6', '#F97316', '#84CC16', '#6366F1'
    ))
);

alter table public.server_tags enable row level security;

-- The tags the site opens with, in its three languages.
insert into public.server_tags (
    name, color, name_fr, name_en, name_es, description_fr, description_en, description_es
)
values
('Survie', '#10B981', 'Survie', 'Survival', 'Supervivencia', 'Récolter, construire et tenir bon.', 'Gather, build and hold out.', 'Recolectar, construir y resistir.'),
('PvP', '#EF4444', 'PvP', 'PvP', 'JcJ', 'Le combat entre joueurs est au cœur du jeu.', 'Fighting other players is the point.', 'El combate entre jugadores es lo principal.'),
('PvE', '#84CC16', 'PvE', 'PvE', 'JcE', 'Donjons, quêtes et monstres à plusieurs.', 'Dungeons, quests and monsters together.', 'Mazmorras, misiones y monstruos en grupo.'),
('Roleplay', '#8B5CF6', 'Roleplay', 'Roleplay', 'Rol', 'Chacun joue un personnage et s''y tient.', 'Everyone plays a character and stays in it.', 'Cada uno interpreta a su personaje.'),
('Semi-RP', '#6366F1', 'Semi-RP', 'Semi-RP', 'Semirrol', 'Du roleplay sans les contraintes.', 'Roleplay with a lighter touch.', 'Rol sin tantas exigencias.'),
('Faction', '#F97316', 'Faction', 'Factions', 'Facciones', 'Bases, alliances et pillages.', 'Bases, alliances and raids.', 'Bases, alianzas y saqueos.'),
('Skyblock', '#14B8A6', 'Skyblock', 'Skyblock', 'Skyblock', 'Une île, presque rien, et tout à bâtir.', 'One island, next to nothing, all to build.', 'Una isla, casi nada y todo por construir.'),
('Mini-jeux', '#EC4899', 'Mini-jeux', 'Minigames', 'Minijuegos', 'Des parties courtes, seul ou entre amis.', 'Short rounds, alone or with friends.', 'Partidas cortas, solo o con amigos.'),
('Créatif', '#F59E0B', 'Créatif', 'Creative', 'Creativo', 'De la place et des outils pour bâtir.', 'Room and tools to build.', 'Espacio y herramientas para construir.'),
('Moddé', '#8B5CF6', 'Moddé', 'Modded', 'Con mods', 'Un contenu que le jeu d''origine n''a pas.', 'Content the original game does not have.', 'Contenido que el juego original no tiene.'),
('Vanilla', '#84CC16', 'Vanilla', 'Vanilla', 'Vanilla', 'Le jeu tel qu''il est, sans ajout.', 'The game as it is, nothing added.', 'El juego tal cual, sin añadidos.'),
('Hardcore', '#EF4444', 'Hardcore', 'Hardcore', 'Extremo', 'Une erreur coûte cher.', 'Mistakes are expensive.', 'Cada error se paga caro.'),
('Économie', '#F59E0B', 'Économie', 'Economy', 'Economía', 'Métiers, commerces et marchés.', 'Jobs, shops and markets.', 'Oficios, tiendas y mercados.'),
('Débutants bienvenus', '#3B82F6', 'Débutants bienvenus', 'Beginners welcome', 'Apto para novatos', 'On vous explique, personne ne se moque.', 'You get help, nobody laughs.', 'Te ayudan y nadie se burla.'),
('Compétitif', '#F97316', 'Compétitif', 'Competitive', 'Competitivo', 'Classements, tournois et saisons.', 'Ladders, tournaments and seasons.', 'Clasificaciones, torneos y temporadas.'),
('Drop élevé', '#EC4899', 'Drop élevé', 'High rates', 'Tasas altas', 'La progression va vite.', 'You get on quickly.', 'Se avanza rápido.'),
('Drop officiel', '#6366F1', 'Drop officiel', 'Low rates', 'Tasas bajas', 'La progression prend son temps.', 'Progress takes its time.', 'El progreso lleva su tiempo.'),
('Événements', '#14B8A6', 'Événements', 'Events', 'Eventos', 'Des animations chaque semaine.', 'Something on every week.', 'Actividades todas las semanas.'),
('Whitelist', '#3B82F6', 'Whitelist', 'Whitelist', 'Lista blanca', 'On entre sur candidature.', 'Entry by application.', 'Se entra con solicitud.'),
('Multilingue', '#10B981', 'Multilingue', 'Multilingual', 'Multilingüe', 'On y parle plusieurs langues.', 'Several languages are spoken.', 'Se hablan varios idiomas.');

update public.server_tags set description = description_fr;

-- Tags that people propose.
create table public.tag_proposals (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    description text,
    color text not null,
    proposed_by uuid not null default auth.uid() references public.profiles (id) on delete cascade,
    status text not null default 'pending',
    admin_notes text,
    reviewed_by uuid references public.profiles (id) on delete set null,
    reviewed_at timestamptz,
    tag_id uuid references public.server_tags (id) on delete set null,
    created_at timestamptz not null default now(),
    constraint tag_proposals_name_length check (char_length(name) <= 30 and char_length(btrim(name)) >= 1),
    constraint tag_proposals_description_length check (char_length(description) <= 200),
    constraint tag_proposals_color check (color in (
        '#3B82F6', '#EF4444', '#10B981', '#F59E0B', '#8B5CF6', '#EC4899', '#14B8A6', '#F97316', '#84CC16', '#6366F1'
    )),
    constraint tag_proposals_status check (status in ('pending', 'approved', 'rejected')),
    constraint tag_proposals_admin_notes_length check (char_length(admin_notes) <= 1000)
);

alter table public.tag_proposals enable row level security;

create index tag_proposals_newest_idx on public.tag_proposals (created_at desc);
create index tag_proposals_proposer_idx on public.tag_proposals (proposed_by);
create index tag_proposals_pending_idx on public.tag_proposals (created_at) where status = 'pending';
