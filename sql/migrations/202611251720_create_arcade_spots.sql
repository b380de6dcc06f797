-- The three advertising tiles of the home page, by days (both ends included).
create table public.arcade_spots (
    id uuid primary key default gen_random_uuid(),
    server_id uuid references public.servers (id) on delete set null,
    position integer not null,
    start_date date not null,
    end_date date not null,
    image_url text not null,
    website_url text,
    price_per_day integer not null default 0,
    total_amount integer not null default 0,
    status text not null default 'pending',
    booked_by uuid references public.profiles (id) on delete set null,
    lapses_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint arcade_spots_position check (position between 1 and 3),
    constraint arcade_spots_dates check (end_date >= start_date and end_date - start_date < 366),
    constraint arcade_spots_image check (public.is_picture_address(image_url)),
    constraint arcade_spots_website check (public.is_web_address(website_url)),
    constraint arcade_spots_amounts check (price_per_day >= 0 and total_amount >= 0),
    -- A spot that was shown to its last day is `ended`; one that nobody paid for is `expired`.
    constraint arcade_spots_status check (
        status in ('pending', 'paid', 'active', 'suspended', 'expired', 'cancelled', 'ended')
    ),
    -- The position goes in as a range of one number, which plain GiST knows: no extension is needed.
    constraint arcade_spots_no_overlap exclude using gist (
        int4range(position, position, '[]') with &&,
        daterange(start_date, end_date, '[]') with &&
    ) where (status in ('pending', 'paid', 'active'))
);

alter table public.arcade_spots enable row level security;

create index arcade_spots_end_idx on public.arcade_spots (end_date);
create index arcade_spots_booker_idx on public.arcade_spots (booked_by);
create index arcade_spots_server_idx on public.arcade_spots (server_id);
