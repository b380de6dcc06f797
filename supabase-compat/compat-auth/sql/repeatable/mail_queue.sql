-- A message contains codes that sign people in, so only the service's own role reads it, and a
-- message that is given up is emptied.
do $$
declare
    reader name;
begin
    for reader in
        select rolname
        from pg_catalog.pg_roles
        where rolname in ('postgres', 'supabase_auth_admin')
            and rolname <> current_user
    loop
        execute format('revoke all on auth.mail_queue from %I cascade', reader);
    end loop;
end
$$;

create or replace function auth.clear_failed_mail()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    new.payload := 'null';
    return new;
end
$$;

revoke all on function auth.clear_failed_mail() from public;

create or replace trigger clear_failed_mail
before update of given_up_at on auth.mail_queue
for each row
when (new.given_up_at is not null)
execute function auth.clear_failed_mail();

-- Databases of earlier versions have the trigger and its function under another name.
drop trigger if exists empty_given_up_letter on auth.mail_queue;

drop function if exists auth.empty_given_up_letter();
