-- When bytes without a row are looked for again. Whoever does it puts it off while it goes on.
create table storage.sweep (
    is_the_one boolean primary key default true check (is_the_one),
    due_at timestamptz not null
);

insert into storage.sweep (due_at) values ('-infinity');

alter table storage.sweep enable row level security;
