//! storage/v1 in the stack: its buckets are created before it is ready, and its files are in the
//! data folder.

mod seed;

use std::sync::Arc;
use std::time::Duration;

use compat_storage::{Config, State, Sweeper, run_cache, run_expiry};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::StackError;
use crate::service::{RunningService, Service, StandaloneMode, StartContext};
use seed::SeedObjects;

pub(super) static SERVICE: Service = Service {
    name: "storage",
    path: "/storage/v1",
    schema: Some(&compat_storage::SCHEMA),
    standalone: StandaloneMode::AtRoot,
    start,
};

/// The pause between two attempts to create the buckets.
const PAUSE: Duration = Duration::from_secs(1);

fn start(context: &StartContext<'_>) -> Result<RunningService, StackError> {
    let settings = context.settings;
    let bytes =
        settings.objects.open(&context.environment.outgoing, &context.environment.entropy).shared();
    let config = Config { mount: SERVICE.path.to_owned(), ..settings.storage.clone() };
    let sweeper = Sweeper::new(
        context.pools.owner.clone(),
        Arc::clone(&bytes),
        context.environment.clock.clone(),
    );
    let state =
        State::new(context.environment.clone(), context.pools.acting.clone(), bytes, config);
    let (are_made, buckets_made) = watch::channel(false);
    let (served, seeded, stop) = (state.clone(), state.clone(), context.stop.clone());
    let (aging, end) = (state.clone(), context.stop.clone());
    let running = RunningService::new(move |_| Ok(compat_storage::router(served.clone())))
        .with_task("storage.buckets", {
            let are_made = are_made.clone();
            let first = SeedObjects {
                buckets: settings.storage.buckets.clone(),
                folders: settings.first_objects.clone(),
            };
            move || make_buckets(seeded.clone(), first.clone(), are_made.clone(), stop.clone())
        });
    let (cached, listener, stop) =
        (state, context.pools.owner.listener().clone(), context.stop.clone());
    let running = running
        .with_task("storage.cache", {
            let stop = stop.clone();
            move || run_cache(cached.clone(), listener.clone(), stop.clone())
        })
        .with_task("storage.sweep", move || sweeper.clone().run(stop.clone()));
    let running =
        running.with_task("storage.uploads", move || run_expiry(aging.clone(), end.clone()));
    let warmed = buckets_made.clone();
    Ok(RunningService {
        missing: Box::new(move || {
            (!*buckets_made.borrow()).then(|| "the buckets are not made".to_owned())
        }),
        warm: Box::new(move || {
            let mut buckets_made = warmed.clone();
            Box::pin(async move {
                let _ = buckets_made.wait_for(|are_made| *are_made).await;
            })
        }),
        ..running
    })
}

/// Creates the configured buckets, with retries until it succeeds or is stopped.
async fn make_buckets(
    state: State,
    first: SeedObjects,
    are_made: watch::Sender<bool>,
    stop: CancellationToken,
) {
    while let Err(error) = first.make(&state).await {
        tracing::warn!(%error, "cannot create the buckets; retrying");
        if stop.run_until_cancelled(tokio::time::sleep(PAUSE)).await.is_none() {
            return;
        }
    }
    are_made.send_replace(true);
    stop.cancelled().await;
}
