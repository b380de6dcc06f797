-- Written as the dashboard's SQL editor has people write it: names without schemas, no grants.
create extension if not exists "uuid-ossp" with schema "extensions";
create extension if not exists "pgcrypto" with schema "extensions";
create extension if not exists "pg_graphql" with schema "graphql";
create extension if not exists "pgjwt" with schema "extensions";
comment on extension "pgjwt" is 'said by a dump';

create table products (
    id uuid primary key default uuid_generate_v4(),
    name text not null,
    price_cents integer not null check (price_cents >= 0),
    code text not null default encode(gen_random_bytes(4), 'hex')
);
alter table products owner to postgres;
alter table products enable row level security;
create policy "everybody reads products" on products for select using (true);

create table orders (
    id bigint generated always as identity primary key,
    buyer uuid not null default auth.uid() references auth.users (id) on delete cascade,
    product uuid not null references products (id)
);
alter table orders enable row level security;
create policy "buyers see their orders" on orders for all to authenticated
using ((select auth.uid()) = buyer) with check ((select auth.uid()) = buyer);

alter publication supabase_realtime add table orders;
