create table public.rooms (
    id uuid primary key default gen_random_uuid(),
    name text not null
);
create table public.members (
    room uuid references public.rooms on delete cascade,
    person uuid default auth.uid() references auth.users on delete cascade,
    primary key (room, person)
);
create table public.lines (
    id bigint generated always as identity primary key,
    room uuid not null references public.rooms on delete cascade,
    author uuid not null default auth.uid() references auth.users,
    text text not null
);
alter table public.rooms enable row level security;
alter table public.members enable row level security;
alter table public.lines enable row level security;
alter publication supabase_realtime add table public.lines;

create function public.is_member(of_room uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (select from public.members where room = of_room and person = (select auth.uid()))
$$;
create policy "everybody sees rooms" on public.rooms for select using (true);
create policy "people join" on public.members for insert to authenticated with check (person = (select auth.uid()));
create policy "members read and write" on public.lines to authenticated
using (public.is_member(room)) with check (public.is_member(room) and author = (select auth.uid()));

-- Channels of a room are its members'.
create policy "members listen" on realtime.messages for select to authenticated
using (public.is_member(split_part((select realtime.topic()), ':', 2)::uuid));

create function public.tell_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    perform realtime.broadcast_changes(
        'room:' || new.room, tg_op, tg_op, tg_table_name, tg_table_schema, new, old
    );
    return null;
end
$$;
create trigger line_is_told after insert on public.lines
for each row execute function public.tell_line();

-- What was said while one was away.
create function public.missed(of_room uuid) returns setof jsonb
language plpgsql set search_path = ''
as $$
begin
    perform set_config('realtime.topic', 'room:' || of_room, true);
    return query
    select m.payload -> 'record' from realtime.messages as m
    where m.topic = 'room:' || of_room and m.extension = 'broadcast' order by m.inserted_at;
end
$$;

insert into public.rooms (name) values ('Kitchen'), ('Attic');
