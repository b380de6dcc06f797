-- Pictures that rows name by an address elsewhere, one line a column, until a job has put a copy into the bucket. Pages
-- show the site's own pictures alone, so that no visitor's browser asks a third party for one.
create table public.picture_copies (
    holder text not null check (holder in ('servers', 'games', 'arcade_spots', 'partners', 'site_settings')),
    holder_key text not null,
    field text not null,
    address text not null,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    reason text,
    created_at timestamptz not null default now(),
    primary key (holder, holder_key, field)
);
alter table public.picture_copies enable row level security;
create index picture_copies_due on public.picture_copies (due_at);

insert into public.picture_copies (holder, holder_key, field, address)
select 'servers', s.id::text, named.field, named.address
from public.servers as s
cross join lateral (values
    ('logo_image_url', s.logo_image_url), ('banner_image_url', s.banner_image_url),
    ('description_image_url', s.description_image_url), ('backdrop_url', s.backdrop_url)
) as named (field, address)
where named.address ~* '^https?:'
union all
select 'games', g.id::text, named.field, named.address
from public.games as g
cross join lateral (values ('logo_url', g.logo_url), ('backdrop_url', g.backdrop_url)) as named (field, address)
where named.address ~* '^https?:'
union all
select 'arcade_spots', a.id::text, 'image_url', a.image_url
from public.arcade_spots as a
where a.image_url ~* '^https?:' and a.status in ('pending', 'paid', 'active', 'suspended')
union all
select 'partners', p.id::text, 'logo_url', p.logo_url
from public.partners as p
where p.logo_url ~* '^https?:'
union all
select 'site_settings', t.setting_key, 'setting_value', t.setting_value::jsonb #>> '{}'
from public.site_settings as t
where t.setting_key = 'all_games_backdrop_url' and t.setting_value ~* '^"https?:';
