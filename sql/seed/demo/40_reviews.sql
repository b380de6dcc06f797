-- What players say. Each listing gets a few in its own language; most authors stay anonymous.
create temporary table demo_comment (
    n integer primary key, language text not null, rating integer not null, comment text not null
) on commit drop;

insert into demo_comment (n, language, rating, comment)
values
(1, 'fr', 5, 'Trois ans que j''y suis et je n''ai jamais vu l''équipe se moquer d''un débutant. Rien que pour ça, cinq étoiles.'),
(2, 'fr', 5, 'Très bonne surprise : stable le soir, même quand il y a du monde, et les mises à jour sont expliquées.'),
(3, 'fr', 4, 'Ambiance au top. Il manque juste un peu de contenu une fois tout débloqué, mais les événements compensent.'),
(4, 'fr', 4, 'Bon équilibre, staff réactif. J''aurais aimé un tutoriel plus court.'),
(5, 'fr', 5, 'Je suis venue pour un ami, je suis restée pour les autres. On se sent attendu quand on se connecte.'),
(6, 'fr', 3, 'Correct sans plus : l''idée est bonne mais ça se vide après minuit.'),
(7, 'fr', 5, 'Enfin un serveur où payer ne sert à rien d''autre qu''à faire joli. Merci !'),
(8, 'fr', 4, 'Quelques lenteurs le samedi soir, sinon rien à redire. La modération répond en moins de dix minutes.'),
(9, 'fr', 2, 'Trop strict à mon goût, j''ai été averti pour une blague. Le serveur en lui-même est propre.'),
(10, 'fr', 5, 'La carte est magnifique, on sent le travail. J''ai passé ma première soirée à seulement me promener.'),
(11, 'fr', 4, 'Revenu après un an d''absence, mon compte était toujours là et on m''a reconnu. Ça fait plaisir.'),
(12, 'fr', 5, 'Les événements du dimanche sont devenus un rendez-vous en famille.'),
(13, 'fr', 3, 'Bonne base, mais l''économie s''emballe vite. Une remise à plat ferait du bien.'),
(14, 'fr', 5, 'Rien à dire, sérieux et stable.'),
(21, 'en', 5, 'Came back after two years and the same people greeted me by name. That says it all.'),
(22, 'en', 4, 'Solid uptime, sensible rules, staff that actually plays. The map could use a few more landmarks.'),
(23, 'en', 5, 'Zero pay-to-win, and I have looked hard. Worth your evening.'),
(24, 'en', 4, 'Great on weekdays, a bit crowded on Saturday nights. Still my favourite.'),
(25, 'en', 3, 'Nice concept, but progression slows down a lot after the first week.'),
(26, 'en', 5, 'I asked one question in chat and got three answers and a free boat.'),
(27, 'en', 2, 'Got raided on my first night and quit. I see why people like it, it is just not for me.'),
(28, 'en', 5, 'Changelogs are honest, bugs get fixed within days. Refreshing.'),
(29, 'en', 4, 'Fair, well run, slightly addictive. Lost a star for the Tuesday restart.'),
(30, 'en', 5, 'Best community I have joined in ten years of private servers.'),
(31, 'en', 4, 'The moderators are patient and the anti-cheat works. Loading times could be better.'),
(32, 'en', 3, 'Good when there are people on. Try the evening hours.'),
(41, 'es', 5, 'Llevo un año aquí y cada mes hay algo nuevo. El equipo escucha de verdad.'),
(42, 'es', 4, 'Muy buena conexión desde España y México. Faltaría algún evento más entre semana.'),
(43, 'es', 5, 'Gente amable y cero trampas. Mis hijos juegan conmigo sin problema.'),
(44, 'es', 4, 'Economía equilibrada y reglas claras. El principio se hace un poco largo.'),
(45, 'es', 3, 'Está bien, pero por la mañana hay poca gente.'),
(46, 'es', 5, 'El rol es serio y aun así te ríes. Recomendado para quien quiera historias.'),
(47, 'es', 2, 'Perdí mis cosas por un reinicio y tardaron dos días en devolverlas. Al menos lo hicieron.'),
(48, 'es', 5, 'Los asedios de los viernes son lo mejor que he jugado este año.'),
(49, 'es', 4, 'Buen ambiente, administración presente. Un poco de lag en las horas punta.'),
(50, 'es', 5, 'Sin ventajas de pago, de verdad. Así da gusto.');

-- From none to seven for each listing, the busier the more; one author never writes twice about the same.
-- A listing's sums are brought up to date once, and not by each review.
alter table public.reviews disable trigger reviews_sum;

with written as (
    insert into public.reviews (id, server_id, user_id, rating, comment, is_anonymous, created_at, updated_at)
    select
        pg_temp.demo_id(1, drawn.n * 100 + drawn.place),
        drawn.server_id,
        voter.user_id,
        drawn.rating,
        drawn.comment,
        voter.user_id is null,
        drawn.written_at,
        drawn.written_at
    from (
        select
            l.n,
            s.id as server_id,
            s.owner_id,
            c.rating,
            c.comment,
            (row_number() over (partition by l.n order by md5(l.n || '/' || c.n)))::integer as place,
            least(7, 1 + l.popularity / 5) as wanted,
            now() - interval '1 day' * (1 + floor(least(l.age_days - 2, 300) * pg_temp.chance('said', l.name, c.n::text)))
            - interval '1 hour' * (pg_temp.chance('hour', l.name, c.n::text) * 20) as written_at
        from demo_listing as l
        inner join public.servers as s on s.id = pg_temp.demo_id(0, l.n)
        inner join demo_comment as c on c.language = l.language
    ) as drawn
    -- The first two of a listing speak under a name, if it is not the owner's; the others do not.
    left join demo_voter as voter
        on voter.place = (drawn.n + drawn.place) % 5 and drawn.place <= 2 and voter.user_id is distinct from drawn.owner_id
    where drawn.place <= drawn.wanted
    on conflict do nothing
    returning server_id, rating, is_hidden
),
summed as (
    select server_id, count(*)::integer as reviews, sum(rating)::integer as ratings
    from written
    where not is_hidden
    group by server_id
)
update public.servers as s
set review_count = s.review_count + summed.reviews, rating_sum = s.rating_sum + summed.ratings
from summed
where s.id = summed.server_id;

alter table public.reviews enable trigger reviews_sum;

-- What owners say to it: a word of thanks, or where something was missing, what they did about it.
insert into public.review_answers (review_id, comment, created_at, updated_at)
select
    r.id,
    a.comment,
    least(r.created_at + interval '19 hours', now()),
    least(r.created_at + interval '19 hours', now())
from public.reviews as r
inner join demo_listing as l on pg_temp.demo_id(0, l.n) = r.server_id
inner join (
    values
    ('fr', true, 'Merci pour ce retour ! On transmet à toute l''équipe.'),
    ('fr', false, 'Vous avez raison, et c''est corrigé depuis la mise à jour de lundi. Repassez nous voir, on en reparle volontiers.'),
    ('en', true, 'Thank you, this made the whole team''s evening.'),
    ('en', false, 'Fair point. The last update changed this; have another look and tell us on Discord what you think.'),
    ('es', true, '¡Gracias! Se lo hemos leído a todo el equipo.'),
    ('es', false, 'Tienes razón: lo cambiamos en la última actualización. Vuelve cuando quieras y cuéntanos qué tal.')
) as a (language, happy, comment) on a.language = l.language and a.happy = (r.rating >= 4)
where pg_temp.chance('answered', r.id::text) < 0.4
on conflict do nothing;
