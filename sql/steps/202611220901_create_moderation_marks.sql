-- What a moderator decided, kept apart from what it was decided about: a review, a listing or an account that is deleted
-- and made again is known by its account, its address or its name. One row for each name and address a listing had.
create table public.moderation_marks (
    id uuid primary key default gen_random_uuid(),
    decision text not null,
    -- Neither of the three refers to a row: a mark outlives what it is about.
    subject_id uuid not null,
    server_id uuid,
    account_id uuid,
    -- Of a deleted account only the hash of its e-mail address is kept.
    email_hash text,
    game_id uuid references public.games (id) on delete cascade,
    name_key text,
    address_key text,
    label text not null,
    reason text,
    decided_by uuid references public.profiles (id) on delete set null,
    created_at timestamptz not null default now(),
    constraint moderation_marks_decision check (
        decision in ('account_banned', 'server_disabled', 'server_refused', 'review_hidden')
    ),
    constraint moderation_marks_lengths check (char_length(label) <= 300 and char_length(reason) <= 500)
);

alter table public.moderation_marks enable row level security;

create unique index moderation_marks_once_key on public.moderation_marks (
    decision, subject_id, coalesce(name_key, ''), coalesce(address_key, '')
);
create index moderation_marks_account_idx on public.moderation_marks (account_id);
create index moderation_marks_email_idx on public.moderation_marks (email_hash);
create index moderation_marks_name_idx on public.moderation_marks (game_id, name_key);
create index moderation_marks_address_idx on public.moderation_marks (game_id, address_key);
