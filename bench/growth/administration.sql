-- The administration's data of a grown site, loaded after growth.sql in the same session: accounts that
-- own the servers (growth.accounts), reports and as many payments (growth.reports), tag proposals, the
-- audit log and security events.
set session_replication_role = replica;

create function pg_temp.account_id(n bigint) returns uuid
language sql immutable
as $$
    select md5('growth account ' || n)::uuid
$$;

insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
select pg_temp.account_id(n), 'authenticated', 'authenticated', 'player-' || n || '@growth.example', made.at, made.at, made.at
from generate_series(1, current_setting('growth.accounts')::bigint) as n
cross join lateral (
    select now() - make_interval(mins => (pg_temp.chance('account', n) * 2000000)::integer) as at
) as made;

insert into public.profiles (id, username, email, is_banned, ban_reason, created_at)
select
    pg_temp.account_id(n), 'Joueur ' || n, 'player-' || n || '@growth.example',
    n % 500 = 0, case when n % 500 = 0 then 'Publicité répétée' end,
    now() - make_interval(mins => (pg_temp.chance('account', n) * 2000000)::integer)
from generate_series(1, current_setting('growth.accounts')::bigint) as n;

update public.servers as s
set owner_id = pg_temp.account_id(
    1 + floor(pg_temp.chance('owner', hashtext(s.slug)) * current_setting('growth.accounts')::bigint)::bigint
)
where s.slug like 'growth-%';

insert into public.reports (id, server_id, reporter_id, reason, custom_reason, status, resolved_at, created_at)
select
    md5('growth report ' || n)::uuid,
    pg_temp.server_id(1 + floor(pg_temp.chance('reported', n) * current_setting('growth.servers')::bigint)::bigint),
    pg_temp.account_id(1 + floor(pg_temp.chance('reporter', n) * current_setting('growth.accounts')::bigint)::bigint),
    (array['spam', 'fake_server', 'inappropriate_content', 'copyright'])[1 + (n % 4)],
    'Ce serveur n''est pas celui qu''il dit être.',
    case when n % 50 = 0 then 'pending' when n % 3 = 0 then 'dismissed' else 'resolved' end,
    case when n % 50 <> 0 then now() end,
    now() - make_interval(mins => (pg_temp.chance('report', n) * 500000)::integer)
from generate_series(1, current_setting('growth.reports')::bigint) as n;

insert into public.tag_proposals (name, description, color, proposed_by, status, created_at)
select
    'Proposé ' || n, 'Un tag de plus.', '#3B82F6', pg_temp.account_id(n),
    case when n % 20 = 0 then 'pending' when n % 2 = 0 then 'approved' else 'rejected' end,
    now() - make_interval(hours => n::integer)
from generate_series(1, 2000) as n;

insert into public.payments (
    kind, user_id, server_id, days, unit_price_cents, amount_cents, state, provider, session_id,
    created_at, expires_at, paid_at, covers_from, covers_until
)
select
    'prestige', pg_temp.account_id(1 + n % current_setting('growth.accounts')::bigint), pg_temp.server_id(1 + n % 1000),
    30, 100, 3000, 'paid', 'stripe', 'growth-' || n, made.at, made.at + interval '30 minutes', made.at, made.at,
    made.at + interval '30 days'
from generate_series(1, current_setting('growth.reports')::bigint) as n
cross join lateral (
    select now() - make_interval(mins => (pg_temp.chance('payment', n) * 1000000)::integer) as at
) as made;

insert into public.audit_log (
    created_at, actor_id, actor_name, action, subject_kind, subject_id, subject_label, person_id, person_name, before, after
)
select
    now() - make_interval(mins => (current_setting('growth.accounts')::bigint - n)::integer), pg_temp.account_id(1), 'Ada', 'changed', 'servers',
    pg_temp.server_id(1 + n % 1000)::text, 'Loup Noire ' || n, pg_temp.account_id(n), 'Joueur ' || n,
    '{"is_approved": false}', '{"is_approved": true}'
from generate_series(1, current_setting('growth.accounts')::bigint) as n;

insert into public.security_events (event_type, event_data, user_id, created_at)
select
    (array['login_failed', 'vote_refused', 'token_regenerated', 'role_changed'])[1 + (n % 4)], '{}',
    pg_temp.account_id(1 + n % current_setting('growth.accounts')::bigint), now() - make_interval(mins => (current_setting('growth.accounts')::bigint - n)::integer)
from generate_series(1, current_setting('growth.accounts')::bigint) as n;

analyze auth.users;
analyze public.profiles;
analyze public.servers;
analyze public.reports;
analyze public.tag_proposals;
analyze public.payments;
analyze public.audit_log;
analyze public.security_events;

reset session_replication_role;
