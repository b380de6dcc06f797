-- Prices (of a day, the more days the cheaper), payments and the free days that voters earn.
create table public.prestige_pricing (
    min_days integer primary key,
    unit_price_cents integer not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint prestige_pricing_min_days check (min_days between 1 and 3650),
    constraint prestige_pricing_unit_price check (unit_price_cents between 0 and 1000000)
);

alter table public.prestige_pricing enable row level security;

create table public.prestige_payments (
    id uuid primary key default gen_random_uuid(),
    server_id uuid references public.servers (id) on delete set null,
    user_id uuid references public.profiles (id) on delete set null,
    days integer not null,
    unit_price_cents integer not null,
    amount_cents integer not null,
    currency text not null default 'eur',
    provider text not null,
    session_id text,
    status text not null default 'pending',
    created_at timestamptz not null default now(),
    paid_at timestamptz,
    constraint prestige_payments_session_key unique (session_id),
    constraint prestige_payments_days check (days between 1 and 3650),
    constraint prestige_payments_amounts check (unit_price_cents >= 0 and amount_cents >= 0),
    constraint prestige_payments_currency check (currency ~ '^[a-z]{3}$'),
    constraint prestige_payments_status check (status in ('pending', 'paid', 'failed', 'refunded'))
);

alter table public.prestige_payments enable row level security;

create index prestige_payments_user_idx on public.prestige_payments (user_id, created_at desc);
create index prestige_payments_server_idx on public.prestige_payments (server_id);

alter table public.servers
add constraint servers_prestige_payment_id_fkey
foreign key (prestige_payment_id) references public.prestige_payments (id) on delete set null;

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
