-- What people without an account are asked for beside a report, so that it can be answered (Digital
-- Services Act, article 16).
create table public.report_notices (
    report_id uuid primary key references public.reports (id) on delete cascade,
    name text not null,
    email text not null,
    language text not null,
    explanation text not null,
    received_at timestamptz not null,
    -- When they were written to of what was decided.
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
