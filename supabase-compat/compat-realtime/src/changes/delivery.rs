//! Sends the changes of a batch to their subscribers: one text for all subscribers that get the
//! same, and one write for everything that a socket gets. It makes no decision.

use std::collections::HashMap;
use std::sync::Arc;

use tokio_tungstenite::tungstenite::Message;

use super::dispatcher::Candidate;
use super::table::{Change, Table};
use super::target::EventKind;

const NO_KEY: &str = "Error 400: Bad Request, no primary key";
const NO_RIGHT: &str = "Error 401: Unauthorized";

/// Sends each subscriber its changes, one message per change for all of its bindings; returns the
/// number of messages. A subscriber gets its whole batch at once: sending change by change would
/// wake, and write to, each socket as often as there are changes.
pub(super) fn send<'a>(
    changes: &[Change],
    candidates: &[Candidate],
    table: impl Fn(u32) -> Option<&'a Table>,
) -> usize {
    let mut texts: HashMap<TextKey, Arc<str>> = HashMap::new();
    let mut deliveries = 0;
    for candidates in by_subscriber(candidates) {
        let mut frames = Vec::new();
        for same in candidates.chunk_by(|one, other| one.change == other.change) {
            let change = &changes[same[0].change];
            if let Some(table) = table(change.table) {
                write_change(table, change, same, &mut texts, &mut frames);
            }
        }
        let count = frames.len();
        if let Some(first) = candidates.first()
            && first.route.subscriber.sender.push_all(frames)
        {
            deliveries += count;
        }
    }
    deliveries
}

/// The candidates of each subscriber, in the order of their changes.
fn by_subscriber(candidates: &[Candidate]) -> Vec<Vec<&Candidate>> {
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut all: Vec<Vec<&Candidate>> = Vec::new();
    for candidate in candidates {
        let address = Arc::as_ptr(&candidate.route.subscriber).addr();
        let place = *places.entry(address).or_insert(all.len());
        match all.get_mut(place) {
            Some(own) => own.push(candidate),
            None => all.push(vec![candidate]),
        }
    }
    all
}

/// What the text of a change depends on: the change, the address of the role's rights in memory,
/// and the selected columns.
type TextKey = (usize, usize, Option<Arc<[String]>>);

/// Writes the frames of one change for one subscriber. Bindings that select different columns get
/// frames of their own.
fn write_change(
    table: &Table,
    change: &Change,
    candidates: &[&Candidate],
    texts: &mut HashMap<TextKey, Arc<str>>,
    frames: &mut Vec<Message>,
) {
    let mut rest: Vec<&Candidate> = candidates.to_vec();
    while let Some(first) = rest.first().copied() {
        let select = &first.route.bound().select;
        let (same, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|one| one.route.bound().select == *select);
        rest = others;
        let ids: Vec<u32> = same.iter().map(|one| one.route.bound().id).collect();
        let access = first.access.as_ref().map_or(0, |access| Arc::as_ptr(access).addr());
        let key = (first.change, access, select.clone());
        let text = texts.entry(key).or_insert_with(|| text(table, change, first).into());
        frames.push(first.route.subscriber.sender.change(&ids, change.kind, text));
    }
}

fn text(table: &Table, change: &Change, candidate: &Candidate) -> String {
    if change.kind != EventKind::Delete && !table.has_key() {
        return table.failure(change.kind, NO_KEY);
    }
    match &candidate.access {
        Some(access) if change.kind == EventKind::Delete || access.reads_key => {
            let selected = table.selected_columns(access, candidate.route.bound().select.as_ref());
            table.data(change, &selected)
        }
        _ => table.failure(change.kind, NO_RIGHT),
    }
}
