-- Demonstration data. The files of this folder run in the order of their names, in one transaction, after the five
-- demonstration accounts were made. Everything is derived from the rows written here and from now(): no chance.
-- Every id begins with de300000, which is how demo_remove.sql finds the rows again.

-- What is sorted and counted here stays in memory.
set local work_mem = '64MB';

-- Loaded before: only rows that went missing are added again, and no vote is cast twice.
create temporary table demo_state on commit drop as
select
    not exists (select from public.servers where id::text like 'de300000-%') as is_new,
    public.site_today() as today,
    public.setting_text('site_timezone', 'Europe/Paris') as timezone;

create temporary table demo_listing (
    n integer primary key,
    game text not null,
    language text not null,
    name text not null,
    version text,
    address text not null,
    -- Votes on an ordinary day.
    popularity integer not null,
    players integer not null,
    max_players integer not null,
    age_days integer not null,
    logo integer not null,
    tags text[] not null,
    description text not null
) on commit drop;

-- The same pseudo-random number in [0, 1) for the same words, in every run.
create or replace function pg_temp.chance(variadic words text[]) returns double precision
language sql immutable
as $$
    select ('x' || left(md5(array_to_string(words, '/')), 8))::bit(32)::bigint::double precision / 4294967296
$$;

-- The same of words that stand joined by '/' already. Nothing in it is less than immutable, so the planner writes it out where
-- it is called, which for tens of thousands of rows takes a tenth of the time.
create or replace function pg_temp.chance(word text) returns double precision
language sql immutable
as $$
    select ('x' || left(md5(word), 8))::bit(32)::bigint::double precision / 4294967296
$$;

create or replace function pg_temp.demo_id(kind integer, n integer) returns uuid
language sql immutable
as $$
    select ('de300000-' || lpad(kind::text, 4, '0') || '-4000-8000-' || lpad(n::text, 12, '0'))::uuid
$$;

create or replace function pg_temp.account(name text) returns uuid
language sql stable
as $$
    select id from public.profiles where email = name || '@palmares.test'
$$;

update public.profiles set role = 'founder' where id = pg_temp.account('founder') and role <> 'founder';
update public.profiles set role = 'admin' where id = pg_temp.account('admin') and role <> 'admin';
