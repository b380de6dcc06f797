alter table public.notes add column is_pinned boolean not null default false;
