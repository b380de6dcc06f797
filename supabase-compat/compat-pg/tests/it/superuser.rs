//! A server whose role `postgres` is no superuser, as in hosted projects.

use compat_pg::{
    ConnectConfig, EmbeddedConfig, EmbeddedPostgres, OwnerDb, PgError, Pools, ProjectFile,
    ProjectLedger, ensure_roles, own_schemas, prepare_project,
};

use crate::world::{Folder, bin_dir, run, script, value};

/// A project's server, with connections of its superuser and of the project's programs.
struct ProjectServer {
    server: EmbeddedPostgres,
    owner: OwnerDb,
    program: OwnerDb,
}

impl ProjectServer {
    async fn start(folder: &Folder, demotes_postgres: bool) -> Self {
        let config = EmbeddedConfig {
            bin_dir: bin_dir(),
            demotes_postgres,
            ..EmbeddedConfig::throwaway(folder.path())
        };
        let server = EmbeddedPostgres::start(config).await.unwrap();
        let connect =
            async |url: String| Pools::connect(&ConnectConfig::new(url)).await.unwrap().owner;
        let owner = connect(server.owner_url()).await;
        ensure_roles(&owner).await.unwrap();
        prepare_project(&owner).await.unwrap();
        script(
            &owner,
            "create schema if not exists auth; create schema if not exists storage;
             create table if not exists auth.users (id int primary key);
             create table if not exists storage.objects (id int primary key);",
        )
        .await;
        own_schemas(&owner).await.unwrap();
        let program = connect(server.programs_url()).await;
        Self { server, owner, program }
    }

    /// Applies a migration; returns the SQLSTATE with which it is refused.
    async fn apply(&self, version: u32, text: &str) -> Option<String> {
        let file =
            ProjectFile { path: format!("migrations/{version}_x.sql"), text: text.to_owned() };
        let mut ledger = ProjectLedger::open(&self.owner, Vec::new()).await.unwrap();
        let applied = ledger.apply(&file).await;
        ledger.close().await.unwrap();
        match applied.err()? {
            PgError::Migration { source, .. } => source.code().map(str::to_owned),
            other => Some(other.to_string()),
        }
    }

    /// Runs SQL as a program and rolls back; returns the SQLSTATE with which it is refused.
    async fn refusal_code(&self, text: &str) -> Option<String> {
        let mut work = self.program.begin().await.unwrap();
        let done = run(&mut work, text).await;
        work.rollback().await.unwrap();
        done.err().and_then(|error| error.code().map(str::to_owned))
    }

    async fn stop(self) {
        self.program.close().await;
        self.owner.close().await;
        self.server.stop().await;
    }
}

/// The owners of the relations in the project's schemas.
const OWNERS: &str = "select string_agg(distinct c.relowner::regrole::text, ' ')
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'mine') and c.relkind in ('r', 'v', 'S')";

#[tokio::test]
async fn project_login_cannot_drop_service_schemas() {
    let folder = Folder::new("demoted");
    let served = ProjectServer::start(&folder, true).await;
    assert!(served.server.owner_url().contains("supabase_admin@"));
    let rights =
        "select concat_ws(' ', rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls)
        from pg_roles where rolname = current_user";
    assert_eq!(value::<String>(&served.program, rights).await, "f t t t t");
    for text in [
        "drop schema auth cascade",
        "drop schema storage cascade",
        "drop schema extensions cascade",
        "drop table auth.users",
        "alter role postgres superuser",
        "set role supabase_admin",
        "set session authorization supabase_admin",
        "create extension file_fdw",
    ] {
        assert_eq!(served.refusal_code(text).await.as_deref(), Some("42501"), "{text}");
    }
    for text in [
        "drop schema public cascade; create schema public",
        "select uuid_generate_v4()",
        "create extension citext; drop extension citext",
        "create extension earthdistance cascade; drop extension cube cascade",
        "do $$ begin create extension if not exists postgres_fdw; end $$; drop extension postgres_fdw",
        "create publication every for all tables; drop publication every",
        "create policy \"all\" on storage.objects using (true); drop policy \"all\" on storage.objects",
        "create trigger t after insert on auth.users execute function suppress_redundant_updates_trigger()",
        "truncate auth.users cascade",
        "set session_replication_role = replica",
        "alter role authenticator set pgrst.db_pre_request = 'check'",
        "create role reader; alter role anon set statement_timeout = '4s'; grant reader to authenticator",
        "create publication few; alter publication supabase_realtime add table realtime.messages",
        "insert into auth.users values (1); delete from storage.objects",
    ] {
        assert_eq!(served.refusal_code(text).await, None, "{text}");
    }
    let raised = "create extension moddatetime; alter role anon superuser";
    assert_eq!(served.refusal_code(raised).await.as_deref(), Some("42501"), "for one command only");
    served.stop().await;
}

#[tokio::test]
async fn migrations_needing_a_superuser_run_as_postgres() {
    let folder = Folder::new("migrations");
    let served = ProjectServer::start(&folder, true).await;
    let text = "create extension dblink; create table things (id serial primary key);
        create function public.watch() returns event_trigger language plpgsql as 'begin end';
        create event trigger watch on ddl_command_end execute function public.watch();
        do $$ begin create extension if not exists moddatetime; end $$;
        alter database postgres set app.settings.url = 'x';
        insert into things select 1 where current_user = 'postgres' and session_user = 'postgres';
        create policy mine on storage.objects using (true)";
    assert_eq!(served.apply(1, text).await, None);
    assert_eq!(value::<i64>(&served.program, "select count(*) from things").await, 1);
    for (text, code) in [
        ("create table more (); alter table auth.users owner to postgres", "42501"),
        ("create event trigger wrong on no_such_event execute function public.watch()", "42601"),
        ("create extension file_fdw", "42501"),
    ] {
        assert_eq!(served.apply(2, text).await.as_deref(), Some(code), "{text}");
    }
    let is_super = "select rolsuper from pg_roles where rolname = 'postgres'";
    assert!(!value::<bool>(&served.program, is_super).await);
    script(
        &served.program,
        "drop extension dblink; drop event trigger watch; drop extension moddatetime cascade; drop table things",
    )
    .await;
    served.stop().await;
}

#[tokio::test]
async fn folder_made_before_hands_the_project_over() {
    let folder = Folder::new("before");
    let served = ProjectServer::start(&folder, false).await;
    assert!(served.server.owner_url().contains("postgres@"));
    let data_folder = served
        .apply(
            1,
            "create schema mine; create table mine.things (id serial primary key);
             create view mine.seen as select * from auth.users; create extension dblink with schema mine;
             create table public.given (id int); alter table public.given owner to supabase_admin;
             create role reader; alter default privileges in schema mine grant select on tables to reader;
             create function public.watch() returns event_trigger language plpgsql as 'begin end';
             create event trigger watch on ddl_command_end execute function public.watch();
             alter role postgres set \"app.settings.word\" = 'it''s';
             insert into auth.users values (7)",
        )
        .await;
    assert_eq!(data_folder, None);
    served.stop().await;

    for version in 2..4 {
        let served = ProjectServer::start(&folder, true).await;
        assert_eq!(value::<String>(&served.owner, OWNERS).await, "postgres");
        let word = "select current_setting('app.settings.word') || current_setting('search_path')";
        let answer: String = value(&served.program, word).await;
        assert_eq!(answer, "it's\"$user\", public, extensions");
        assert_eq!(value::<i32>(&served.program, "select id from mine.seen").await, 7);
        let grants = "create table mine.late (); drop table public.given; create table public.given (id int);
             do $$ begin
                 assert has_table_privilege('reader', 'mine.late', 'select');
                 assert has_table_privilege('anon', 'public.given', 'insert');
             end $$; drop extension dblink; drop event trigger watch; alter role reader login; drop schema mine cascade";
        assert_eq!(served.refusal_code(grants).await, None);
        assert_eq!(served.refusal_code("drop schema auth cascade").await.as_deref(), Some("42501"));
        assert_eq!(served.apply(version, &format!("create table mine.t{version} ()")).await, None);
        served.stop().await;
    }
    // A start without `demotes_postgres` does not make `postgres` a superuser again.
    let served = ProjectServer::start(&folder, false).await;
    assert!(served.server.owner_url().contains("supabase_admin@"));
    assert_eq!(value::<String>(&served.owner, OWNERS).await, "postgres");
    served.stop().await;
}
