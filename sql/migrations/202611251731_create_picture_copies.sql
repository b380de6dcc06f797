-- Pictures that rows name by an address elsewhere, one line a column, until a job has put a copy into the bucket. Pages
-- show the site's own pictures alone, so that no visitor's browser asks a third party for one.
create table public.picture_copies (
    holder text not null check (holder in ('servers', 'games', 'arcade_spots', 'partners', 'site_settings')),
    holder_key text not null,
    field text not null,
    address text not null,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    reason text,
    created_at timestamptz not null default now(),
    primary key (holder, holder_key, field)
);

alter table public.picture_copies enable row level security;

create index picture_copies_due on public.picture_copies (due_at);
