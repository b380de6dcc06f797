//! What each persona may do with each row, by verb: one table of expectations for each relation
//! that callers can reach. A reachable relation without a table fails the test.

mod catalogue;
mod closed;
mod figures;
mod integrations;
mod listings;
mod people;
mod promotion;
mod voices;

use std::collections::{BTreeMap, BTreeSet};

use super::stage::{Persona, Refusal, Stage};

/// The outcome of a statement: it affects its row, it finds none, or it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Row,
    None,
    Refused(&'static str),
}

/// The statement affects its row.
pub const Y: Outcome = Outcome::Row;
/// The statement finds no row.
pub const N: Outcome = Outcome::None;
/// The statement is refused for want of a privilege.
pub const X: Outcome = Outcome::Refused("42501");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Select,
    Insert,
    Update,
    Delete,
}

/// One expectation: the statement, and its outcome for the seven personas in their order (anon,
/// Stan, Olga the owner, Boris the banned, Ada the administrator, Fanny the founder, the service).
pub type Line = (&'static str, Verb, &'static str, [Outcome; 7]);

fn all_lines() -> Vec<Line> {
    [
        catalogue::LINES,
        figures::LINES,
        integrations::LINES,
        listings::LINES,
        people::LINES,
        promotion::LINES,
        voices::LINES,
    ]
    .concat()
}

/// Tries every line as every persona, each in its own transaction, which is rolled back.
async fn check(lines: &[Line]) {
    let stage = Stage::new().await;
    let mut wrong = Vec::new();
    for (_, _, sql, expected) in lines {
        for (persona, expected) in Persona::ALL.into_iter().zip(expected) {
            let found = attempt(&stage, persona, sql).await;
            if !found.is(*expected) {
                wrong.push(format!("{persona:?}: {sql}\n  expected {expected:?}, found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the database did: how many rows it touched, or why it refused.
#[derive(Debug)]
struct ActualOutcome(Result<u64, Refusal>);

impl ActualOutcome {
    fn is(&self, expected: Outcome) -> bool {
        match (&self.0, expected) {
            (Ok(rows), Outcome::Row) => *rows == 1,
            (Ok(rows), Outcome::None) => *rows == 0,
            (Err(refusal), Outcome::Refused(code)) => refusal.code == code,
            _ => false,
        }
    }
}

async fn attempt(stage: &Stage, persona: Persona, sql: &'static str) -> ActualOutcome {
    let mut transaction = stage.acting(persona).await;
    let answer = sqlx::query(sql).execute(&mut *transaction).await.map_err(Refusal::from);
    transaction.rollback().await.expect("taken back");
    ActualOutcome(answer.map(|done| done.rows_affected()))
}

#[tokio::test]
async fn every_relation_has_expectations_for_every_verb() {
    let stage = Stage::new().await;
    let mut owner = stage.begin().await;
    let reachable: Vec<String> = sqlx::query_scalar(
        "select c.relname::text
         from pg_catalog.pg_class c
         cross join unnest('{anon,authenticated}'::name[]) as callers (caller)
         where c.relnamespace = 'public'::regnamespace
           and c.relkind in ('r', 'p', 'v', 'm', 'f')
           and (has_any_column_privilege(caller, c.oid, 'select, insert, update, references')
             or has_table_privilege(caller, c.oid, 'delete, truncate, trigger'))
         group by c.relname
         order by c.relname",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the relations");
    let mut expected: BTreeMap<String, BTreeSet<Verb>> = BTreeMap::new();
    for (relation, verb, _, _) in all_lines() {
        expected.entry(relation.to_owned()).or_default().insert(verb);
    }
    let every = BTreeSet::from([Verb::Select, Verb::Insert, Verb::Update, Verb::Delete]);
    let complete: BTreeMap<_, _> =
        reachable.into_iter().map(|name| (name, every.clone())).collect();
    assert_eq!(expected, complete);
}

#[tokio::test]
async fn every_table_has_row_security() {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    let open: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_catalog.pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the tables");
    assert_eq!(open, Vec::<String>::new());
}

#[tokio::test]
async fn the_catalogue_obeys_its_table() {
    check(catalogue::LINES).await;
}

#[tokio::test]
async fn listings_obey_their_table() {
    check(listings::LINES).await;
}

#[tokio::test]
async fn people_obey_their_table() {
    check(people::LINES).await;
}

#[tokio::test]
async fn reviews_reports_proposals_and_votes_obey_their_table() {
    check(voices::LINES).await;
}

#[tokio::test]
async fn figures_obey_their_table() {
    check(figures::LINES).await;
}

#[tokio::test]
async fn integrations_and_events_obey_their_table() {
    check(integrations::LINES).await;
}

#[tokio::test]
async fn promotion_obeys_its_table() {
    check(promotion::LINES).await;
}
