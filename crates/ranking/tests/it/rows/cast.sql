-- The personas and rows of the tests of row security. it.id('open') is the id of the row that is
-- named open.
create schema it;
create function it.id(name text) returns uuid language sql immutable as $$ select md5(name)::uuid $$;
grant usage on schema it to anon, authenticated, service_role;

insert into auth.users (id, email, raw_user_meta_data)
select it.id(name), name || '@example.test', jsonb_build_object('username', name)
from unnest('{stan,olga,boris,ada,fanny,second}'::text[]) as people (name);
update public.profiles set role = 'admin' where username = 'ada';
update public.profiles set role = 'founder' where username in ('fanny', 'second');
update public.profiles set is_banned = true where username = 'boris';

update public.site_settings set setting_value = '6' where setting_key = 'base_server_limit';
insert into public.games (id, name, is_active) values (it.id('game'), 'A game', true), (it.id('gone'), 'Gone', false);
insert into public.server_tags (id, name, color, name_fr, name_en, name_es)
values (it.id('tag'), 'a tag', '#3B82F6', 'a', 'b', 'c');

insert into public.servers (id, name, game_id, owner_id, is_approved, is_hidden, hidden_reason)
values
(it.id('open'), 'Open', it.id('game'), it.id('olga'), true, false, null),
(it.id('waiting'), 'Waiting', it.id('game'), it.id('olga'), false, false, null),
(it.id('off'), 'Off', it.id('game'), it.id('olga'), true, true, 'moderation'),
(it.id('borises'), 'Borises', it.id('game'), it.id('boris'), true, false, null),
(it.id('free'), 'Nobody''s', it.id('game'), null, true, false, null);

insert into public.reviews (id, server_id, user_id, rating, comment, is_anonymous, is_hidden)
values
(it.id('review'), it.id('open'), it.id('stan'), 5, 'good', false, false),
(it.id('whisper'), it.id('free'), it.id('stan'), 2, 'meh', true, false),
(it.id('hidden review'), it.id('borises'), it.id('stan'), 1, 'rude', false, true),
(it.id('review of waiting'), it.id('waiting'), it.id('stan'), 4, 'soon', false, false);

insert into public.review_answers (review_id, comment) values (it.id('review'), 'thanks');

insert into public.reports (id, server_id, reporter_id, reason) values (it.id('report'), it.id('open'), it.id('stan'), 'spam');
insert into public.report_notices (report_id, name, email, language, explanation, received_at)
values (it.id('report'), 'Ada', 'ada@notice.example', 'en', 'The banner is ours', now());
insert into public.tag_proposals (id, name, color, proposed_by) values (it.id('proposal'), 'new', '#EF4444', it.id('stan'));

insert into public.votes (id, server_id, user_id, nickname, ip_hash, was_signed_in)
values
(it.id('vote'), it.id('open'), it.id('stan'), 'stan', 'hash', true),
(it.id('guest vote'), it.id('open'), null, 'guest', 'hash', false);
insert into public.server_daily_counts (server_id, day, votes) values (it.id('open'), '2026-01-01', 3), (it.id('off'), '2026-01-01', 3);
insert into public.site_figures (day, figure, amount, counted_at) values ('2025-12-31', 'servers', 1, now());
insert into public.server_status_days (server_id, day, method, hours)
values (it.id('open'), '2026-01-01', 'tcp', array_fill(0, array[24])), (it.id('off'), '2026-01-01', 'tcp', array_fill(0, array[24]));
insert into public.server_monthly_votes (server_id, month, votes) values (it.id('open'), '2026-01-01', 3), (it.id('off'), '2026-01-01', 3);
insert into public.push_subscriptions (id, user_id, endpoint, p256dh, auth, language)
values (it.id('phone'), it.id('stan'), 'https://push.example/stan', decode(repeat('04', 65), 'hex'), decode(repeat('01', 16), 'hex'), 'fr');
insert into public.podium_months (month) values ('2026-01-01');
insert into public.month_podiums (game_id, month, place, server_id, server_name, votes)
values
(it.id('game'), '2026-01-01', 1, it.id('open'), 'Open', 3), (it.id('game'), '2026-01-01', 2, it.id('off'), 'Off', 3),
(it.id('game'), '2026-01-01', 3, null, 'Gone', 2);
insert into public.server_clicks (server_id) values (it.id('open')), (it.id('off'));

insert into public.event_types (key, name_fr, name_en, name_es) values ('kind', 'a', 'b', 'c');
insert into public.server_events (id, server_id, event_type_key, title_fr, start_date, end_date, is_active)
values
(it.id('event'), it.id('open'), 'kind', 'Fête', now(), now() + interval '1 day', true),
(it.id('past event'), it.id('open'), 'kind', 'Fini', now(), now() + interval '1 day', false),
(it.id('event of off'), it.id('off'), 'kind', 'Caché', now(), now() + interval '1 day', true);

insert into public.webhooks (id, server_id, url, secret)
values (it.id('hook'), it.id('open'), 'https://hook.example/', 'a long secret');
insert into public.votifier_configs (id, server_id, host, token) values (it.id('votifier'), it.id('open'), 'mc.example', 'token');
insert into public.deliveries (id, server_id, channel, payload) values (it.id('delivery'), it.id('open'), 'webhook', '{}');

insert into public.prestige_pass_days (id, user_id, milestone) values (it.id('pass'), it.id('olga'), 1000);

insert into public.arcade_spots (id, position, start_date, end_date, image_url, status, booked_by)
values
(it.id('spot'), 1, public.site_today(), public.site_today(), '/a.png', 'active', null),
(it.id('booking'), 2, public.site_today(), public.site_today(), '/b.png', 'pending', it.id('olga')),
(it.id('old spot'), 1, public.site_today() - 2, public.site_today() - 1, '/c.png', 'active', null);

insert into public.payments (
    id, kind, server_id, spot_id, user_id, days, unit_price_cents, amount_cents, expires_at, look_at
)
values
(it.id('payment'), 'prestige', it.id('open'), null, it.id('olga'), 7, 100, 700, now() + interval '1 hour', now()),
(it.id('payment of booking'), 'arcade', null, it.id('booking'), it.id('olga'), 1, 1000, 1000, now() + interval '1 hour', now());
insert into public.payment_receipts (
    number, kind, payment_id, user_id, buyer_name, buyer_email, issued_at, language, subject, days, unit_price_cents,
    amount_cents, tax_basis_points, tax_cents, currency, seller
)
values (
    1, 'receipt', it.id('payment'), it.id('olga'), 'olga', 'olga@example.test', now(), 'fr', '{}', 7, 100, 700, 0, 0,
    'eur', '{}'
);
update public.payment_receipt_numbers set last = 1;
insert into public.payment_events (provider, event_id, kind) values ('stripe', 'evt', 'charge.refunded');

insert into public.competitive_events (id, name, start_date, end_date, is_active, target_votes)
values
(it.id('contest'), 'On', now(), now() + interval '1 day', true, 10),
(it.id('draft contest'), 'Draft', now(), now() + interval '1 day', false, 10);
insert into public.competitive_event_participations (event_id, server_id, votes_count)
values
(it.id('contest'), it.id('open'), 1), (it.id('contest'), it.id('off'), 1), (it.id('draft contest'), it.id('borises'), 1);
insert into public.competitive_event_places (event_id, day, server_id, place, votes_count)
values
(it.id('contest'), '2026-02-01', it.id('open'), 1, 1),
(it.id('contest'), '2026-02-01', it.id('off'), 2, 1);

insert into public.user_warnings (id, user_id, reason) values (it.id('warning'), it.id('olga'), 'first');
insert into public.ip_bans (id, ip_hash) values (it.id('ban'), repeat('0', 64));
insert into public.voided_votes (id, server_id, voted_at, reason, voided_at)
values (it.id('voided vote'), it.id('open'), now(), 'other', now());
insert into public.refused_nicknames (id, pattern) values (it.id('refused name'), 'bad word');
insert into public.vote_outcomes (server_id, day, reason, votes)
values (it.id('open'), '2026-01-01', 'cooldown', 3), (it.id('off'), '2026-01-01', 'cooldown', 3);
insert into public.security_events (event_type) values ('something');
insert into public.page_errors (release, page, name, stack_hash, frames, first_at, last_at)
values ('B1x', 'home', 'TypeError', repeat('0', 64), '{index.js:1:2}', now(), now());
insert into public.audit_log (actor_id, actor_name, action, subject_kind, subject_id, person_id)
values (it.id('ada'), 'ada', 'changed', 'servers', it.id('open')::text, it.id('olga'));
insert into public.partners (id, name, url, is_active)
values (it.id('partner'), 'One', 'https://one.example', true), (it.id('old partner'), 'Two', 'https://two.example', false);

select public.refresh_game_figures();

insert into public.game_tag_figures (game_id, tag, servers, promoted)
values (it.id('game'), 'PvP', 1, 0), (it.id('gone'), 'PvP', 1, 0);

-- A run of the image optimizer, and its result.
with run as (insert into public.image_runs (retries_failed, total) values (false, 1) returning id)
insert into public.image_checks (name, version, run_id) select 'a.png', '1', run.id from run;
