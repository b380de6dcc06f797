-- Secrets are encrypted with AES-256 (CBC) and then authenticated with HMAC-SHA-256 over the row's
-- id, the initialisation vector and the ciphertext: only a ciphertext that is intact and in its own
-- row is decrypted. Both keys are in a file outside the database's folder, which the program writes
-- at each start and which no dump contains.
grant usage on schema vault to service_role;

-- 64 bytes: the encryption key and the authentication key.
create or replace function vault._key() returns bytea
language plpgsql security definer set search_path = ''
as $$
begin
    return decode(btrim(pg_catalog.pg_read_file('../../vault/key'), E' \n'), 'hex');
exception when undefined_file or insufficient_privilege then
    raise exception 'the key of the vault is not where this database could read it'
    using errcode = '55000', hint = 'The vault needs the embedded PostgreSQL';
end
$$;

create or replace function vault._proof(key bytea, id uuid, sealed bytea) returns bytea
language plpgsql security definer set search_path = ''
as $$ begin return extensions.hmac(uuid_send(id) || sealed, substr(key, 33, 32), 'sha256'); end $$;

-- The verified bytes of a sealed text that is intact and belongs to `id`; null otherwise.
create or replace function vault._whole(id uuid, secret text) returns bytea
language plpgsql security definer set search_path = ''
as $$
declare
    v_key bytea := vault._key();
    v_bytes bytea;
    v_ciphertext bytea;
begin
    if _whole.secret !~ '^v1\.[A-Za-z0-9+/]{86,}={0,2}$' then
        return null;
    end if;
    begin
        v_bytes := decode(substr(_whole.secret, 4), 'base64');
    exception when invalid_parameter_value then
        return null;
    end;
    v_ciphertext := substr(v_bytes, 1, length(v_bytes) - 32);
    -- The proofs are compared through a further HMAC of each, so that the duration reveals nothing.
    if vault._proof(v_key, _whole.id, vault._proof(v_key, _whole.id, v_ciphertext))
        <> vault._proof(v_key, _whole.id, substr(v_bytes, length(v_bytes) - 31)) then
        return null;
    end if;
    return v_ciphertext;
end
$$;

create or replace function vault._open(id uuid, secret text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
    v_ciphertext bytea := vault._whole(_open.id, _open.secret);
begin
    if v_ciphertext is null then
        raise exception 'secret % cannot be opened: it was changed, or sealed with another key', _open.id
        using errcode = '22000';
    end if;
    return convert_from(
        extensions.decrypt_iv(
            substr(v_ciphertext, 17), substr(vault._key(), 1, 32), substr(v_ciphertext, 1, 16), 'aes-cbc/pad:pkcs'
        ),
        'UTF8'
    );
end
$$;

-- Whether a text has the form of a sealed one: an initialisation vector, whole blocks and a proof.
create or replace function vault._is_sealed(secret text) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
    if _is_sealed.secret !~ '^v1\.[A-Za-z0-9+/]{86,}={0,2}$' then
        return false;
    end if;
    return length(decode(substr(_is_sealed.secret, 4), 'base64')) % 16 = 0;
exception
    when invalid_parameter_value then
        return false;
end
$$;

create or replace function vault._seal() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_key bytea := vault._key();
    v_start bytea := extensions.gen_random_bytes(16);
    v_ciphertext bytea;
begin
    -- A restored dump contains sealed secrets.
    if vault._whole(new.id, new.secret) is not null then
        return new;
    end if;
    -- A secret that was sealed with another key, or in another row, would be sealed twice and could
    -- never be read again.
    if vault._is_sealed(new.secret) then
        raise exception 'secret % was sealed with another key or in another row, and cannot be opened here', new.id
            using errcode = '22000', hint = 'A backup takes the key along; otherwise make the secret again.';
    end if;
    v_ciphertext := v_start || extensions.encrypt_iv(
        convert_to(new.secret, 'UTF8'), substr(v_key, 1, 32), v_start, 'aes-cbc/pad:pkcs'
    );
    new.secret := 'v1.' || translate(
        encode(v_ciphertext || vault._proof(v_key, new.id, v_ciphertext), 'base64'), E'\n', ''
    );
    new.updated_at := current_timestamp;
    return new;
end
$$;
create or replace trigger seal before insert or update of secret on vault.secrets
for each row execute function vault._seal();

create or replace view vault.decrypted_secrets as
select
    s.id, s.name, s.description, s.secret, vault._open(s.id, s.secret) as decrypted_secret,
    s.key_id, s.nonce, s.created_at, s.updated_at
from vault.secrets as s;

create or replace function vault.create_secret(
    new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_id uuid;
begin
    if new_key_id is not null then
        raise exception 'The vault has one key' using errcode = '0A000';
    end if;
    insert into vault.secrets (secret, name, description)
    values (new_secret, new_name, coalesce(new_description, ''))
    returning id into v_id;
    return v_id;
end
$$;

create or replace function vault.update_secret(
    secret_id uuid, new_secret text default null, new_name text default null,
    new_description text default null, new_key_id uuid default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if new_key_id is not null then
        raise exception 'The vault has one key' using errcode = '0A000';
    end if;
    update vault.secrets as s
    set
        secret = coalesce(new_secret, s.secret),
        name = coalesce(new_name, s.name),
        description = coalesce(new_description, s.description),
        updated_at = current_timestamp
    where s.id = secret_id;
end
$$;

revoke all on all functions in schema vault from public;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function
    vault._open(uuid, text), vault.create_secret(text, text, text, uuid),
    vault.update_secret(uuid, text, text, text, uuid)
to service_role;
drop policy if exists "services see sealed secrets" on vault.secrets;
do $$
begin
    if not (select rolbypassrls or rolsuper from pg_catalog.pg_roles where rolname = 'service_role') then
        create policy "services see sealed secrets" on vault.secrets to service_role using (true);
    end if;
end
$$;
