//! The sweep: content without a row, and content that must stay.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use compat_http::Clock;
use compat_storage::bytes::{ObjectBytes as _, ObjectLocation, StoreFinding, stream_of};
use compat_storage::{SweepReport, Sweeper};
use futures_util::TryStreamExt as _;
use http::Method;

use crate::world::{World, and};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A sweeper with a manual clock.
struct Setup {
    world: World,
    clock: Clock,
    sweeper: Sweeper,
}

impl Setup {
    async fn new() -> Self {
        let world = World::furnished().await;
        let clock = Clock::manual(Clock::system().now());
        let owner = world.db.pools().owner.clone();
        let sweeper = Sweeper::new(owner, Arc::new(world.store()), clock.clone());
        Self { world, clock, sweeper }
    }

    async fn entries(&self) -> BTreeSet<String> {
        let entries: Vec<_> = self.world.store().places().try_collect().await.unwrap();
        let named = |found| match found {
            StoreFinding::Object(place) => format!("{}/{}", place.bucket, place.key),
            StoreFinding::Part(version) => version.to_string(),
        };
        entries.into_iter().map(|entries| named(entries.finding)).collect()
    }

    /// Stores content that no row names.
    async fn orphan(&self, bucket: &str, key: &str) -> ObjectLocation {
        let version = compat_http::Entropy::system().uuid();
        let place = ObjectLocation { bucket: bucket.to_owned(), key: key.to_owned(), version };
        self.world.store().write(&place, stream_of("x"), 10).await.unwrap();
        place
    }
}

fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[tokio::test]
async fn orphaned_files_are_removed_after_a_day() {
    let setup = Setup::new().await;
    let ada = setup.world.personas.as_user("ada");
    for number in 0..700 {
        let path = format!("shut/ada/{number}");
        assert_eq!(setup.world.put(&path, ada.clone(), "kept").await.status, 200);
    }
    setup.orphan("shut", "ada/0").await;
    setup.orphan("shut", "nobody's").await;
    setup.orphan("elsewhere", "a").await;
    // Young content stays: its row may be about to be written.
    let report = setup.sweeper.sweep().await.unwrap().unwrap();
    assert_eq!(report, SweepReport { seen: 703, removed: 0, strange: 0 });
    setup.clock.advance(DAY + HOUR);
    let report = setup.sweeper.sweep().await.unwrap().unwrap();
    assert_eq!(report, SweepReport { seen: 703, removed: 2, strange: 1 });
    assert_eq!(setup.world.files(), 701);
    setup.clock.advance(30 * DAY);
    let report = setup.sweeper.sweep().await.unwrap().unwrap();
    assert_eq!(report, SweepReport { seen: 701, removed: 1, strange: 0 });
    for number in 0..700 {
        let answer = setup.world.get(&format!("/object/shut/ada/{number}"), ada.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "kept"));
    }
}

#[tokio::test]
async fn sweep_keeps_parts_of_active_uploads() {
    let setup = Setup::new().await;
    let store = setup.world.store();
    let mut versions = Vec::new();
    for key in ["kept", "given up"] {
        let place = setup.orphan("shut", key).await;
        store.write_part(&place, 1, stream_of("part"), 10).await.unwrap();
        store.remove(std::slice::from_ref(&place)).await.unwrap();
        versions.push(place.version.to_string());
    }
    let row = "insert into storage.s3_multipart_uploads
        (id, upload_signature, bucket_id, key, version) values ('1', '', 'shut', 'kept', '";
    setup.world.sql(&format!("{row}{}')", versions[0])).await;
    setup.clock.advance(40 * DAY);
    let report = setup.sweeper.sweep().await.unwrap().unwrap();
    assert_eq!(report, SweepReport { seen: 2, removed: 1, strange: 0 });
    assert_eq!(setup.entries().await, names([&versions[0]]));
}

#[tokio::test]
async fn resumable_parts_stay_until_given_up() {
    let setup = Setup::new().await;
    let ada = || setup.world.personas.as_user("ada");
    // The metadata means bucketName `shut` and objectName `ada/a`.
    let headers = and(
        ada(),
        &[
            ("tus-resumable", "1.0.0"),
            ("upload-length", "4"),
            ("upload-metadata", "bucketName c2h1dA==,objectName YWRhL2E="),
        ],
    );
    let headers = setup.world.ask(Method::POST, "/upload/resumable", headers, "").await;
    let place = headers.header("location").split_once("/storage/v1").expect("an address").1;
    let piece = [
        ("tus-resumable", "1.0.0"),
        ("upload-offset", "0"),
        ("content-type", "application/offset+octet-stream"),
    ];
    let response = setup.world.ask(Method::PATCH, place, and(ada(), &piece), "01").await;
    assert_eq!((response.status.as_u16(), response.header("upload-offset")), (204, "2"));
    let entries = setup.entries().await;
    setup.clock.advance(40 * DAY);
    let report = setup.sweeper.sweep().await.unwrap().unwrap();
    assert_eq!(
        (report, setup.entries().await),
        (SweepReport { seen: 1, ..SweepReport::default() }, entries)
    );
    setup.world.sql("delete from storage.tus_uploads").await;
    setup.clock.advance(DAY);
    let report = setup.sweeper.sweep().await.unwrap().unwrap();
    assert_eq!(report, SweepReport { seen: 1, removed: 1, strange: 0 });
    assert_eq!(setup.entries().await, names([]));
}

#[tokio::test]
async fn one_process_sweeps_at_a_time() {
    let setup = Setup::new().await;
    let owner = setup.world.db.pools().owner.clone();
    let other = Sweeper::new(owner, Arc::new(setup.world.store()), setup.clock.clone());
    let (one, two) = tokio::join!(setup.sweeper.sweep(), other.sweep());
    let reports = [one.unwrap(), two.unwrap()];
    assert_eq!(reports.iter().flatten().count(), 1);
    assert_eq!(other.sweep().await.unwrap(), None);
    setup.clock.advance(6 * HOUR);
    assert!(other.sweep().await.unwrap().is_some());
    assert_eq!(setup.sweeper.sweep().await.unwrap(), None);
}
