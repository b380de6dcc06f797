-- Arcade spots, contests, partners, and what owners and voters left in the queues of the administrators.
insert into public.arcade_spots (
    id, server_id, position, start_date, end_date, image_url, website_url, price_per_day, total_amount, status,
    booked_by
)
select
    pg_temp.demo_id(3, a.n),
    pg_temp.demo_id(0, a.server),
    a.position,
    public.site_today() + a.starts,
    public.site_today() + a.ends,
    '/pictures/demo/banners/' || a.banner || '.svg',
    a.website,
    1000,
    1000 * (a.ends - a.starts + 1),
    a.status,
    pg_temp.account(a.account)
from (
    values
    (1, 27, 1, -4, 9, 2, 'https://www.baiedesbrumesrp.example', 'active', 'owner'),
    (2, 68, 2, -2, 11, 4, 'https://www.stonewake.example', 'active', 'owner2'),
    (3, 32, 3, -6, 4, 6, 'https://www.santamarearp.example', 'active', null),
    (4, 53, 1, 12, 18, 3, 'https://www.lagedecuivre.example', 'paid', 'owner')
) as a (n, server, position, starts, ends, banner, website, status, account)
on conflict do nothing;

insert into public.payments (
    id, kind, server_id, spot_id, user_id, days, unit_price_cents, amount_cents, begins_at_once, state, provider,
    session_id, created_at, expires_at, paid_at, covers_from, covers_until
)
select
    pg_temp.demo_id(7, a.position * 10 + (a.status = 'paid')::integer), 'arcade', a.server_id, a.id, a.booked_by,
    a.end_date - a.start_date + 1, a.price_per_day, a.total_amount, true, 'paid', 'test', 'demo-spot-' || a.id,
    booked.at, booked.at + interval '30 minutes', booked.at, public.day_begins(a.start_date),
    public.day_begins(a.end_date + 1)
from public.arcade_spots as a
cross join lateral (
    select least(now() - interval '2 days', public.day_begins(a.start_date) - interval '1 day') as at
) as booked
where a.booked_by is not null and a.id in (select pg_temp.demo_id(3, n) from generate_series(1, 4) as n)
on conflict do nothing;

insert into public.competitive_events (
    id, name, name_en, name_es, description, description_en, description_es, start_date, end_date, is_finished, is_success, finished_at, target_votes, winner_count,
    prestige_days
)
select
    pg_temp.demo_id(4, e.n),
    e.name,
    e.name_en,
    e.name_es,
    e.description,
    e.description_en,
    e.description_es,
    date_trunc('hour', now()) + make_interval(days => e.starts),
    date_trunc('hour', now()) + make_interval(days => e.ends),
    e.is_finished,
    case when e.is_finished then true end,
    case when e.is_finished then date_trunc('hour', now()) + make_interval(days => e.ends, hours => 1) end,
    e.target,
    3,
    7
from (
    values
    (
        1, 'La Ruée', 'The Rush', 'La Carrera',
        'Ensemble, les dix premiers doivent réunir 5 000 votes. Les trois meilleurs gagnent sept jours de Prestige.',
        'Together, the first ten have to reach 5,000 votes. The best three win seven days of Prestige.',
        'Los diez primeros deben reunir 5000 votos entre todos. Los tres mejores ganan siete días de Prestige.',
        -9, 5, false, 5000
    ),
    (
        2, 'Le Sprint', 'The Sprint', 'El Sprint', 'Une semaine, tous les jeux, un seul classement.',
        'One week, every game, a single ranking.', 'Una semana, todos los juegos, una sola clasificación.',
        -28, -21, true, 1500
    )
) as e (
    n, name, name_en, name_es, description, description_en, description_es, starts, ends, is_finished, target
)
on conflict do nothing;

insert into public.competitive_event_participations (event_id, server_id, votes_count, final_rank)
select
    counted.event_id,
    counted.server_id,
    counted.votes,
    case
        when counted.is_finished
            then row_number() over (partition by counted.event_id order by counted.votes desc, counted.server_id)
    end
from (
    select e.id as event_id, e.is_finished, v.server_id, count(*)::integer as votes
    from public.competitive_events as e
    inner join public.votes as v on v.voted_at >= e.start_date and v.voted_at < e.end_date
    where e.id in (pg_temp.demo_id(4, 1), pg_temp.demo_id(4, 2)) and v.server_id::text like 'de300000-%'
    group by e.id, e.is_finished, v.server_id
) as counted
where (select is_new from demo_state)
on conflict do nothing;

update public.competitive_event_participations as p
set prize_days = e.prestige_days
from public.competitive_events as e
where e.id = pg_temp.demo_id(4, 2) and e.id = p.event_id and p.final_rank <= e.winner_count;

update public.competitive_events as e
set
    finished_by = 'job',
    total_votes = (
        select coalesce(sum(p.votes_count), 0)
        from public.competitive_event_participations as p
        where p.event_id = e.id and p.final_rank <= 10
    )
where e.id = pg_temp.demo_id(4, 2);

-- Where the ten best stood when each day ended.
with daily as (
    select
        e.id as event_id,
        v.server_id,
        (v.voted_at at time zone (select timezone from demo_state))::date as day,
        count(*) as votes
    from public.competitive_events as e
    inner join public.votes as v on v.voted_at >= e.start_date and v.voted_at < e.end_date
    where
        e.id in (pg_temp.demo_id(4, 1), pg_temp.demo_id(4, 2))
        and v.server_id::text like 'de300000-%'
        and (select is_new from demo_state)
    group by 1, 2, 3
),
placed as (
    select
        days.event_id,
        days.day,
        daily.server_id,
        sum(daily.votes)::integer as votes,
        row_number() over (
            partition by days.event_id, days.day order by sum(daily.votes) desc, daily.server_id
        ) as place
    from (select distinct event_id, day from daily) as days
    inner join daily on daily.event_id = days.event_id and daily.day <= days.day
    group by days.event_id, days.day, daily.server_id
)
insert into public.competitive_event_places (event_id, day, server_id, place, votes_count)
select event_id, day, server_id, place, votes
from placed
where place <= 10
on conflict do nothing;

insert into public.partners (id, name, url, description, position, backlink_url, backlink_found, backlink_fault, backlink_checked_at, backlink_asked_at)
values
(pg_temp.demo_id(5, 1), 'Lanterne Hébergement', 'https://www.lanterne-hebergement.example', 'Machines de jeu en France, facturées à l''heure.', 10, 'https://www.lanterne-hebergement.example/partenaires', true, null, now() - interval '2 hours', now() - interval '3 hours'),
(pg_temp.demo_id(5, 2), 'Le Carnet du Joueur', 'https://www.carnetdujoueur.example', 'Guides et entretiens, sans publicité.', 20, 'https://www.carnetdujoueur.example/liens', true, 'nofollow', now() - interval '2 hours', now() - interval '3 hours'),
(pg_temp.demo_id(5, 3), 'Forja Gráfica', 'https://www.forjagrafica.example', 'Logos y banners para comunidades.', 30, 'https://www.forjagrafica.example/amigos', false, 'no_link', now() - interval '2 hours', now() - interval '3 hours'),
(pg_temp.demo_id(5, 4), 'Patchnotes Weekly', 'https://www.patchnotesweekly.example', 'What changed in your games, every Friday.', 40, null, null, null, null, now())
on conflict do nothing;

insert into public.payments (
    id, kind, server_id, user_id, days, unit_price_cents, amount_cents, begins_at_once, state, provider, session_id,
    created_at, expires_at, paid_at, covers_from, covers_until
)
select
    pg_temp.demo_id(6, p.n), 'prestige', pg_temp.demo_id(0, p.server), pg_temp.account(p.account), p.days, p.unit,
    p.days * p.unit, true, 'paid', 'test', 'demo-' || p.n, paid.at, paid.at + interval '30 minutes', paid.at, paid.at,
    paid.at + make_interval(days => p.days)
from (
    values
    (1, 27, 'owner', 90, 90, 29), (2, 1, 'owner', 30, 100, 6), (3, 53, 'owner', 30, 100, 18),
    (4, 68, 'owner2', 60, 95, 15), (5, 110, 'owner2', 30, 100, 3)
) as p (n, server, account, days, unit, ago)
cross join lateral (select now() - make_interval(days => p.ago) as at) as paid
on conflict do nothing;

-- Each with its paper.
do $$
declare
    v_payment public.payments;
begin
    for v_payment in
        select p.* from public.payments as p
        where p.id::text like 'de300000-%' and p.state = 'paid'
            and not exists (select from public.payment_receipts as r where r.payment_id = p.id)
        order by p.paid_at
    loop
        perform public.issue_payment_receipt(v_payment, 'receipt', v_payment.amount_cents);
    end loop;
end
$$;

insert into public.tag_proposals (id, name, description, color, proposed_by, created_at)
select pg_temp.demo_id(8, t.n), t.name, t.description, t.color, t.account, now() - make_interval(days => t.ago)
from (
    values
    (1, 'Speedrun', 'Serveurs avec chronos et classements de vitesse.', '#F97316', pg_temp.account('player'), 2),
    (2, 'Parkour', 'Des parcours, du premier saut au plus fou.', '#14B8A6', pg_temp.account('owner'), 5),
    (3, 'Cozy', 'Slow, friendly, no combat.', '#EC4899', pg_temp.account('owner2'), 9)
) as t (n, name, description, color, account, ago)
where t.account is not null
on conflict do nothing;

insert into public.reports (id, server_id, comment_id, reporter_id, reason, custom_reason, created_at)
select pg_temp.demo_id(9, r.n), r.server, r.comment, r.account, r.reason, r.words, now() - make_interval(days => r.ago)
from (
    values
    (1, pg_temp.demo_id(0, 80), null::uuid, pg_temp.account('player'), 'fake_server', null, 1),
    (2, pg_temp.demo_id(0, 106), null, pg_temp.account('owner2'), 'other', 'L''adresse indiquée mène à un autre serveur depuis mardi.', 3),
    (3, pg_temp.demo_id(0, 1), pg_temp.demo_id(1, 103), pg_temp.account('player'), 'spam', null, 4)
) as r (n, server, comment, account, reason, words, ago)
where r.account is not null and exists (select from public.servers where id = r.server)
    and (r.comment is null or exists (select from public.reviews where id = r.comment))
on conflict do nothing;

insert into public.webhooks (id, server_id, url, secret, is_active)
select pg_temp.demo_id(10, 1), id, 'https://hooks.loupgarde.example/votes', 'a-secret-for-the-demonstration', false
from public.servers
where id = pg_temp.demo_id(0, 1)
on conflict do nothing;

do $$
begin
    perform public.refresh_game_figures();
    perform public.refresh_tag_figures();
end
$$;
