with columns as (
    select c.oid, a.attname, p.pattern
    from pg_catalog.pg_class as c
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join unnest(
        array[
            'password', 'passwd', 'pwd', 'passphrase', 'secret', 'secret_key', 'private_key', 'api_key',
            'apikey', 'auth_key', 'token', 'jwt', 'access_token', 'refresh_token', 'oauth_token',
            'session_token', 'bearer_token', 'auth_code', 'session_id', 'session_key', 'session_secret',
            'recovery_code', 'backup_code', 'verification_code', 'otp', 'two_factor', '2fa_secret',
            '2fa_code', 'ssn', 'social_security', 'social_security_number', 'driver_license',
            'drivers_license', 'license_number', 'passport_number', 'passport_id', 'national_id', 'tax_id',
            'credit_card', 'card_number', 'cvv', 'cvc', 'cvn', 'bank_account', 'account_number',
            'routing_number', 'iban', 'swift_code', 'bic', 'health_record', 'medical_record', 'patient_id',
            'insurance_number', 'health_insurance', 'medical_insurance', 'treatment', 'mac_address',
            'macaddr', 'imei', 'device_uuid', 'pgp_key', 'gpg_key', 'ssh_key', 'certificate', 'license_key',
            'activation_key', 'facial_recognition'
        ]
    ) as p (pattern) on replace(lower(a.attname), '-', '_') = p.pattern
)
select
    format(
        'Table %s.%s is served without row level security and has columns that are named like secrets: %s.',
        n.nspname, c.relname, (select string_agg(s.attname, ', ' order by s.attname) from columns as s where s.oid = c.oid)
    ) as detail,
    jsonb_build_object(
        'schema', n.nspname, 'name', c.relname, 'type', 'table',
        'sensitive_columns', array(select s.attname from columns as s where s.oid = c.oid order by s.attname),
        'matched_patterns', array(select distinct s.pattern from columns as s where s.oid = c.oid order by s.pattern)
    ) as metadata,
    format('sensitive_columns_exposed_%s_%s', n.nspname, c.relname) as cache_key,
    format('alter table %I.%I enable row level security;', n.nspname, c.relname) as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind = 'r'
    and not c.relrowsecurity
    and (
        has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select')
    )
    and n.nspname = any (array(select trim(e) from unnest(string_to_array(current_setting('pgrst.db_schemas'), ',')) as e))
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and exists (select from columns as s where s.oid = c.oid)
order by n.nspname, c.relname
