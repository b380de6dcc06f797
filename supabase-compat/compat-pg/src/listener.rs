//! Notifications: one listening connection for the whole process, however many channels and
//! subscribers there are.
//!
//! A subscriber always learns when it may have missed notifications: whenever the connection was
//! lost, and when the subscriber itself was too slow. This module does not know what a notification
//! means.

mod channels;

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::FuturesOrdered;
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_postgres::{AsyncMessage, Client};

use crate::PgError;
use crate::acting::Connector;
use channels::{Channels, ListenCommand, Subscriber, SubscriptionRequest};

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How many notifications are buffered for a subscriber; if there are more, it is told that it
/// missed some.
const KEPT: usize = 64;

/// An event for a subscriber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// From now on no notification is missed. Notifications from before this moment may have been.
    Listening,
    /// The channel was notified with this payload.
    Payload(String),
    /// The connection was lost for this reason; another one is being opened.
    Lost(String),
}

/// The one connection of a process that listens for notifications. Cheap to clone.
///
/// The connection is opened for the first subscription, reconnects with growing pauses (200 ms to
/// 30 s), and is closed after the last subscription ends.
#[derive(Clone)]
pub struct NotificationListener(Arc<Inner>);

struct Inner {
    connector: Arc<Connector>,
    requests: Mutex<Option<mpsc::UnboundedSender<SubscriptionRequest>>>,
    subscriptions: AtomicU64,
}

impl NotificationListener {
    pub(crate) fn new(connector: Arc<Connector>) -> Self {
        let (requests, subscriptions) = (Mutex::new(None), AtomicU64::new(0));
        Self(Arc::new(Inner { connector, requests, subscriptions }))
    }

    /// Subscribes to a channel: the subscription delivers everything from the first
    /// [`Notification::Listening`] on, until it is dropped. A name longer than 63 bytes is
    /// truncated, as the server does.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn subscribe(&self, channel: &str) -> Subscription {
        let (sender, notifications) = mpsc::channel(KEPT);
        let missed = Arc::new(AtomicBool::new(false));
        let number = self.0.subscriptions.fetch_add(1, Ordering::Relaxed);
        let requests = self.requests();
        let channel = channels::known_as(channel).to_owned();
        let subscriber = Subscriber { number, sender, missed: missed.clone() };
        let subscription = Subscription { channel, number, notifications, missed, requests };
        let request =
            SubscriptionRequest::Join { channel: subscription.channel.clone(), subscriber };
        // If the task has ended, the subscriber is dropped with the request, which ends the
        // subscription.
        let _ = subscription.requests.send(request);
        subscription
    }

    /// The request channel of the task that holds the connection; the task is started if there is
    /// none.
    fn requests(&self) -> mpsc::UnboundedSender<SubscriptionRequest> {
        let mut requests = self.0.requests.lock().unwrap_or_else(PoisonError::into_inner);
        match &*requests {
            Some(known) if !known.is_closed() => known.clone(),
            _ => {
                let (sender, receiver) = mpsc::unbounded_channel();
                tokio::spawn(keep_listening(self.0.connector.clone(), receiver));
                requests.insert(sender).clone()
            }
        }
    }
}

/// One channel's notifications, as a stream that ends only with its runtime.
#[derive(Debug)]
pub struct Subscription {
    channel: String,
    number: u64,
    notifications: mpsc::Receiver<Notification>,
    missed: Arc<AtomicBool>,
    requests: mpsc::UnboundedSender<SubscriptionRequest>,
}

impl Stream for Subscription {
    type Item = Notification;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Notification>> {
        match self.notifications.poll_recv(context) {
            // Buffered notifications are delivered first; the missed ones came after them.
            Poll::Pending if self.missed.swap(false, Ordering::AcqRel) => {
                Poll::Ready(Some(Notification::Listening))
            }
            other => other,
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let (channel, number) = (std::mem::take(&mut self.channel), self.number);
        let _ = self.requests.send(SubscriptionRequest::Leave { channel, number });
    }
}

/// Keeps the connection open. Returns when the listener and all of its subscriptions are dropped,
/// because they hold the senders of `requests`.
async fn keep_listening(
    connector: Arc<Connector>,
    mut requests: mpsc::UnboundedReceiver<SubscriptionRequest>,
) {
    let mut channels = Channels::default();
    let mut pause = FIRST_PAUSE;
    loop {
        while channels.is_empty() {
            let Some(request) = requests.recv().await else { return };
            channels.take(request);
        }
        let reason = match session(&connector, &mut channels, &mut requests).await {
            Ok(()) if channels.is_empty() => continue,
            Ok(()) => "the server closed it".to_owned(),
            Err(error) => error.to_string(),
        };
        pause =
            if channels.disconnect(&reason) { FIRST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
        let again = Instant::now() + pause;
        // Requests are also accepted during the pause. Their commands are dropped: the next session
        // listens to all channels anew.
        loop {
            tokio::select! {
                () = sleep_until(again) => break,
                request = requests.recv() => match request {
                    Some(request) => drop(channels.take(request)),
                    None => return,
                }
            }
        }
    }
}

/// Serves one connection; returns without an error after the last subscription ended.
async fn session(
    connector: &Connector,
    channels: &mut Channels,
    requests: &mut mpsc::UnboundedReceiver<SubscriptionRequest>,
) -> Result<(), PgError> {
    let (client, mut connection) = connector.open().await?;
    // Polling these messages drives the connection: without it no command is answered.
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    let mut answers: FuturesOrdered<_> =
        channels.commands().into_iter().map(|command| execute(&client, command)).collect();
    while !channels.is_empty() {
        tokio::select! {
            Some(answer) = answers.next() => channels.confirm(&answer?),
            request = requests.recv() => {
                let Some(request) = request else { return Ok(()) };
                answers.extend(channels.take(request).map(|command| execute(&client, command)));
            }
            message = messages.next() => match message {
                None => return Ok(()),
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(AsyncMessage::Notification(news))) => {
                    channels.pass(news.channel(), news.payload());
                }
                Some(Ok(_)) => {}
            }
        }
    }
    Ok(())
}

async fn execute(client: &Client, command: ListenCommand) -> Result<ListenCommand, PgError> {
    client.batch_execute(&command.sql()).await?;
    Ok(command)
}
