-- What people report: a listing, or a review on one.
create table public.reports (
    id uuid primary key default gen_random_uuid(),
    server_id uuid references public.servers (id) on delete cascade,
    comment_id uuid references public.reviews (id) on delete cascade,
    reporter_id uuid default auth.uid() references public.profiles (id) on delete set null,
    reason text not null,
    custom_reason text,
    status text not null default 'pending',
    resolution_note text,
    resolved_by uuid references public.profiles (id) on delete set null,
    resolved_at timestamptz,
    created_at timestamptz not null default now(),
    constraint reports_subject check (server_id is not null or comment_id is not null),
    constraint reports_reason check (reason in (
        'inappropriate_content', 'spam', 'fake_server', 'malicious_content', 'copyright', 'other'
    )),
    constraint reports_custom_reason check (
        char_length(custom_reason) <= 500
        and (reason <> 'other' or char_length(btrim(coalesce(custom_reason, ''))) >= 1)
    ),
    constraint reports_status check (status in ('pending', 'resolved', 'dismissed')),
    constraint reports_resolution_note_length check (char_length(resolution_note) <= 1000)
);

alter table public.reports enable row level security;

-- A second report of the same thing by the same person waits for the first to be looked at.
create unique index reports_open_server_key on public.reports (reporter_id, server_id)
where status = 'pending' and comment_id is null;
create unique index reports_open_comment_key on public.reports (reporter_id, comment_id)
where status = 'pending' and comment_id is not null;
create index reports_queue_idx on public.reports (status, created_at desc);
create index reports_server_idx on public.reports (server_id);
create index reports_comment_idx on public.reports (comment_id);
create index reports_all_by_age_idx on public.reports (created_at desc nulls last, id);

-- What people without an account are asked for beside a report, so that it can be answered (Digital
-- Services Act, article 16).
create table public.report_notices (
    report_id uuid primary key references public.reports (id) on delete cascade,
    name text not null,
    email text not null,
    language text not null,
    explanation text not null,
    received_at timestamptz not null,
    -- When the email about what was decided was rendered last.
    told_at timestamptz,
    constraint report_notices_language check (language in ('fr', 'en', 'es')),
    constraint report_notices_lengths check (
        char_length(name) between 1 and 100 and char_length(email) between 3 and 254
        and char_length(explanation) between 1 and 2000
    )
);

alter table public.report_notices enable row level security;

create index report_notices_email_idx on public.report_notices (lower(email), received_at desc);
create index report_notices_received_idx on public.report_notices (received_at);
