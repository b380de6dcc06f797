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
('Multilingue', '#10B981', 'Multilingue', 'Multilingual', 'Multilingüe', 'On y parle plusieurs langues.', 'Several languages are spoken.', 'Se hablan varios idiomas.')
on conflict do nothing;

update public.server_tags set description = description_fr where description is null;
