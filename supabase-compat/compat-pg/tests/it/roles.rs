//! The cluster's roles, also if the login is no superuser.

use compat_pg::{
    ConnectConfig, EmbeddedConfig, EmbeddedPostgres, Identity, Pools, ensure_roles, migrate,
    prepare_project,
};
use compat_testkit::TestDatabase;

use crate::world::{Folder, bin_dir, identity, schema, script, statement, text, texts, value};

const ROLES: &str = "
    select array(
      select rolname || case when rolcanlogin then ' login' else '' end
        || case when rolinherit then ' inherit' else '' end
        || case when rolbypassrls then ' bypassrls' else '' end
        || case when rolsuper then ' super' else '' end
      from pg_roles
      where rolname in
        ('anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin',
          'supabase_storage_admin')
      order by rolname collate \"C\")";

const LIMITS: &str = "
    select array(
      select s.setrole::regrole || ' ' || given.setting
      from pg_db_role_setting as s cross join unnest(s.setconfig) as given (setting)
      where s.setdatabase = 0 and given.setting like 'statement_timeout=%'
      order by 1)";

#[tokio::test]
async fn ensuring_roles_is_idempotent_and_concurrent() {
    let one = TestDatabase::empty().await;
    let other = TestDatabase::empty().await;
    let (first, second, third, fourth) = tokio::join!(
        ensure_roles(&one.pools().owner),
        ensure_roles(&one.pools().owner),
        ensure_roles(&other.pools().owner),
        ensure_roles(&other.pools().owner),
    );
    for outcome in [first, second, third, fourth] {
        outcome.unwrap();
    }
    assert_eq!(
        value::<Vec<String>>(&one.pools().owner, ROLES).await,
        [
            "anon",
            "authenticated",
            "authenticator login",
            "service_role bypassrls",
            "supabase_auth_admin login",
            "supabase_storage_admin login"
        ]
    );
    assert_eq!(
        value::<Vec<String>>(&one.pools().owner, LIMITS).await,
        ["anon statement_timeout=3s", "authenticated statement_timeout=8s"]
    );
}

#[tokio::test]
async fn login_without_superuser_prepares_roles_and_project() {
    let folder = Folder::new("managed");
    let config = EmbeddedConfig { bin_dir: bin_dir(), ..EmbeddedConfig::throwaway(folder.path()) };
    let server = EmbeddedPostgres::start(config).await.unwrap();
    let superuser = Pools::connect(&ConnectConfig::new(server.owner_url())).await.unwrap();
    script(&superuser.owner, "create role deployer login createrole createdb").await;
    let mut session = superuser.owner.begin().await.unwrap();
    sqlx::raw_sql("grant create on database postgres to deployer")
        .execute(&mut *session)
        .await
        .unwrap();
    session.commit().await.unwrap();

    let url = server.owner_url().replace("postgres@", "deployer@");
    let pools = Pools::connect(&ConnectConfig::new(url)).await.unwrap();
    ensure_roles(&pools.owner).await.unwrap();
    ensure_roles(&pools.owner).await.unwrap();
    assert_eq!(
        value::<Vec<String>>(&pools.owner, ROLES).await,
        [
            "anon",
            "authenticated",
            "authenticator login",
            "service_role",
            "supabase_auth_admin login",
            "supabase_storage_admin login"
        ]
    );

    // A limit that the operator has set is not overwritten.
    script(&superuser.owner, "alter role anon set statement_timeout = 0").await;
    ensure_roles(&pools.owner).await.unwrap();
    assert_eq!(
        value::<Vec<String>>(&pools.owner, LIMITS).await,
        ["anon statement_timeout=0", "authenticated statement_timeout=8s",]
    );

    // This login cannot create event triggers and sets default privileges for itself only.
    script(&superuser.owner, "grant create on schema public to deployer").await;
    prepare_project(&pools.owner).await.unwrap();
    prepare_project(&pools.owner).await.unwrap();
    script(&pools.owner, "create table public.open (id int)").await;
    let open = "select has_table_privilege('anon', 'public.open', 'select')";
    assert!(value::<bool>(&pools.owner, open).await);
    assert_eq!(value::<i64>(&pools.owner, "select count(*) from pg_event_trigger").await, 0);

    let table = (
        "migrations/202601010000_things.sql",
        "create table shop.things (name text); insert into shop.things values ('here');
         grant usage on schema shop to anon; grant select on shop.things to anon;",
    );
    migrate(&pools.owner, &[schema("shop", &[table])]).await.unwrap();
    let caller = Identity { search_path: "shop", ..identity("anon") };
    for _ in 0..2 {
        let read = statement("select name from things", &[]);
        assert_eq!(text(&pools.acting.run(&caller, read).await.unwrap()), "here");
    }
    let current_user = "select current_user::text, session_user::text";
    let rows =
        pools.acting.run(&identity("service_role"), statement(current_user, &[])).await.unwrap();
    let expected = ["service_role", "deployer"].map(|name| Some(name.to_owned()));
    assert_eq!(texts(&rows), [expected.to_vec()]);

    pools.close().await;
    superuser.close().await;
    server.stop().await;
}
