-- What emails are about, until they have left: an outbox (compat_mail::Outbox).
create table public.mail_queue (
    id bigint generated always as identity primary key,
    kind text not null,
    payload json not null,
    put_at timestamptz not null,
    -- When it may be claimed. A claim moves this to the end of its lease.
    due_at timestamptz not null,
    -- Counted by a claim, so that a job which ends its worker is given up, too. Whoever holds a
    -- job is known by this number: one that was claimed again is no longer his.
    attempts int not null default 0,
    given_up_at timestamptz,
    -- Why the last attempt failed.
    reason text
);

alter table public.mail_queue enable row level security;

create index on public.mail_queue (due_at, id) where given_up_at is null;
create index on public.mail_queue (given_up_at) where given_up_at is not null;
-- An email that is taken back is found by what it is about.
create index mail_queue_subject_idx on public.mail_queue (kind, (payload ->> 'subject_id'));

-- The last week each owner was told of, which is what makes it once a week, and the places then told. See
-- owner_digests.sql.
create table public.owner_digests (
    user_id uuid primary key references public.profiles (id) on delete cascade,
    -- The Monday behind the week.
    week date not null,
    -- Of each server its place, by id.
    places jsonb not null
);

alter table public.owner_digests enable row level security;
