//! Sessions for statements of others: when a connection is reused, and that no state is left in it.

use std::time::Duration;

use compat_pg::{Session, SessionDb, SessionError, SessionLimits, SessionMessage, SessionRules};
use compat_testkit::TestDatabase;

use crate::world::{script, value};

const LIMITS: SessionLimits = SessionLimits {
    connections: 2,
    acquire_timeout: Duration::from_secs(20),
    max_idle: Duration::from_secs(60),
};

/// A function that runs any statement in the caller's session, and the roles to call it.
const SCHEMA: &str = "
    do $$ begin create role session_user_role login; exception when duplicate_object or unique_violation then null; end $$;
    do $$ begin create role session_other_role; exception when duplicate_object or unique_violation then null; end $$;
    grant session_other_role to session_user_role;
    grant all on schema public to session_user_role;
    grant create, temporary on database \"NAME\" to session_user_role;
    create sequence counter;
    grant all on sequence counter to session_user_role;
    create function perform(statement text) returns text language plpgsql as
        'begin execute statement; return statement; end';";

/// The session state that an earlier statement could have changed.
const FACTS: &str = "select current_user::text || ' ' || current_setting('search_path')
        || ' ' || current_setting('default_transaction_read_only')
        || ' ' || current_setting('work_mem')
        || ' ' || coalesce(to_regclass('pg_temp.mine')::text, 'none')
        || ' ' || (select count(*) from pg_listening_channels())
        || ' ' || (select count(*) from pg_prepared_statements)
        || ' ' || (select count(*) from pg_cursors where is_holdable)
        || ' ' || (select count(*) from pg_locks where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database()))";
const UNTOUCHED: &str = "session_user_role \"$user\", public off 4MB none 0 0 0 0";

const PROCESS: &str = "select pg_backend_pid()";

struct World {
    db: TestDatabase,
    sessions: SessionDb,
}

impl World {
    async fn new(limits: SessionLimits) -> Self {
        let db = TestDatabase::empty().await;
        script(&db.pools().owner, &SCHEMA.replace("NAME", db.name())).await;
        let sessions = SessionDb::new(&db.url_as("session_user_role"), limits).unwrap();
        Self { db, sessions }
    }

    async fn open(&self) -> Session {
        self.sessions.open(&rules("test")).await.unwrap()
    }

    /// The first value of the result of a text that runs in its own session.
    async fn ask(&self, text: &str) -> Result<String, SessionError> {
        let mut session = self.open().await;
        session.query(text).await?;
        let answer = first(&mut session).await;
        session.give_back().await;
        answer
    }

    async fn process(&self) -> String {
        self.ask(PROCESS).await.unwrap()
    }

    /// The number of the login's connections.
    async fn count(&self) -> i64 {
        let count = "select count(*) from pg_stat_activity
            where datname = current_database() and usename = 'session_user_role'";
        value(&self.db.pools().owner, count).await
    }

    async fn until_closed(&self) {
        while self.count().await > 0 {
            tokio::task::yield_now().await;
        }
    }
}

fn rules(application: &str) -> SessionRules {
    SessionRules {
        application: application.to_owned(),
        time: Duration::from_secs(20),
        bytes: 64 * 1024,
    }
}

async fn first(session: &mut Session) -> Result<String, SessionError> {
    let mut text = String::new();
    while let Some(message) = session.next().await? {
        if let SessionMessage::Row(row) = message {
            let value = row.values().next().flatten().unwrap_or_default();
            text = String::from_utf8_lossy(value).into_owned();
        }
    }
    Ok(text)
}

#[tokio::test]
async fn plain_statements_share_a_connection() {
    let world = World::new(LIMITS).await;
    let process = world.process().await;
    for text in ["table pg_database", "select 1; values (2)", "show work_mem"] {
        world.ask(text).await.unwrap();
        assert_eq!(world.process().await, process, "{text}");
    }
    let mut session = world.open().await;
    session.query_with("select $1::int", &[Some("7".to_owned())], None).await.unwrap();
    assert_eq!(first(&mut session).await.unwrap(), "7");
    session.give_back().await;
    assert_eq!(world.process().await, process);
    assert_eq!(world.count().await, 1);
}

#[tokio::test]
async fn nothing_that_statements_do_reaches_others() {
    let world = World::new(LIMITS).await;
    for text in [
        "set role session_other_role",
        "set session authorization session_user_role",
        "set search_path = pg_catalog",
        "set default_transaction_read_only = on",
        "set session characteristics as transaction read only",
        "set work_mem = '8MB'",
        "create temp table mine (a int)",
        "listen someone",
        "prepare mine as select 1",
        "declare mine cursor with hold for select 1",
        "do $$ begin perform pg_advisory_lock(7); end $$",
    ] {
        let process = world.process().await;
        world.ask(text).await.unwrap();
        assert_eq!(world.ask(FACTS).await.unwrap(), UNTOUCHED, "{text}");
        assert_ne!(world.process().await, process, "{text}: the connection was closed");
    }
    for text in ["begin", "begin; select 1", "select 1; begin"] {
        world.ask(text).await.unwrap();
        assert_eq!(world.ask(FACTS).await.unwrap(), UNTOUCHED, "{text}");
    }
}

#[tokio::test]
async fn nothing_that_called_functions_do_reaches_others() {
    let world = World::new(LIMITS).await;
    for text in [
        "select perform('set role session_other_role')",
        "select perform('set search_path = pg_catalog')",
        "select perform('set default_transaction_read_only = on')",
        "select perform('set work_mem = ''8MB''')",
        "select perform('create temp table mine (a int)')",
        "select 1 as a into temp mine",
        "select perform('listen someone')",
        "select perform('prepare mine as select 1')",
        "select perform('declare mine cursor with hold for select 1')",
        "select pg_advisory_lock(7)",
        "select pg_advisory_lock_shared(7), pg_advisory_lock(7, 8)",
    ] {
        world.ask(text).await.unwrap();
        assert_eq!(world.ask(FACTS).await.unwrap(), UNTOUCHED, "{text}");
    }
    world.ask("select nextval('counter')").await.unwrap();
    let refusal = world.ask("select lastval()").await.unwrap_err();
    assert!(matches!(refusal, SessionError::Refused(_)), "{refusal}");
    world.ask("select set_config('mine.own', 'secret', false)").await.unwrap();
    let own = "select current_setting('mine.own', true) is null";
    assert_eq!(world.ask(own).await.unwrap(), "t");
    // A custom setting that a function has set stays defined in the process, but is empty.
    world.ask("select perform('set mine.own = ''secret''')").await.unwrap();
    let own = "select coalesce(current_setting('mine.own', true), '')";
    assert_eq!(world.ask(own).await.unwrap(), "");
}

#[tokio::test]
async fn refused_and_abandoned_statements_close_their_connection() {
    let world = World::new(LIMITS).await;
    let process = world.process().await;
    let mut session = world.open().await;
    session.query("select 1/0").await.unwrap();
    assert!(first(&mut session).await.is_err());
    session.give_back().await;
    let next = world.process().await;
    assert_ne!(next, process);

    let mut session = world.open().await;
    session.query("select pg_sleep(100)").await.unwrap();
    session.give_back().await;
    assert_ne!(world.process().await, next);

    let short = SessionRules { time: Duration::from_millis(50), ..rules("test") };
    let mut session = world.sessions.open(&short).await.unwrap();
    session.query("select pg_sleep(100)").await.unwrap();
    assert!(matches!(first(&mut session).await, Err(SessionError::TooLong(_))));
    session.give_back().await;
    let running = "select count(*) from pg_stat_activity where query like '%pg_sleep%'
        and usename = 'session_user_role' and datname = current_database()";
    while value::<i64>(&world.db.pools().owner, running).await > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.ask(FACTS).await.unwrap(), UNTOUCHED);
}

#[tokio::test]
async fn connection_that_was_ended_is_replaced() {
    let world = World::new(LIMITS).await;
    let process = world.process().await;
    let end = "select bool_and(pg_terminate_backend(pid, 20000)) from pg_stat_activity
        where datname = current_database() and usename = 'session_user_role'";
    assert!(value::<bool>(&world.db.pools().owner, end).await);
    assert_ne!(world.process().await, process);
}

#[tokio::test]
async fn settings_of_the_login_reach_later_sessions() {
    let world = World::new(LIMITS).await;
    let process = world.process().await;
    // The login changes its own settings: the next session has them.
    let set = format!(
        "alter role session_user_role in database \"{}\" set work_mem = '5MB'",
        world.db.name()
    );
    world.ask(&set).await.unwrap();
    assert_eq!(world.ask("show work_mem").await.unwrap(), "5MB");
    // Another role changes them: a connection that is returned after that is not reused.
    let session = world.open().await;
    let owner = &world.db.pools().owner;
    script(owner, &set.replace("5MB", "6MB")).await;
    session.give_back().await;
    assert_eq!(world.ask("show work_mem").await.unwrap(), "6MB");
    assert_ne!(world.process().await, process);
}

#[tokio::test]
async fn sessions_have_the_name_they_ask_for() {
    let world = World::new(LIMITS).await;
    for name in ["one", "two", "one"] {
        let mut session = world.sessions.open(&rules(name)).await.unwrap();
        session.query("show application_name").await.unwrap();
        assert_eq!(first(&mut session).await.unwrap(), name);
        session.give_back().await;
    }
    assert_eq!(world.count().await, 2);
    // A session with a third name closes one of the two connections.
    let session = world.sessions.open(&rules("three")).await.unwrap();
    while world.count().await > 2 {
        tokio::task::yield_now().await;
    }
    session.give_back().await;
}

#[tokio::test]
async fn logins_share_the_connections_that_wait() {
    let world = World::new(LIMITS).await;
    let other = world.sessions.with_login(&world.db.url_as("session_user_role")).unwrap();
    let process = world.process().await;
    let mut session = other.open(&rules("test")).await.unwrap();
    session.query(PROCESS).await.unwrap();
    assert_ne!(first(&mut session).await.unwrap(), process, "each login has its own");
    let both = [session, other.open(&rules("test")).await.unwrap()];
    while world.count().await > 2 {
        tokio::task::yield_now().await;
    }
    drop(both);
}

#[tokio::test]
async fn connections_do_not_wait_for_ever() {
    let world = World::new(SessionLimits { max_idle: Duration::from_millis(50), ..LIMITS }).await;
    world.process().await;
    world.until_closed().await;
    let none = World::new(SessionLimits { max_idle: Duration::ZERO, ..LIMITS }).await;
    let process = none.process().await;
    assert_ne!(none.process().await, process);
    none.until_closed().await;
}

#[tokio::test]
async fn dropped_session_db_closes_its_connections() {
    let world = World::new(LIMITS).await;
    world.process().await;
    let World { db, sessions } = world;
    drop(sessions);
    let count = "select count(*) from pg_stat_activity
        where datname = current_database() and usename = 'session_user_role'";
    while value::<i64>(&db.pools().owner, count).await > 0 {
        tokio::task::yield_now().await;
    }
}
