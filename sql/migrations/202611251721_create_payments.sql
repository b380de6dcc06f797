-- Whatever is paid for, of either kind, in one table: what it is for, what it costs, how it stands.
create table public.payments (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    -- Who pays; the row outlives the account, the server and the spot, since money was moved.
    user_id uuid references public.profiles (id) on delete set null,
    server_id uuid references public.servers (id) on delete set null,
    spot_id uuid references public.arcade_spots (id) on delete set null,
    days integer not null,
    unit_price_cents integer not null,
    amount_cents integer not null,
    currency text not null default 'eur',
    -- In which language the payer is told.
    language text not null default 'fr',
    -- Whether the payer asked for what is bought to begin at once, knowing what that costs in a withdrawal.
    begins_at_once boolean not null default false,
    state text not null default 'open',
    -- The provider's name, its session and the address where it is paid; null until it has answered.
    provider text,
    session_id text,
    session_url text,
    -- What the provider took the money as: that which it refunds.
    charge_id text,
    created_at timestamptz not null default now(),
    -- When the session ends.
    expires_at timestamptz not null,
    -- When the provider is asked again how the session stands; null once it is settled.
    look_at timestamptz,
    looks integer not null default 0,
    paid_at timestamptz,
    -- The time that was bought, as it was counted when the money came.
    covers_from timestamptz,
    covers_until timestamptz,
    -- What is to go back, why (and in an administrator's words), and what went back.
    refund_cents integer not null default 0,
    refund_reason text,
    refund_note text,
    refund_at timestamptz,
    refund_attempts integer not null default 0,
    refunded_cents integer not null default 0,
    refunded_at timestamptz,
    -- When the provider said that money it had sent back did not arrive, so that a person has to see to it.
    refund_failed_at timestamptz,
    -- The provider's last words of refusal, and since when the payer's bank disputes it.
    problem text,
    disputed_at timestamptz,
    constraint payments_session_key unique (session_id),
    -- Where payers are sent is an address of the web, whoever wrote it.
    constraint payments_session_url check (public.is_web_address(session_url)),
    constraint payments_kind check (kind in ('prestige', 'arcade')),
    constraint payments_days check (days between 1 and 3650),
    constraint payments_amounts check (unit_price_cents >= 0 and amount_cents >= 0),
    constraint payments_currency check (currency ~ '^[a-z]{3}$'),
    constraint payments_language check (language in ('fr', 'en', 'es')),
    constraint payments_state check (state in ('open', 'paid', 'failed', 'expired', 'to_refund', 'refunded')),
    constraint payments_look check ((look_at is null) = (state <> 'open')),
    -- Money is taken, and then counted or on its way back; nothing else is.
    constraint payments_taken check ((paid_at is not null) = (state in ('paid', 'to_refund', 'refunded'))),
    constraint payments_counted check (state <> 'paid' or covers_until is not null),
    constraint payments_covers check (covers_until >= covers_from),
    constraint payments_to_refund check ((refund_at is not null) = (state = 'to_refund')),
    constraint payments_refund_reason check (
        refund_reason in (
            'subject_gone', 'days_taken', 'amount_differs', 'withdrawn', 'administrator', 'provider'
        )
    ),
    constraint payments_refund_note check (char_length(refund_note) between 1 and 500),
    constraint payments_refund check (refund_cents >= 0 and refunded_cents >= 0)
);

alter table public.payments enable row level security;

create index payments_user_idx on public.payments (user_id, created_at desc);
create index payments_server_idx on public.payments (server_id);
create index payments_spot_idx on public.payments (spot_id);
create index payments_charge_idx on public.payments (charge_id);
create index payments_created_idx on public.payments (created_at desc);
create index payments_look_idx on public.payments (look_at) where look_at is not null;
create index payments_refund_idx on public.payments (refund_at) where refund_at is not null;
create index payments_failed_refund_idx on public.payments (refund_failed_at) where refund_failed_at is not null;
create index payments_all_by_age_idx on public.payments (created_at desc nulls last, id);

-- What the overview of those who run the site asks for at each visit: few of many.
create index payments_wanting_person_idx on public.payments (created_at)
where
    (state = 'to_refund' and problem is not null)
    or (state in ('paid', 'to_refund') and refund_failed_at is not null)
    or (state <> 'refunded' and disputed_at is not null);

alter table public.servers
add constraint servers_prestige_payment_id_fkey
foreign key (prestige_payment_id) references public.payments (id) on delete set null;

-- What a provider told us, once each; to look at when figures differ.
create table public.payment_events (
    provider text not null,
    event_id text not null,
    kind text not null,
    session_id text,
    received_at timestamptz not null default now(),
    primary key (provider, event_id)
);

alter table public.payment_events enable row level security;

create index payment_events_received_idx on public.payment_events (received_at);

-- Papers about money that was taken or given back. Numbered without gaps, never changed, kept as long as the law
-- wants: so they name things as they were, and refer to nothing that may go.
create table public.payment_receipts (
    number bigint primary key,
    kind text not null,
    payment_id uuid not null references public.payments (id) on delete restrict,
    user_id uuid,
    buyer_name text not null,
    buyer_email text not null,
    issued_at timestamptz not null,
    language text not null,
    subject jsonb not null,
    days integer not null,
    unit_price_cents integer not null,
    amount_cents integer not null,
    tax_basis_points integer not null,
    tax_cents integer not null,
    currency text not null,
    seller jsonb not null,
    constraint payment_receipts_kind check (kind in ('receipt', 'credit')),
    constraint payment_receipts_amounts check (amount_cents >= 0 and tax_cents between 0 and amount_cents)
);

alter table public.payment_receipts enable row level security;

create index payment_receipts_payment_idx on public.payment_receipts (payment_id);
create index payment_receipts_user_idx on public.payment_receipts (user_id, number desc);
create index payment_receipts_issued_idx on public.payment_receipts (issued_at);

-- The last number given; whoever gives one holds the row to the end, so that none is left out.
create table public.payment_receipt_numbers (
    is_only_row boolean primary key default true check (is_only_row),
    last bigint not null default 0
);

alter table public.payment_receipt_numbers enable row level security;

insert into public.payment_receipt_numbers default values;

-- Sessions of the checkout page that stands in for a provider in development. No money is in it.
create table public.test_checkouts (
    session_id text primary key,
    payment_id uuid not null unique references public.payments (id) on delete cascade,
    amount_cents integer not null,
    currency text not null,
    description text not null,
    language text not null,
    success_url text not null,
    cancel_url text not null,
    status text not null default 'open',
    -- When a payment that takes its time arrives.
    arrives_at timestamptz,
    refunded_cents integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint test_checkouts_success_url check (public.is_web_address(success_url)),
    constraint test_checkouts_cancel_url check (public.is_web_address(cancel_url)),
    constraint test_checkouts_status check (status in ('open', 'paid', 'failed', 'expired')),
    constraint test_checkouts_refunded check (refunded_cents between 0 and amount_cents)
);

alter table public.test_checkouts enable row level security;
