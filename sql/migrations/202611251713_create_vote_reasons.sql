-- Every reason for which a vote does not count, at once or later, and since when it is counted.
create table public.vote_reasons (
    code text primary key,
    kind text not null,
    counted_since timestamptz not null default now(),
    constraint vote_reasons_code check (code ~ '^[a-z]+(_[a-z]+)*$'),
    constraint vote_reasons_kind check (kind in ('refused', 'voided'))
);

alter table public.vote_reasons enable row level security;

insert into public.vote_reasons (code, kind)
values
('banned_account', 'refused'),
('banned_address', 'refused'),
('banned_network', 'refused'),
('captcha', 'refused'),
('captcha_spent', 'refused'),
('cooldown', 'refused'),
('limit_address', 'refused'),
('limit_network', 'refused'),
('limit_server', 'refused'),
('nickname', 'refused'),
('nickname_refused', 'refused'),
('not_listed', 'refused'),
('ticket', 'refused'),
('too_fast', 'refused'),
('automated', 'voided'),
('bought', 'voided'),
('proxies', 'voided'),
('trial', 'voided'),
('other', 'voided');

-- How many votes did not count, by listing, day and reason; those that do are in server_daily_counts. A vote that was
-- voided is counted on the day it was cast.
create table public.vote_outcomes (
    server_id uuid not null references public.servers (id) on delete cascade,
    day date not null,
    reason text not null references public.vote_reasons (code),
    votes integer not null,
    primary key (server_id, day, reason),
    constraint vote_outcomes_votes check (votes > 0)
);

alter table public.vote_outcomes enable row level security;

-- A day of all listings is counted along it.
create index vote_outcomes_day_idx on public.vote_outcomes (day);

-- Votes that were taken back: what is left of them is what nobody's reward or place follows from.
create table public.voided_votes (
    id uuid primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    voted_at timestamptz not null,
    reason text not null references public.vote_reasons (code),
    note text,
    voided_by uuid references public.profiles (id) on delete set null,
    voided_at timestamptz not null,
    constraint voided_votes_note_length check (char_length(note) <= 500)
);

alter table public.voided_votes enable row level security;

create index voided_votes_server_idx on public.voided_votes (server_id, voted_at desc);
create index voided_votes_old_idx on public.voided_votes (voted_at);
create index voided_votes_by_idx on public.voided_votes (voided_by) where voided_by is not null;
