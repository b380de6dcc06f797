//! Jobs that consist of one statement.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{Job, JobState, OwnerDb};
use compat_testkit::TestDatabase;

use crate::world::{script, value};

const HOUR: Duration = Duration::from_secs(60 * 60);

struct State {
    owner: OwnerDb,
    now: DateTime<Utc>,
}

impl JobState for State {
    fn pool(&self) -> &OwnerDb {
        &self.owner
    }

    fn now(&self) -> DateTime<Utc> {
        self.now
    }
}

static THIN: Job<State> =
    Job::sql("thin", HOUR, "select public.thin($1, $2)").older_than(|_| HOUR).in_steps_of(2);

static COUNT: Job<State> = Job::sql("count", HOUR, "select count(*)::integer from public.rows");

#[tokio::test]
async fn job_statement_repeats_until_a_partial_batch() {
    let db = TestDatabase::empty().await;
    let owner = db.pools().owner.clone();
    script(
        &owner,
        "create table public.rows (at timestamptz);
         create table public.steps (rows integer);
         insert into public.rows select '2026-11-25T10:00:00Z' from generate_series(1, 5);
         insert into public.rows values ('2026-11-25T11:30:00Z');
         create function public.thin(p_before timestamptz, p_rows integer) returns integer
         language plpgsql as $$
         declare v_gone integer;
         begin
             delete from public.rows
             where ctid in (select ctid from public.rows where at < p_before limit p_rows);
             get diagnostics v_gone = row_count;
             insert into public.steps values (v_gone);
             return v_gone;
         end $$",
    )
    .await;
    let state = State { owner, now: "2026-11-25T12:00:00Z".parse().unwrap() };
    assert_eq!(THIN.work(&state).await.unwrap(), 5);
    let steps = "select string_agg(rows::text, ' ' order by rows desc) from public.steps";
    assert_eq!(value::<String>(&state.owner, steps).await, "2 2 1");
    assert_eq!(COUNT.work(&state).await.unwrap(), 1, "a statement without parameters");
}
