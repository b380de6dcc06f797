//! The subscribers of each channel.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::Notification;

/// The server's limit for names, in bytes.
const LONGEST_NAME: usize = 63;

/// The channel's name as the server truncates it.
pub(super) fn known_as(channel: &str) -> &str {
    &channel[..channel.floor_char_boundary(LONGEST_NAME)]
}

/// A request of a subscription to the task that holds the connection.
#[derive(Debug)]
pub(super) enum SubscriptionRequest {
    Join { channel: String, subscriber: Subscriber },
    Leave { channel: String, number: u64 },
}

/// The listener's end of a subscription.
#[derive(Debug)]
pub(super) struct Subscriber {
    pub number: u64,
    pub sender: mpsc::Sender<Notification>,
    /// Whether a notification was dropped because the buffer was full.
    pub missed: Arc<AtomicBool>,
}

impl Subscriber {
    /// Never waits: one slow subscriber must not delay the others.
    fn send(&self, news: Notification) {
        if let Err(TrySendError::Full(news)) = self.sender.try_send(news) {
            self.missed.store(true, Ordering::Release);
            // If the buffer was emptied meanwhile, nothing else would wake the subscriber to see
            // the mark.
            let _ = self.sender.try_send(news);
        }
    }
}

/// A command for the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ListenCommand {
    Listen { channel: String, generation: u64 },
    Unlisten { channel: String },
}

impl ListenCommand {
    pub fn sql(&self) -> String {
        let quoted = |name: &str| name.replace('"', "\"\"");
        match self {
            Self::Listen { channel, .. } => format!("listen \"{}\"", quoted(channel)),
            Self::Unlisten { channel } => format!("unlisten \"{}\"", quoted(channel)),
        }
    }
}

/// The channels that have subscribers.
#[derive(Default)]
pub(super) struct Channels {
    known: HashMap<String, Channel>,
    generations: u64,
}

struct Channel {
    subscribers: Vec<Subscriber>,
    listening: bool,
    /// Distinguishes the answer to this channel's `listen` from the answer to an earlier one.
    generation: u64,
}

impl Channels {
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Applies a request; returns the command to send to the server, if there is one.
    pub fn take(&mut self, request: SubscriptionRequest) -> Option<ListenCommand> {
        match request {
            SubscriptionRequest::Join { channel, subscriber } => self.join(channel, subscriber),
            SubscriptionRequest::Leave { channel, number } => self.leave(channel, number),
        }
    }

    fn join(&mut self, channel: String, subscriber: Subscriber) -> Option<ListenCommand> {
        if let Some(known) = self.known.get_mut(&channel) {
            if known.listening {
                subscriber.send(Notification::Listening);
            }
            known.subscribers.push(subscriber);
            return None;
        }
        self.generations += 1;
        let generation = self.generations;
        self.known.insert(
            channel.clone(),
            Channel { subscribers: vec![subscriber], listening: false, generation },
        );
        Some(ListenCommand::Listen { channel, generation })
    }

    fn leave(&mut self, channel: String, number: u64) -> Option<ListenCommand> {
        let known = self.known.get_mut(&channel)?;
        known.subscribers.retain(|subscriber| subscriber.number != number);
        if !known.subscribers.is_empty() {
            return None;
        }
        self.known.remove(&channel);
        Some(ListenCommand::Unlisten { channel })
    }

    /// The commands for a new connection.
    pub fn commands(&self) -> Vec<ListenCommand> {
        let command = |(channel, known): (&String, &Channel)| ListenCommand::Listen {
            channel: channel.clone(),
            generation: known.generation,
        };
        self.known.iter().map(command).collect()
    }

    /// Records that the server has executed a command.
    pub fn confirm(&mut self, command: &ListenCommand) {
        let ListenCommand::Listen { channel, generation } = command else { return };
        let Some(known) =
            self.known.get_mut(channel).filter(|known| known.generation == *generation)
        else {
            return;
        };
        known.listening = true;
        known.subscribers.iter().for_each(|subscriber| subscriber.send(Notification::Listening));
    }

    /// Passes a notification to the channel's subscribers.
    pub fn pass(&self, channel: &str, payload: &str) {
        let Some(known) = self.known.get(channel) else { return };
        known
            .subscribers
            .iter()
            .for_each(|subscriber| subscriber.send(Notification::Payload(payload.to_owned())));
    }

    /// Records that the connection was lost; returns whether it had listened to any channel.
    pub fn disconnect(&mut self, reason: &str) -> bool {
        let listened = self.known.values().any(|known| known.listening);
        for known in self.known.values_mut() {
            known.listening = false;
            known
                .subscribers
                .iter()
                .for_each(|subscriber| subscriber.send(Notification::Lost(reason.to_owned())));
        }
        listened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscriber(number: u64) -> (Subscriber, mpsc::Receiver<Notification>) {
        let (sender, notifications) = mpsc::channel(2);
        (Subscriber { number, sender, missed: Arc::default() }, notifications)
    }

    fn join(
        channels: &mut Channels,
        number: u64,
    ) -> (Option<ListenCommand>, mpsc::Receiver<Notification>) {
        let (subscriber, notifications) = subscriber(number);
        (
            channels.take(SubscriptionRequest::Join { channel: "a".to_owned(), subscriber }),
            notifications,
        )
    }

    #[test]
    fn earlier_listen_confirmation_is_ignored() {
        let mut channels = Channels::default();
        let (first, _) = join(&mut channels, 1);
        let left = channels.take(SubscriptionRequest::Leave { channel: "a".to_owned(), number: 1 });
        assert_eq!(left, Some(ListenCommand::Unlisten { channel: "a".to_owned() }));
        let (second, mut notifications) = join(&mut channels, 2);
        channels.confirm(&first.unwrap());
        assert!(notifications.try_recv().is_err());
        channels.confirm(&second.unwrap());
        assert_eq!(notifications.try_recv().unwrap(), Notification::Listening);
    }

    #[test]
    fn second_subscriber_outlives_the_first() {
        let mut channels = Channels::default();
        let (command, _first) = join(&mut channels, 1);
        channels.confirm(&command.unwrap());
        let (command, mut notifications) = join(&mut channels, 2);
        assert_eq!(command, None);
        assert_eq!(notifications.try_recv().unwrap(), Notification::Listening);
        assert_eq!(
            channels.take(SubscriptionRequest::Leave { channel: "a".to_owned(), number: 1 }),
            None
        );
        channels.pass("a", "news");
        assert_eq!(notifications.try_recv().unwrap(), Notification::Payload("news".to_owned()));
    }

    #[test]
    fn full_subscriber_is_marked_without_blocking() {
        let (subscriber, mut notifications) = subscriber(1);
        for _ in 0..3 {
            subscriber.send(Notification::Listening);
        }
        assert!(subscriber.missed.load(Ordering::Acquire));
        assert!(notifications.try_recv().is_ok() && notifications.try_recv().is_ok());
        assert!(notifications.try_recv().is_err());
    }

    #[test]
    fn long_channel_name_is_truncated_at_character_boundary() {
        let name = format!("{}é", "x".repeat(62));
        assert_eq!(known_as(&name), "x".repeat(62));
        assert_eq!(known_as("short"), "short");
    }
}
