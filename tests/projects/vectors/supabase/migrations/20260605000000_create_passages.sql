create extension if not exists vector with schema extensions;

create table public.passages (
    id bigint generated always as identity primary key,
    text text not null,
    embedding extensions.vector(3) not null
);
alter table public.passages enable row level security;
create policy "everybody reads" on public.passages for select using (true);
create index on public.passages using hnsw (embedding extensions.vector_cosine_ops);

create function public.near(query extensions.vector(3), most integer default 2)
returns table (id bigint, text text, nearness double precision)
language sql stable set search_path = ''
as $$
    select p.id, p.text, 1 - (p.embedding operator(extensions.<=>) query)
    from public.passages as p
    order by p.embedding operator(extensions.<=>) query
    limit most
$$;

insert into public.passages (text, embedding) values
('north', '[1, 0, 0]'), ('east', '[0, 1, 0]'), ('north-east', '[1, 1, 0]');
