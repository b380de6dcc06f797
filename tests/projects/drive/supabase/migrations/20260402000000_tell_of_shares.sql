select vault.create_secret('http://kong:8000', 'project_url');
select vault.create_secret('told to the vault', 'hook_secret', 'Shown to functions');

create function private.secret(name text) returns text
language sql stable security definer set search_path = ''
as $$ select decrypted_secret from vault.decrypted_secrets as s where s.name = secret.name $$;
revoke execute on function private.secret(text) from public;

create function private.tell_of_share() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    perform net.http_post(
        url := private.secret('project_url') || '/functions/v1/shared',
        headers := jsonb_build_object('Content-Type', 'application/json', 'x-hook-secret', private.secret('hook_secret')),
        body := jsonb_build_object('type', tg_op, 'table', tg_table_name, 'record', to_jsonb(new))
    );
    return new;
end
$$;
create trigger tell_of_share after insert on public.shares
for each row execute function private.tell_of_share();

-- As the dashboard writes a webhook.
create trigger "share ended" after delete on public.shares for each row
execute function supabase_functions.http_request(
    'http://kong:8000/rest/v1/', 'GET', '{"Content-type":"application/json"}', '{}', '5000'
);
