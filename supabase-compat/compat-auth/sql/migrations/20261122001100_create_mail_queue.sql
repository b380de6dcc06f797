-- Our own: mails and text messages between the commit and their departure.
create table auth.mail_queue (
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

alter table auth.mail_queue enable row level security;

create index on auth.mail_queue (due_at, id) where given_up_at is null;
create index on auth.mail_queue (given_up_at) where given_up_at is not null;

comment on table auth.mail_queue is 'Finished messages with their one-time tokens, until they have left.';
