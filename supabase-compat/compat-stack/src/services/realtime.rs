//! realtime/v1 in the stack: its sockets are closed after the last request, and it listens to the
//! other processes while it runs.

use compat_realtime::{MESSAGE_DAYS, RealtimeCounts, State, run_changes, run_relay, run_sockets};
use prometheus::core::Collector;

use crate::metrics::{Figure, Figures};
use crate::pool_budgets::{REALTIME, REALTIME_QUESTIONS};
use crate::service::{RunningService, Service, StandaloneMode, StartContext};
use crate::{ConnectionLimits, StackError};

pub(super) static SERVICE: Service = Service {
    name: "realtime",
    path: "/realtime/v1",
    schema: Some(&compat_realtime::SCHEMA),
    standalone: StandaloneMode::Same,
    start,
};

fn start(context: &StartContext<'_>) -> Result<RunningService, StackError> {
    let owner = context.pools.owner.with_budget(REALTIME);
    let questions = context.pools.owner.with_budget(REALTIME_QUESTIONS);
    let acting = context.pools.acting.clone();
    let mut config = context.settings.realtime.clone();
    // A socket takes a file descriptor but does not count as a connection, and other work needs
    // files, too.
    let files = ConnectionLimits::of_this_process().connections;
    config.max_sockets = config.max_sockets.min((files / 2).max(1));
    let state = State::new(context.environment.clone(), owner, questions, acting, config);
    let (served, closed, relayed) = (state.clone(), state.clone(), state.clone());
    let (stop, end) = (context.stop.clone(), context.stop.clone());
    let (changed, over) = (state.clone(), context.stop.clone());
    let (aged, last) = (state.clone(), context.stop.clone());
    let running = RunningService::new(move |_| Ok(compat_realtime::router(served.clone())))
        .with_task("realtime.sockets", move || run_sockets(closed.clone(), stop.clone()))
        .with_task("realtime.changes", move || run_changes(changed.clone(), over.clone()))
        .with_task("realtime.messages", move || MESSAGE_DAYS.run(aged.clone(), last.clone()))
        .with_task("realtime.relay", move || run_relay(relayed.clone(), end.clone()));
    Ok(RunningService { figures: Some(figures(state)), ..running })
}

/// Metrics, under the original's names where it has them.
fn figures(state: State) -> Box<dyn Collector> {
    Box::new(Figures::new(move || {
        let counts: RealtimeCounts = state.counts();
        vec![
            Figure::gauge_of(
                "realtime_connections_connected",
                "Sockets that are open.",
                counts.sockets,
            ),
            Figure::gauge_of(
                "realtime_connections_limit_concurrent",
                "Sockets that may be open at once.",
                counts.max_sockets,
            ),
            Figure::gauge_of("realtime_channels", "Channels that somebody is in.", counts.channels),
            Figure::counter("realtime_channel_joins", "Joins asked for.", counts.joins),
            Figure::counter(
                "realtime_channel_joins_refused",
                "Joins refused.",
                counts.refused_joins,
            ),
            Figure::counter("realtime_channel_events", "Broadcasts taken.", counts.broadcasts),
            Figure::counter(
                "realtime_channel_deliveries",
                "Broadcasts handed to sockets.",
                counts.deliveries,
            ),
            Figure::counter(
                "realtime_channel_presence_events",
                "Tracks and untracks.",
                counts.presence_events,
            ),
            Figure::counter(
                "realtime_channel_db_events",
                "Changes of tables handed to sockets.",
                counts.changes,
            ),
            Figure::gauge_of(
                "realtime_channel_events_limit_per_second",
                "Broadcasts that a socket may send in a second.",
                counts.max_events_per_second as usize,
            ),
            Figure::gauge_of(
                "realtime_channel_joins_limit_per_second",
                "Joins that a socket may ask for in a second.",
                counts.max_joins_per_second as usize,
            ),
            Figure::counter(
                "realtime_channel_input_bytes",
                "Bytes of frames received.",
                counts.input_bytes,
            ),
            Figure::counter(
                "realtime_channel_output_bytes",
                "Bytes of frames sent.",
                counts.output_bytes,
            ),
            Figure::counter(
                "realtime_slow_readers_closed",
                "Sockets closed because their clients read too slowly.",
                counts.slow_readers,
            ),
            Figure::counter(
                "realtime_relay_dropped",
                "Broadcasts that other processes were not told.",
                counts.dropped_relays,
            ),
        ]
    }))
}
