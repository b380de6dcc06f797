-- A profile for each account, made by a trigger that calls an extension without its schema.
create table public.profiles (
    id uuid primary key references auth.users on delete cascade,
    nickname text,
    token text
);
alter table public.profiles enable row level security;
create policy "profiles are public" on public.profiles for select using (true);

create function public.handle_new_user() returns trigger
language plpgsql security definer
as $$
begin
    insert into public.profiles (id, nickname, token)
    values (new.id, coalesce(new.raw_user_meta_data ->> 'nickname', split_part(new.email, '@', 1)), crypt('x', gen_salt('bf', 4)));
    return new;
end;
$$;

create trigger on_auth_user_created
after insert on auth.users for each row execute function public.handle_new_user();
