create extension if not exists "pg_net" with schema "extensions";
create extension if not exists "pg_cron" with schema "pg_catalog";
create extension if not exists "supabase_vault" with schema "vault";

create table public.shares (
    token uuid primary key default gen_random_uuid(),
    owner uuid not null default auth.uid() references auth.users on delete cascade,
    path text not null,
    expires_at timestamptz not null default now() + interval '1 day'
);
alter table public.shares enable row level security;
create policy "owners manage shares" on public.shares to authenticated
using (owner = (select auth.uid())) with check (owner = (select auth.uid()) and path like (select auth.uid())::text || '/%');

create schema private;
create function private.is_shared(path text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.shares as s where s.path = is_shared.path and s.expires_at > now()) $$;
grant usage on schema private to anon, authenticated;

create policy "owners read files" on storage.objects for select to authenticated
using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "owners write files" on storage.objects for insert to authenticated
with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "everybody reads what is shared" on storage.objects for select
using (bucket_id = 'files' and private.is_shared(name));

select cron.schedule('end shares', '1 second', 'delete from public.shares where expires_at < now()');
