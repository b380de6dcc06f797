-- Owners may list a promoted server like any other for a while: its days go on, and it shows nothing of Prestige.
alter table public.servers add column shows_prestige boolean not null default true;
