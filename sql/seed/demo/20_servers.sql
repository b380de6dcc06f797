-- The listings become servers. Four are Octave's, three Olivia's, so that their profiles have something to show.
insert into public.servers (
    id, name, description, language, ip_address, version, game_id, tags, logo_image_url, discord_url, website_url,
    owner_id, is_approved, created_at, updated_at
)
select
    pg_temp.demo_id(0, l.n),
    l.name,
    l.description,
    l.language,
    l.address,
    l.version,
    g.id,
    l.tags,
    '/pictures/demo/logos/' || l.logo || '.svg',
    case when pg_temp.chance('discord', l.name) < 0.85
        then 'https://discord.example/' || replace(public.slugify(l.name), '-', '') end,
    case when pg_temp.chance('website', l.name) < 0.7
        then 'https://www.' || replace(public.slugify(l.name), '-', '') || '.example' end,
    case
        when l.n in (1, 2, 27, 53) then pg_temp.account('owner')
        when l.n in (35, 68, 110) then pg_temp.account('owner2')
    end,
    true,
    now() - make_interval(days => l.age_days, hours => (pg_temp.chance('hour', l.name) * 24)::integer),
    now() - make_interval(days => least(l.age_days, (pg_temp.chance('edited', l.name) * 60)::integer))
from demo_listing as l
inner join public.games as g on g.slug = l.game
order by l.age_days desc, l.n
on conflict do nothing;

-- Who is on.
update public.server_standings as t
set
    is_online = state.is_online,
    online_players = case when state.is_online then l.players else 0 end,
    max_players = l.max_players,
    status_checked_at = now()
from demo_listing as l
cross join lateral (
    select l.popularity > 30 or pg_temp.chance('online', l.name) < 0.9 as is_online
) as state
where t.server_id = pg_temp.demo_id(0, l.n) and t.status_checked_at is null;

-- Prestige: who has it, for how long still, in which colour. Two have just lost it.
update public.servers as s
set
    is_sponsored = true,
    sponsor_tier = p.tier,
    custom_color = p.color,
    banner_image_url = '/pictures/demo/banners/' || p.banner || '.svg',
    prestige_expires_at = now() + make_interval(days => p.days_left, hours => 7)
from (
    values
    (1, 24, 'gold', '#6D8CFF', 1),
    (27, 61, 'gold', '#1FB6C9', 2),
    (53, 12, 'gold', '#C98A3C', 3),
    (68, 45, 'PRESTIGE GOLD', '#7FB2D9', 4),
    (61, 30, 'gold', '#62C27B', 5),
    (32, 18, 'gold', '#F06C8A', 6),
    (5, 9, 'gold', '#34C3A0', 7),
    (110, 27, 'gold', '#D2552F', 8),
    (16, 5, 'gold', '#3FA66B', 9),
    (97, 20, 'gold', '#E59B3A', 11),
    (42, -2, 'gold', '#A9B7C6', 17),
    (76, -9, 'gold', '#8F6BD1', 18)
) as p (n, days_left, tier, color, banner)
where s.id = pg_temp.demo_id(0, p.n) and (select is_new from demo_state);
