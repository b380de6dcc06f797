-- The schema for the four workloads of `just bench rest`; every table has row security.
create table public.makers (id int primary key, name text not null, country text not null);
create table public.things (
    id int primary key,
    maker_id int not null references public.makers,
    name text not null,
    labels text[] not null,
    score int not null,
    is_shown boolean not null,
    made_at timestamptz not null default now()
);
create index on public.things (score desc, id) where is_shown;
create table public.remarks (
    id bigint primary key generated always as identity,
    thing_id int not null references public.things,
    author uuid default auth.uid(),
    body text not null
);
insert into public.makers select n, 'Maker ' || n, 'FR' from generate_series(1, 50) as n;
insert into public.things (id, maker_id, name, labels, score, is_shown)
select n, 1 + n % 50, 'Thing ' || n, array['a' || n % 7, 'b' || n % 11], (n * 7919) % 10007, n % 20 <> 0
from generate_series(1, 5000) as n;
analyze public.makers, public.things;

alter table public.makers enable row level security;
alter table public.things enable row level security;
alter table public.remarks enable row level security;
grant usage on schema public to anon, authenticated;
grant select on public.makers, public.things to anon, authenticated;
grant select, insert on public.remarks to anon, authenticated;
create policy "everyone sees makers" on public.makers for select using (true);
create policy "everyone sees what is shown" on public.things for select using (is_shown);
create policy "people remark as themselves" on public.remarks for insert with check (author is not distinct from auth.uid());
create policy "people see their remarks" on public.remarks for select using (author is not distinct from auth.uid());

create function public.mean_score(p_maker int) returns numeric
language sql stable
as $$ select round(avg(score), 2) from public.things where maker_id = p_maker $$;
create index on public.things (maker_id);
notify pgrst, 'reload schema';
