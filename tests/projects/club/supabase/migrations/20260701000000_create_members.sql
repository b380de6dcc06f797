-- Made by whatever program reaches the database: nothing that only this server's own commands take.
create extension if not exists moddatetime with schema extensions;
create extension if not exists citext;

create table public.members (
    id uuid primary key references auth.users on delete cascade,
    nickname citext,
    updated_at timestamptz not null default now()
);
alter table public.members enable row level security;
create policy "everybody sees members" on public.members for select using (true);
create trigger members_change before update on public.members
for each row execute function extensions.moddatetime(updated_at);

create function public.enrol() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.members (id, nickname) values (new.id, split_part(new.email, '@', 1));
    return new;
end
$$;
create trigger on_auth_user_created after insert on auth.users
for each row execute function public.enrol();
