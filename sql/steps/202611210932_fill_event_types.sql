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
('seasonal', 'Événement saisonnier', 'Seasonal event', 'Evento de temporada', 'snowflake', '#14B8A6')
on conflict do nothing;
