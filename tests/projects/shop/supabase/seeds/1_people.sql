-- An account as seeds write them: the hash by pgcrypto, the identity beside it.
insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    confirmation_token, email_change, email_change_token_new, recovery_token
) values (
    '00000000-0000-0000-0000-000000000000', '11111111-1111-4111-8111-111111111111', 'authenticated', 'authenticated',
    'ada@shop.test', crypt('correct horse', gen_salt('bf')), current_timestamp,
    '{"provider": "email", "providers": ["email"]}', '{"nickname": "Ada; the first"}', current_timestamp, current_timestamp,
    '', '', '', ''
);
insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
values (
    uuid_generate_v4(), '11111111-1111-4111-8111-111111111111', '11111111-1111-4111-8111-111111111111',
    format('{"sub":"%s","email":"%s"}', '11111111-1111-4111-8111-111111111111', 'ada@shop.test')::jsonb,
    'email', current_timestamp, current_timestamp, current_timestamp
);
