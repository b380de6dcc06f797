-- A schema's ledger: the migrations that ran, in the layout of sqlx's migrator, and the repeatable files
-- with the text they had. `{schema}` is replaced by the schema's quoted name.
create table if not exists {schema}.compat_migrations (
  version bigint primary key,
  description text not null,
  installed_on timestamptz not null default now(),
  success boolean not null,
  checksum bytea not null,
  execution_time bigint not null
);

-- What it was called before the first release.
alter table if exists {schema}.compat_standing rename to compat_repeatable;

create table if not exists {schema}.compat_repeatable (
  file text primary key,
  checksum bytea not null,
  applied_on timestamptz not null default now()
);

alter table {schema}.compat_migrations enable row level security;
alter table {schema}.compat_repeatable enable row level security;

-- Default privileges may have opened the tables to any role.
do $$
declare
  reader name;
begin
  for reader in
    select distinct a.grantee::regrole::name
      from pg_catalog.pg_class c, lateral pg_catalog.aclexplode(c.relacl) a
     where c.oid in ('{schema}.compat_migrations'::regclass, '{schema}.compat_repeatable'::regclass)
       and a.grantee not in (0, c.relowner)
  loop
    execute format(
      'revoke all on {schema}.compat_migrations, {schema}.compat_repeatable from %I', reader
    );
  end loop;
end
$$;
revoke all on {schema}.compat_migrations, {schema}.compat_repeatable from public;
