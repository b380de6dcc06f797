//! Versioned migrations, repeatable files and their ledger.

use compat_pg::{MigrationReport, PgError, adopt_baseline, migrate, pending_migrations};
use compat_testkit::TestDatabase;

use crate::world::{schema, script, value};

const TABLE: (&str, &str) = (
    "migrations/202601010000_create_things.sql",
    "create table shop.things (id int primary key);\n",
);
const COLUMN: (&str, &str) =
    ("migrations/202601020000_add_name.sql", "alter table shop.things add column name text;\n");
const FUNCTION: (&str, &str) = (
    "repeatable/names.sql",
    "create or replace function shop.name() returns text language sql as $$ select 'one' $$;\n",
);
const OTHER_FUNCTION: (&str, &str) = (
    "repeatable/names.sql",
    "create or replace function shop.name() returns text language sql as $$ select 'two' $$;\n",
);

fn report(versioned: &[&str], repeatable: &[&str]) -> MigrationReport {
    let named = |files: &[&str]| files.iter().map(|file| format!("shop/{file}")).collect();
    MigrationReport { versioned: named(versioned), repeatable: named(repeatable) }
}

#[tokio::test]
async fn migrations_run_once_and_in_order() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    // The files are in the wrong order on purpose.
    let both = schema("shop", &[COLUMN, TABLE]);
    assert_eq!(migrate(owner, &[both]).await.unwrap(), report(&[TABLE.0, COLUMN.0], &[]));
    assert!(migrate(owner, &[both]).await.unwrap().is_empty());
    script(owner, "insert into shop.things values (1, 'kept')").await;
    let later = schema("shop", &[TABLE, COLUMN, ("migrations/202601030000_x.sql", "select 1")]);
    let next = migrate(owner, &[later]).await.unwrap();
    assert_eq!(next, report(&["migrations/202601030000_x.sql"], &[]));
}

#[tokio::test]
async fn changed_repeatable_files_are_applied_again() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let name = "select shop.name()";
    let grants = ("repeatable/zz_grants.sql", "grant usage on schema shop to anon;");
    let first = schema("shop", &[TABLE, FUNCTION, grants]);
    let repeatable = [FUNCTION.0, grants.0];
    assert_eq!(migrate(owner, &[first]).await.unwrap(), report(&[TABLE.0], &repeatable));
    assert!(migrate(owner, &[first]).await.unwrap().is_empty());
    assert_eq!(value::<String>(owner, name).await, "one");

    let changed = schema("shop", &[TABLE, OTHER_FUNCTION, grants]);
    assert_eq!(migrate(owner, &[changed]).await.unwrap(), report(&[], &repeatable));
    assert_eq!(value::<String>(owner, name).await, "two");

    let added = schema("shop", &[TABLE, COLUMN, OTHER_FUNCTION, grants]);
    assert_eq!(migrate(owner, &[added]).await.unwrap(), report(&[COLUMN.0], &repeatable));

    let fewer = schema("shop", &[TABLE, COLUMN, OTHER_FUNCTION]);
    assert_eq!(migrate(owner, &[fewer]).await.unwrap(), report(&[], &[OTHER_FUNCTION.0]));
}

#[tokio::test]
async fn failed_migration_reports_position_and_rolls_back() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let broken = (
        "migrations/202601020000_break.sql",
        "create table shop.half (id int);\n\nalter table shop.things\n  add column é intt;\n",
    );
    let refusal = migrate(owner, &[schema("shop", &[TABLE, broken, FUNCTION])]).await.unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "shop/migrations/202601020000_break.sql:4:16: type \"intt\" does not exist (SQLSTATE 42704)"
    );
    assert!(!value::<bool>(owner, HAS_SHOP).await, "nothing of it stays");
    let mended = migrate(owner, &[schema("shop", &[TABLE, COLUMN, FUNCTION])]).await.unwrap();
    assert_eq!(mended, report(&[TABLE.0, COLUMN.0], &[FUNCTION.0]));
}

const HAS_SHOP: &str = "select exists (select from pg_namespace where nspname = 'shop')";

const STOCK: (&str, &str) =
    ("migrations/202601010000_create_stock.sql", "create table stock.items (id int primary key);");

#[tokio::test]
async fn failed_migration_rolls_back_every_schema() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let earlier = [schema("shop", &[TABLE, FUNCTION]), schema("stock", &[STOCK])];
    migrate(owner, &earlier).await.unwrap();
    let broken = ("migrations/202601020000_break.sql", "alter table stock.items add column x intt");
    let later =
        [schema("shop", &[TABLE, COLUMN, OTHER_FUNCTION]), schema("stock", &[STOCK, broken])];
    let refusal = migrate(owner, &later).await.unwrap_err();
    assert!(matches!(&refusal, PgError::Migration { is_undone: true, .. }), "{refusal}");
    assert_eq!(value::<String>(owner, "select shop.name()").await, "one");
    assert!(migrate(owner, &earlier).await.unwrap().is_empty(), "the earlier program starts");
    let mended = ("migrations/202601020000_break.sql", "alter table stock.items add column x int");
    let later =
        [schema("shop", &[TABLE, COLUMN, OTHER_FUNCTION]), schema("stock", &[STOCK, mended])];
    let report = migrate(owner, &later).await.unwrap();
    assert_eq!(report.versioned, [format!("shop/{}", COLUMN.0), format!("stock/{}", mended.0)]);
}

#[tokio::test]
async fn migration_outside_a_transaction_keeps_those_before_it() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let index = (
        "migrations/202601020000_index.sql",
        "-- no-transaction\ncreate index concurrently things_id on shop.nothing (id);",
    );
    let refusal = migrate(owner, &[schema("shop", &[TABLE, index])]).await.unwrap_err();
    assert!(matches!(&refusal, PgError::Migration { is_undone: false, .. }), "{refusal}");
    assert!(value::<bool>(owner, HAS_SHOP).await);
}

#[tokio::test]
async fn pending_migrations_are_listed_and_not_run() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let pending = async |files: &[(&'static str, &'static str)]| {
        pending_migrations(owner, &[schema("shop", files)]).await.unwrap().remove(0)
    };
    let new = pending(&[TABLE, FUNCTION]).await;
    assert!(new.is_new && !new.is_empty());
    assert!(!value::<bool>(owner, HAS_SHOP).await);
    migrate(owner, &[schema("shop", &[TABLE, FUNCTION])]).await.unwrap();
    assert!(pending(&[TABLE, FUNCTION]).await.is_empty());
    let later = pending(&[TABLE, COLUMN, OTHER_FUNCTION]).await;
    assert_eq!(later.versioned, [COLUMN.0]);
    assert_eq!((later.changed, later.removed), (vec![FUNCTION.0.to_owned()], vec![]));
    assert_eq!(pending(&[TABLE]).await.removed, [FUNCTION.0]);
    assert_eq!(value::<String>(owner, "select shop.name()").await, "one");
    for files in [vec![], vec![(TABLE.0, "select 1")]] {
        let source = schema("shop", &files);
        let refusal = pending_migrations(owner, &[source]).await.unwrap_err();
        assert!(matches!(refusal, PgError::Ledger { .. }), "{refusal}");
    }
}

#[tokio::test]
async fn failed_repeatable_file_rolls_back_the_others() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    migrate(owner, &[schema("shop", &[TABLE, FUNCTION])]).await.unwrap();
    let wrong = ("repeatable/things.sql", "select 1;\ngrant selct on shop.things to anon;");
    let source = schema("shop", &[TABLE, OTHER_FUNCTION, wrong]);
    let refusal = migrate(owner, &[source]).await.unwrap_err();
    assert!(matches!(&refusal, PgError::Migration { file, .. } if file == wrong.0), "{refusal}");
    assert_eq!(value::<String>(owner, "select shop.name()").await, "one");
}

#[tokio::test]
async fn changed_missing_or_late_migrations_are_refused() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    migrate(owner, &[schema("shop", &[TABLE, COLUMN])]).await.unwrap();
    let refusal = async |files: &[(&'static str, &'static str)]| {
        migrate(owner, &[schema("shop", files)]).await.unwrap_err().to_string()
    };
    let changed = (TABLE.0, "create table shop.things (id bigint primary key);");
    assert_eq!(
        refusal(&[changed, COLUMN]).await,
        "shop: migrations/202601010000_create_things.sql was changed after it was applied; \
         migrations are append only"
    );
    assert_eq!(
        refusal(&[TABLE]).await,
        "shop: migration 202601020000 was applied by a newer version of this program and is unknown \
         to this one; start that version or a later one, or restore a backup of this version into an \
         empty data folder or database"
    );
    assert_eq!(
        refusal(&[TABLE, COLUMN, ("migrations/202601011200_late.sql", "select 1")]).await,
        "shop: migrations/202601011200_late.sql is older than a migration already applied; give it a \
         later time"
    );
    assert_eq!(
        refusal(&[TABLE, COLUMN, ("migrations/nameless.sql", "select 1")]).await,
        "shop: migrations/nameless.sql does not begin with its time"
    );
    let twin = ("migrations/202601010000_twin.sql", "select 1");
    assert_eq!(
        refusal(&[TABLE, COLUMN, twin]).await,
        "shop: migrations/202601010000_twin.sql has the same time as another migration"
    );
}

/// A later migration that creates the same schema and replaces [`TABLE`] and [`COLUMN`].
const BASELINE: (&str, &str) = (
    "migrations/202602010000_create_things.sql",
    "create table shop.things (id int primary key, name text);",
);
const REPLACES: (&str, &str) = ("migrations/replaces.txt", "# The last before.\n202601020000\n");

#[tokio::test]
async fn schema_from_before_the_baseline_is_refused() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    migrate(owner, &[schema("shop", &[TABLE, COLUMN, FUNCTION])]).await.unwrap();
    let other = schema("other", &[FUNCTION_IN_PUBLIC]);
    let baseline = schema("shop", &[BASELINE, REPLACES, OTHER_FUNCTION]);
    let refusal = migrate(owner, &[other, baseline]).await.unwrap_err().to_string();
    assert_eq!(
        refusal,
        "shop: an earlier version of this program made the database: export it with `backup` of \
         that version and bring it into an empty data folder with `restore` of this one; nothing \
         was changed"
    );
    let versions = "select array(select version from shop.compat_migrations order by 1)";
    assert_eq!(value::<Vec<i64>>(owner, versions).await, [202601010000, 202601020000]);
    assert_eq!(value::<String>(owner, "select shop.name()").await, "one");
    assert!(value::<bool>(owner, "select to_regnamespace('other') is null").await);
}

#[tokio::test]
async fn restored_old_schema_adopts_the_baseline() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let later = ("migrations/202602020000_add.sql", "alter table shop.things add column at date;");
    let baseline = schema("shop", &[BASELINE, REPLACES, OTHER_FUNCTION]);
    let larger = schema("shop", &[BASELINE, REPLACES, OTHER_FUNCTION, later]);
    adopt_baseline(owner, &[baseline]).await.unwrap();
    migrate(owner, &[schema("shop", &[TABLE, COLUMN, FUNCTION])]).await.unwrap();
    script(owner, "insert into shop.things values (1, 'kept')").await;
    adopt_baseline(owner, &[baseline]).await.unwrap();
    assert_eq!(migrate(owner, &[baseline]).await.unwrap(), report(&[], &[OTHER_FUNCTION.0]));
    assert_eq!(migrate(owner, &[larger]).await.unwrap(), report(&[later.0], &[OTHER_FUNCTION.0]));
    adopt_baseline(owner, &[larger]).await.unwrap();
    assert!(migrate(owner, &[larger]).await.unwrap().is_empty());
    assert_eq!(value::<String>(owner, "select name from shop.things").await, "kept");
}

#[tokio::test]
async fn schema_that_lacks_a_migration_is_not_adopted() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    migrate(owner, &[schema("shop", &[TABLE])]).await.unwrap();
    let baseline = schema("shop", &[BASELINE, REPLACES]);
    let refusal = adopt_baseline(owner, &[baseline]).await.unwrap_err().to_string();
    assert_eq!(
        refusal,
        "shop: its newest migration is 202601010000, and only 202601020000 can be continued: start \
         the last version of the program that knows both on this data, and back it up again"
    );
    let versions = "select array(select version from shop.compat_migrations order by 1)";
    assert_eq!(value::<Vec<i64>>(owner, versions).await, [202601010000]);
}

#[tokio::test]
async fn two_at_once_apply_everything_exactly_once() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let source = schema("shop", &[TABLE, COLUMN, FUNCTION]);
    let sources = [source];
    let (one, other, third) =
        tokio::join!(migrate(owner, &sources), migrate(owner, &sources), migrate(owner, &sources));
    let reports = [one.unwrap(), other.unwrap(), third.unwrap()];
    let full_report = report(&[TABLE.0, COLUMN.0], &[FUNCTION.0]);
    assert_eq!(reports.iter().filter(|report| **report == full_report).count(), 1);
    assert_eq!(reports.iter().filter(|report| report.is_empty()).count(), 2);
}

#[tokio::test]
async fn no_transaction_migration_runs_outside_a_transaction() {
    let db = TestDatabase::empty().await;
    let index = (
        "migrations/202601020000_index.sql",
        "-- no-transaction\ncreate index concurrently things_id on shop.things (id);",
    );
    let source = schema("shop", &[TABLE, index]);
    assert_eq!(
        migrate(&db.pools().owner, &[source]).await.unwrap(),
        report(&[TABLE.0, index.0], &[])
    );
}

#[tokio::test]
async fn anon_cannot_read_the_migration_ledger() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    script(owner, "alter default privileges grant all on tables to anon").await;
    migrate(owner, &[schema("public", &[FUNCTION_IN_PUBLIC])]).await.unwrap();
    for table in ["compat_migrations", "compat_repeatable"] {
        let sql = format!("select * from public.{table}");
        let outcome = db
            .pools()
            .acting
            .run(&crate::world::identity("anon"), crate::world::statement(&sql, &[]))
            .await;
        assert_eq!(outcome.unwrap_err().code(), Some("42501"), "{table}");
    }
}

const FUNCTION_IN_PUBLIC: (&str, &str) = ("repeatable/x.sql", "select 1");

const THEIRS: (&str, &str) = (
    "adoption/10_refuse.sql",
    "do $$ begin
       if to_regclass('shop.known') is null then raise exception 'whose is it?'; end if;
     end $$;",
);
const OURS: (&str, &str) = (
    "migrations/202601010000_create_things.sql",
    "create type shop.size as enum ('small', 'large');
     create table shop.things (
       id int primary key, name text collate \"C\", size shop.size not null default 'small',
       parts text[] generated always as (string_to_array(name, '/')) stored, note text);
     create unique index things_name on shop.things (name);
     create table shop.orders (
       id bigint generated always as identity primary key, thing int not null references shop.things);
     create table shop.sweep (due int); insert into shop.sweep values (7);",
);
const FOUND: (&str, &str) = (
    "repeatable/found.sql",
    "create or replace function shop.found() returns table (id int, name text) language sql
     as $$ select id, name from shop.things $$;",
);

#[tokio::test]
async fn schema_of_another_program_is_adopted() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    script(
        owner,
        "create schema shop; create table shop.known ();
         create type shop.size as enum ('small');
         create table shop.things (id int primary key, name text, note text not null, more int not null,
           parts text[] generated always as (string_to_array(name, '/')) stored);
         insert into shop.things (id, name, note, more) values (1, 'a/b', 'kept', 1);
         alter default privileges in schema shop grant all on tables to anon, public;
         alter default privileges in schema shop grant all on sequences to anon;
         create function shop.found() returns int language sql as 'select 1';
         create table public.chosen (thing int references shop.things);
         alter table shop.things enable row level security;
         create policy \"named\" on shop.things for update to public using (name like 'a%') with check (name <> '');",
    )
    .await;
    let source = schema("shop", &[OURS, FOUND, THEIRS]);
    assert_eq!(migrate(owner, &[source]).await.unwrap(), report(&[], &[FOUND.0]));
    assert!(migrate(owner, &[source]).await.unwrap().is_empty());
    let parts = "select array_to_string(parts, '+') || size || note from shop.things";
    assert_eq!(value::<String>(owner, parts).await, "a+bsmallkept");
    script(
        owner,
        "insert into shop.things (id, name, size) values (2, 'b', 'large');
         insert into shop.orders (thing) values (2);",
    )
    .await;
    assert_eq!(value::<i32>(owner, "select due from shop.sweep").await, 7);
    assert_eq!(value::<i64>(owner, "select count(*) from shop.found()").await, 2);
    let policy = "select cmd || ' ' || qual || ' ' || with_check from pg_policies where policyname = 'named'";
    let policies = "UPDATE (name ~~ 'a%'::text) (name <> ''::text)";
    assert_eq!(value::<String>(owner, policy).await, policies);
    let reached = "select has_table_privilege('anon', 'shop.orders', 'truncate, select')
                   or has_sequence_privilege('anon', 'shop.orders_id_seq', 'usage')";
    assert!(!value::<bool>(owner, reached).await, "default privileges open nothing of ours");
    let collation = "select collation_name::text from information_schema.columns \
                     where table_schema = 'shop' and table_name = 'things' and column_name = 'name'";
    assert_eq!(value::<String>(owner, collation).await, "C");
    let later =
        ("migrations/202601020000_add.sql", "alter table shop.orders add column at timestamptz;");
    let added = schema("shop", &[OURS, later, FOUND, THEIRS]);
    assert_eq!(migrate(owner, &[added]).await.unwrap(), report(&[later.0], &[FOUND.0]));
}

#[tokio::test]
async fn incompatible_schema_is_not_adopted() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    script(owner, "create schema shop; create table shop.things (id text primary key);").await;
    let source = schema("shop", &[OURS, THEIRS]);
    let unknown = migrate(owner, &[source]).await.unwrap_err().to_string();
    assert!(
        unknown.starts_with("shop/adoption/10_refuse.sql") && unknown.contains("whose is it?"),
        "{unknown}"
    );
    script(owner, "create table shop.known ()").await;
    let refusal = migrate(owner, &[source]).await.unwrap_err().to_string();
    let why = "cannot be adopted: shop.things.id is text, where integer is expected";
    assert!(refusal.contains(why) && refusal.ends_with("nothing was changed"), "{refusal}");
    let left = "select array(select relname::text from pg_class where relnamespace = \
                'shop'::regnamespace and relkind = 'r' order by 1)";
    assert_eq!(value::<Vec<String>>(owner, left).await, ["known", "things"]);
    assert!(
        migrate(owner, &[schema("shop", &[OURS])]).await.is_err(),
        "nobody said that it may be"
    );
}
