-- Prices of a day: the more days the cheaper.
create table public.prestige_pricing (
    min_days integer primary key,
    unit_price_cents integer not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint prestige_pricing_min_days check (min_days between 1 and 3650),
    constraint prestige_pricing_unit_price check (unit_price_cents between 0 and 1000000)
);

alter table public.prestige_pricing enable row level security;

-- What a day of Prestige costs, in cents: the largest step not above the number of days bought holds.
insert into public.prestige_pricing (min_days, unit_price_cents)
values (1, 150), (7, 130), (15, 115), (30, 100), (60, 95), (90, 90), (180, 80), (365, 70);

-- The free days that voters earn.
create table public.prestige_pass_days (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references public.profiles (id) on delete cascade,
    milestone integer not null,
    earned_at timestamptz not null default now(),
    is_used boolean not null default false,
    used_at timestamptz,
    server_id uuid references public.servers (id) on delete set null,
    constraint prestige_pass_days_milestone_key unique (user_id, milestone),
    constraint prestige_pass_days_milestone check (milestone > 0),
    constraint prestige_pass_days_use check (is_used = (used_at is not null))
);

alter table public.prestige_pass_days enable row level security;
