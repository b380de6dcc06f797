-- A year of votes: by day for as long as a listing is old, one by one for the last month.

-- Who votes. The first five are the accounts, the others guests; the further up, the more often.
create temporary table demo_voter (
    place integer primary key,
    nickname text not null,
    user_id uuid,
    ip_hash text not null generated always as (md5('demo voter ' || place) || md5('demo address ' || place)) stored
) on commit drop;

insert into demo_voter (place, nickname, user_id)
select
    (row_number() over (order by md5(firsts.word || lasts.word)) - 1)::integer + 5,
    firsts.word || lasts.word
    || case when pg_temp.chance('number', firsts.word, lasts.word) < 0.4
        then (10 + pg_temp.chance('which', firsts.word, lasts.word) * 89)::integer::text else '' end,
    null
from unnest(
    '{Brume,Kael,Lupo,Mirto,Nox,Oria,Pyro,Quill,Rusty,Saphi,Tundra,Ulric,Vesper,Wick,Yuna,Zeph,Astra,Boreal,Cobalt,
    Drako,Ember,Faro,Grim,Hazel,Indigo,Jade}'::text[]
) as firsts (word)
cross join unnest(
    '{_fr,lys,Moon,wolf,_ttv,dor,Fox,ix,gamer,rune,Storm,elle,Pixel,zen,Rex,_es,vault,nova,Craft,byte,owl,lune}'::text[]
) as lasts (word);

insert into demo_voter (place, nickname, user_id)
values
(0, 'Octave', pg_temp.account('owner')),
(1, 'Pablo', pg_temp.account('player')),
(2, 'Olivia', pg_temp.account('owner2')),
(3, 'Fanny', pg_temp.account('founder')),
(4, 'Ada', pg_temp.account('admin'));

-- How many votes and visits each day had: more on weekends, each listing with its own ups and downs.
create temporary table demo_day on commit drop as
select
    l.server_id,
    l.n,
    l.today - ago.days as day,
    ago.days,
    round(
        l.popularity
        * case date_part('isodow', l.today - ago.days)
            when 6 then 1.3 when 7 then 1.35 when 3 then 1.1 else 0.88
        end
        * (1 + 0.22 * sin(ago.days / (9.0 + l.n % 11) + l.n))
        -- Younger listings grow towards today, older ones are where they are.
        * case when l.age_days < 400 then 1 - 0.7 * ago.days / 400.0 else 1 - 0.25 * ago.days / 400.0 end
        * (0.78 + 0.44 * pg_temp.chance('day/' || l.n || '/' || ago.days))
        -- Today is not over yet.
        * case
            when ago.days = 0
                then extract(epoch from now() - (l.today::timestamp at time zone l.timezone)) / 86400.0
            else 1
        end
    )::integer as votes,
    -- Only those of the last week are written down.
    case when ago.days between 1 and 7
        then round(l.popularity * (1.2 + 1.4 * pg_temp.chance('visits/' || l.n || '/' || ago.days)))::integer
        else 0
    end as visits
from (
    select s.id as server_id, listed.n, listed.popularity, listed.age_days, state.today, state.timezone
    from demo_listing as listed
    inner join demo_state as state on state.is_new
    inner join public.servers as s on s.id = pg_temp.demo_id(0, listed.n)
) as l
cross join lateral generate_series(0, least(l.age_days - 1, 364)) as ago (days);

-- Into tables that were empty, tens of thousands of rows: their indexes are made once, behind the rows, and servers and
-- accounts that the rows were made from are not looked up again, where the login may say so (a superuser's).
create temporary table demo_index on commit drop as
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
from pg_index
where
    indrelid in ('public.server_daily_counts'::regclass, 'public.votes'::regclass, 'public.server_clicks'::regclass)
    and not indisunique
    and not exists (select from public.votes)
    and not exists (select from public.server_daily_counts);

do $$
declare
    v_name text;
begin
    for v_name in select name from demo_index loop
        execute 'drop index ' || v_name;
    end loop;
end
$$;

do $$
begin
    set local session_replication_role = replica;
exception
    when insufficient_privilege then null;
end
$$;

insert into public.server_daily_counts (server_id, day, votes, clicks)
select server_id, day, votes, visits
from demo_day
where votes > 0;

-- Evenings are busier than mornings. Nobody votes in the last minutes and no account in the last hours, so that a
-- visitor's first try is never refused.
insert into public.votes (id, server_id, user_id, nickname, ip_hash, was_signed_in, voted_at)
select
    ('de300000-' || substr(v.digest, 1, 4) || '-4' || substr(v.digest, 5, 3) || '-8' || substr(v.digest, 8, 3)
    || '-' || substr(v.digest, 11, 12))::uuid,
    v.server_id,
    voter.user_id,
    voter.nickname,
    voter.ip_hash,
    voter.user_id is not null,
    v.voted_at
from (
    select
        d.server_id,
        k.digest,
        floor(
            power(('x' || substr(k.digest, 9, 8))::bit(32)::bigint / 4294967296.0::double precision, 1.65) * 577
        )::integer as place,
        d.opens + d.span * case
            when d.days = 0 then ('x' || substr(k.digest, 17, 8))::bit(32)::bigint / 4294967296.0::double precision
            else 1 - power(('x' || substr(k.digest, 17, 8))::bit(32)::bigint / 4294967296.0::double precision, 1.6)
        end as voted_at
    from (
        select
            lasted.server_id,
            lasted.n,
            lasted.days,
            lasted.votes,
            lasted.day::timestamp at time zone state.timezone as opens,
            greatest(
                least((lasted.day + 1)::timestamp at time zone state.timezone, now() - interval '4 minutes')
                - interval '1 second' - (lasted.day::timestamp at time zone state.timezone),
                interval '0'
            ) as span
        from demo_day as lasted
        cross join demo_state as state
        where lasted.days < 32
        -- Or the planner asks the zone again for each vote.
        offset 0
    ) as d
    cross join lateral (
        select md5('vote/' || d.n || '/' || d.days || '/' || number) as digest
        from generate_series(1, d.votes) as numbers (number)
        -- Or the planner writes it out wherever it is used, and it is made ten times for each vote.
        offset 0
    ) as k
    offset 0
) as v
inner join demo_voter as voter
    on voter.place = v.place + case when v.place < 5 and v.voted_at > now() - interval '3 hours' then 10 else 0 end;

insert into public.server_clicks (server_id, clicked_at)
select
    d.server_id,
    (d.day::timestamp at time zone 'UTC')
    + interval '20 hours' * pg_temp.chance('visit/' || d.n || '/' || d.days || '/' || k.number)
from demo_day as d
cross join lateral generate_series(1, d.visits) as k (number)
where d.days between 1 and 7 and d.votes > 0;

do $$
declare
    v_definition text;
begin
    if current_setting('session_replication_role') = 'replica' then
        set local session_replication_role = origin;
    end if;
    for v_definition in select definition from demo_index loop
        execute v_definition;
    end loop;
end
$$;

update public.server_standings as t
set clicks = counted.clicks
from (
    select server_id, sum(clicks)::integer as clicks
    from public.server_daily_counts
    where server_id::text like 'de300000-%'
    group by server_id
) as counted
where counted.server_id = t.server_id and (select is_new from demo_state);

do $$
begin
    if (select is_new from demo_state) then
        call public.recount_votes(p_commits => false);
    end if;
end
$$;

-- The first thousand votes of an account earn a day of Prestige.
insert into public.prestige_pass_days (id, user_id, milestone, earned_at)
select pg_temp.demo_id(7, p.place), p.user_id, 1000, now() - interval '3 days'
from demo_voter as p
where p.user_id is not null and (select total_votes from public.profiles where id = p.user_id) >= 1000
on conflict do nothing;
