create schema catalogue;
create schema lending;
create schema internal;
grant usage on schema catalogue, lending to anon, authenticated, service_role;
alter default privileges in schema catalogue grant select on tables to anon, authenticated;
alter default privileges in schema catalogue, lending grant all on tables to service_role;

create type catalogue.kind as enum ('book', 'map');
create domain catalogue.isbn as text check (value ~ '^[0-9]{13}$');

create table catalogue.works (
    isbn catalogue.isbn primary key,
    kind catalogue.kind not null default 'book',
    title text not null,
    words tsvector generated always as (to_tsvector('english', title)) stored
);
create index works_words on catalogue.works using gin (words);
alter table catalogue.works enable row level security;
create policy "everybody reads" on catalogue.works for select using (true);
