//! storage/v1 in the stack: its buckets are made before it is ready, its files lie in the data
//! folder.

mod first;

use std::sync::Arc;
use std::time::Duration;

use compat_storage::{Config, State, Sweeper, run_cache, run_expiry};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::StackError;
use crate::service::{Alone, Ground, Running, Service};
use first::First;

pub(super) static SERVICE: Service = Service {
    name: "storage",
    path: "/storage/v1",
    schema: Some(&compat_storage::SCHEMA),
    alone: Alone::AtRoot,
    start,
};

/// Between two attempts to make the buckets.
const PAUSE: Duration = Duration::from_secs(1);

fn start(ground: &Ground<'_>) -> Result<Running, StackError> {
    let settings = ground.settings;
    let bytes =
        settings.objects.open(&ground.environment.outgoing, &ground.environment.entropy).shared();
    let config = Config { mount: SERVICE.path.to_owned(), ..settings.storage.clone() };
    let sweeper = Sweeper::new(
        ground.pools.owner.clone(),
        Arc::clone(&bytes),
        ground.environment.clock.clone(),
    );
    let state = State::new(ground.environment.clone(), ground.pools.acting.clone(), bytes, config);
    let (made, seen) = watch::channel(false);
    let (served, seeded, stop) = (state.clone(), state.clone(), ground.stop.clone());
    let (aging, end) = (state.clone(), ground.stop.clone());
    let running = Running::new(move |_| Ok(compat_storage::router(served.clone()))).with_task(
        "storage.buckets",
        {
            let made = made.clone();
            let first = First {
                buckets: settings.storage.buckets.clone(),
                folders: settings.first_objects.clone(),
            };
            move || make_buckets(seeded.clone(), first.clone(), made.clone(), stop.clone())
        },
    );
    let (cached, listener, stop) =
        (state, ground.pools.owner.listener().clone(), ground.stop.clone());
    let running = running
        .with_task("storage.cache", {
            let stop = stop.clone();
            move || run_cache(cached.clone(), listener.clone(), stop.clone())
        })
        .with_task("storage.sweep", move || sweeper.clone().run(stop.clone()));
    let running =
        running.with_task("storage.uploads", move || run_expiry(aging.clone(), end.clone()));
    let warmed = seen.clone();
    Ok(Running {
        missing: Box::new(move || (!*seen.borrow()).then(|| "the buckets are not made".to_owned())),
        warm: Box::new(move || {
            let mut seen = warmed.clone();
            Box::pin(async move {
                let _ = seen.wait_for(|made| *made).await;
            })
        }),
        ..running
    })
}

/// Makes the buckets that are to exist, as often as it takes.
async fn make_buckets(
    state: State,
    first: First,
    made: watch::Sender<bool>,
    stop: CancellationToken,
) {
    while let Err(error) = first.make(&state).await {
        tracing::warn!(%error, "the buckets could not be made; trying again");
        if stop.run_until_cancelled(tokio::time::sleep(PAUSE)).await.is_none() {
            return;
        }
    }
    made.send_replace(true);
    stop.cancelled().await;
}
