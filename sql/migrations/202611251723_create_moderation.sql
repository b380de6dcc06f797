-- Warnings given to people.
create table public.user_warnings (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references public.profiles (id) on delete cascade,
    server_id uuid references public.servers (id) on delete set null,
    reason text not null,
    issued_by uuid references public.profiles (id) on delete set null,
    is_active boolean not null default true,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    constraint user_warnings_reason_length check (char_length(btrim(reason)) >= 1 and char_length(reason) <= 1000)
);

alter table public.user_warnings enable row level security;

create index user_warnings_user_idx on public.user_warnings (user_id, created_at desc);
create index user_warnings_server_idx on public.user_warnings (server_id);
create index user_warnings_ending_idx on public.user_warnings (expires_at) where is_active and expires_at is not null;

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

-- What waits for a moderator, and what was decided: a row is open until somebody decides, and is what
-- the person is told from then on.
create table public.moderation_cases (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    -- The review, the listing, the decision or the account it is about; what it was, once that is gone.
    subject_id uuid not null,
    server_id uuid references public.servers (id) on delete set null,
    review_id uuid references public.reviews (id) on delete set null,
    -- The decision somebody objects to.
    appeal_of uuid references public.moderation_cases (id) on delete cascade,
    -- Whose it is.
    person_id uuid references public.profiles (id) on delete set null,
    label text not null,
    -- Of an edit the columns as they were when somebody last looked, and as they were when put back.
    before jsonb,
    after jsonb,
    -- What an appeal says.
    message text,
    opened_at timestamptz not null default now(),
    decision text,
    sanction text,
    until timestamptz,
    warning_id uuid references public.user_warnings (id) on delete set null,
    reason text,
    statement text,
    decided_by uuid references public.profiles (id) on delete set null,
    decided_at timestamptz,
    taken_back_by uuid references public.profiles (id) on delete set null,
    taken_back_at timestamptz,
    -- When the email about either was rendered first.
    told_at timestamptz,
    told_back_at timestamptz,
    constraint moderation_cases_kind check (kind in ('report', 'server', 'edit', 'review', 'appeal', 'account')),
    constraint moderation_cases_decision check (decision in (
        'approved', 'refused', 'disabled', 'dismissed', 'hidden', 'reverted', 'sanctioned', 'upheld', 'overturned',
        'settled'
    )),
    constraint moderation_cases_sanction check (sanction in ('warning', 'ban')),
    constraint moderation_cases_reason check (reason in (
        'illegal', 'hate', 'sexual', 'harassment', 'spam', 'deceptive', 'malicious', 'copyright', 'personal_data',
        'cheating', 'rules', 'other'
    )),
    -- Who is decided against is told why.
    constraint moderation_cases_reasoned check (
        (reason is not null and statement is not null)
        or (sanction is null and coalesce(decision not in ('refused', 'disabled', 'hidden', 'reverted'), true))
    ),
    constraint moderation_cases_appeal check ((kind = 'appeal') = (message is not null)),
    constraint moderation_cases_decided check ((decision is null) = (decided_at is null)),
    constraint moderation_cases_lengths check (
        char_length(label) <= 300 and char_length(message) between 1 and 2000
        and char_length(statement) between 1 and 1000
    )
);

alter table public.moderation_cases enable row level security;

-- One of a kind is open for a subject at a time.
create unique index moderation_cases_open_key on public.moderation_cases (kind, subject_id) where decision is null;
create unique index moderation_cases_appeal_key on public.moderation_cases (appeal_of);
create index moderation_cases_queue_idx on public.moderation_cases (opened_at, id) where decision is null;
create index moderation_cases_decided_idx on public.moderation_cases (decided_at desc, id) where decision is not null;
create index moderation_cases_person_idx on public.moderation_cases (person_id, decided_at desc);
create index moderation_cases_server_idx on public.moderation_cases (server_id) where server_id is not null;
create index moderation_cases_review_idx on public.moderation_cases (review_id) where review_id is not null;
create index moderation_cases_warning_idx on public.moderation_cases (warning_id) where warning_id is not null;
create index moderation_cases_decided_by_idx on public.moderation_cases (decided_by) where decided_by is not null;
create index moderation_cases_taken_back_by_idx on public.moderation_cases (taken_back_by)
where taken_back_by is not null;
