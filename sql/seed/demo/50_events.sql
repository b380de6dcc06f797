-- What is on: running and coming events, in the three languages of the site.
create temporary table demo_happening (
    n integer primary key,
    event_type text not null,
    title_fr text not null,
    title_en text not null,
    title_es text not null,
    description_fr text not null,
    description_en text not null,
    description_es text not null
) on commit drop;

insert into demo_happening values
(1, 'double_xp', 'Week-end expérience doublée', 'Double experience weekend', 'Fin de semana de experiencia doble', 'Du vendredi 18 h au dimanche minuit, pour tout le monde.', 'From Friday 6 pm to Sunday midnight, for everyone.', 'Del viernes a las 18:00 al domingo a medianoche, para todos.'),
(2, 'tournament', 'Tournoi des trois vents', 'Tournament of the three winds', 'Torneo de los tres vientos', 'Équipes de trois, inscriptions sur place, finale commentée.', 'Teams of three, sign up on the spot, commentated final.', 'Equipos de tres, inscripción en el momento y final comentada.'),
(3, 'new_season', 'Ouverture de la nouvelle saison', 'New season opens', 'Arranca la nueva temporada', 'Nouvelle carte, classement remis à zéro, récompenses de saison remises aux anciens.', 'New map, fresh ladder, and last season''s rewards handed out.', 'Mapa nuevo, clasificación a cero y premios de la temporada anterior.'),
(4, 'giveaway', 'Calendrier des cadeaux', 'Gift calendar', 'Calendario de regalos', 'Un cadeau par jour à la connexion, sans rien acheter.', 'One gift a day for logging in, nothing to buy.', 'Un regalo al día por entrar, sin comprar nada.'),
(5, 'boss', 'La bête du lac', 'The beast of the lake', 'La bestia del lago', 'Un boss de monde, une heure, quarante joueurs au moins.', 'A world boss, one hour, forty players at least.', 'Un jefe mundial, una hora y al menos cuarenta jugadores.'),
(6, 'building', 'Concours : un phare', 'Contest: a lighthouse', 'Concurso: un faro', 'Deux semaines pour bâtir, trois jours pour voter.', 'Two weeks to build, three days to vote.', 'Dos semanas para construir y tres días para votar.'),
(7, 'community', 'Soirée portes ouvertes', 'Open evening', 'Noche de puertas abiertas', 'Venez visiter, l''équipe répond à toutes vos questions.', 'Come and look around, the team answers every question.', 'Ven a conocer el servidor, el equipo responde a todo.'),
(8, 'pvp', 'La bataille du col', 'Battle of the pass', 'La batalla del paso', 'Deux camps, un drapeau, aucune perte d''équipement.', 'Two sides, one flag, no gear lost.', 'Dos bandos, una bandera y nadie pierde su equipo.'),
(9, 'drop_boost', 'Butin généreux', 'Generous loot', 'Botín generoso', 'Toutes les chances de butin augmentées de moitié.', 'All drop chances raised by half.', 'Todas las probabilidades de botín suben la mitad.'),
(10, 'update', 'Grande mise à jour d''hiver', 'Big winter update', 'Gran actualización de invierno', 'Deux nouvelles zones, un métier et cent corrections.', 'Two new zones, one profession and a hundred fixes.', 'Dos zonas nuevas, un oficio y cien correcciones.');

-- Listings with Prestige have one to three, a few others one; some run now, some are still to come.
insert into public.server_events (
    id, server_id, event_type_key, title_fr, title_en, title_es, description_fr, description_en, description_es,
    start_date, end_date, created_at, updated_at
)
select
    pg_temp.demo_id(2, s.n * 100 + h.n),
    s.id,
    h.event_type,
    h.title_fr,
    h.title_en,
    h.title_es,
    h.description_fr,
    h.description_en,
    h.description_es,
    date_trunc('hour', now()) + interval '1 day' * (h.place * 4 - 5) - interval '1 hour' * (s.n % 20),
    date_trunc('hour', now()) + interval '1 day' * (h.place * 4 - 1 + s.n % 3),
    now() - interval '6 days',
    now() - interval '6 days'
from (
    select
        l.n,
        listed.id,
        case when listed.is_sponsored and listed.prestige_expires_at > now() then 1 + l.n % 3 else 1 end as wanted
    from demo_listing as l
    inner join public.servers as listed on listed.id = pg_temp.demo_id(0, l.n)
    where (listed.is_sponsored and listed.prestige_expires_at > now()) or l.n % 9 = 4
) as s
cross join lateral (
    select happening.*, row_number() over (order by md5(s.n || '/' || happening.n)) as place
    from demo_happening as happening
) as h
where h.place <= s.wanted
on conflict do nothing;
