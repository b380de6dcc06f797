create schema private;
create type public.org_role as enum ('owner', 'agent');

create table public.organizations (
    id uuid primary key default gen_random_uuid(),
    name text not null check (length(name) between 1 and 80)
);
create table public.members (
    organization uuid not null references public.organizations on delete cascade,
    account uuid not null references auth.users on delete cascade,
    role public.org_role not null,
    primary key (organization, account)
);
create table public.tickets (
    id bigint generated always as identity primary key,
    organization uuid not null references public.organizations on delete cascade
        default (auth.jwt() ->> 'org_id')::uuid,
    subject text not null
);
alter table public.organizations enable row level security;
alter table public.members enable row level security;
alter table public.tickets enable row level security;

create function private.is_member(wanted uuid, as_role public.org_role default null) returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (
        select from public.members as m
        where m.organization = wanted and m.account = auth.uid() and m.role = coalesce(as_role, m.role)
    )
$$;
grant usage on schema private to authenticated;
revoke execute on all functions in schema private from public;
grant execute on all functions in schema private to authenticated;

create policy "members see their organization" on public.organizations for select to authenticated
using (private.is_member(id));
create policy "members see each other" on public.members for select to authenticated
using (private.is_member(organization));
create policy "members work on tickets" on public.tickets to authenticated
using (organization = (select (auth.jwt() ->> 'org_id')::uuid))
with check (organization = (select (auth.jwt() ->> 'org_id')::uuid));
create policy "owners alone delete tickets" on public.tickets as restrictive for delete to authenticated
using ((select auth.jwt() ->> 'org_role') = 'owner');

create function public.found_organization(name text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    made uuid;
begin
    insert into public.organizations (name) values (found_organization.name) returning id into made;
    insert into public.members values (made, auth.uid(), 'owner');
    return made;
end
$$;
revoke execute on function public.found_organization(text) from public, anon;
create function public.invite(email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    place uuid := (auth.jwt() ->> 'org_id')::uuid;
begin
    if not private.is_member(place, 'owner') then
        raise exception 'owners only' using errcode = '42501';
    end if;
    insert into public.members
    select place, u.id, 'agent' from auth.users as u where u.email = invite.email;
end
$$;
revoke execute on function public.invite(text) from public, anon;

create function public.custom_access_token(event jsonb) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
    found record;
begin
    select m.organization, m.role into found
    from public.members as m
    where m.account = (event ->> 'user_id')::uuid
    limit 1;
    if found.organization is null then
        return event;
    end if;
    return jsonb_set(
        event, '{claims}',
        event -> 'claims' || jsonb_build_object('org_id', found.organization, 'org_role', found.role)
    );
end
$$;
grant usage on schema public to supabase_auth_admin;
grant execute on function public.custom_access_token(jsonb) to supabase_auth_admin;
revoke execute on function public.custom_access_token(jsonb) from authenticated, anon, public;
grant select on public.members to supabase_auth_admin;
create policy "the hook reads members" on public.members for select to supabase_auth_admin using (true);
