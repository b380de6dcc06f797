-- As pg_dump writes: it empties the search path, for itself only.
select pg_catalog.set_config('search_path', '', false);
insert into public.products (name, price_cents) values ('Lamp; brass', 4900), ('Chair', 12900);
