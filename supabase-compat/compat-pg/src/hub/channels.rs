//! Who listens to what.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::Notification;

/// The server's limit for names, in bytes.
const LONGEST_NAME: usize = 63;

/// What the server makes of a channel's name.
pub(super) fn known_as(channel: &str) -> &str {
    &channel[..channel.floor_char_boundary(LONGEST_NAME)]
}

/// What a subscription asks of the task that holds the connection.
#[derive(Debug)]
pub(super) enum Order {
    Join { channel: String, ear: Ear },
    Leave { channel: String, number: u64 },
}

/// The hub's end of a subscription.
#[derive(Debug)]
pub(super) struct Ear {
    pub number: u64,
    pub sender: mpsc::Sender<Notification>,
    /// Something was said that the subscription had no room for.
    pub missed: Arc<AtomicBool>,
}

impl Ear {
    /// Never waits: one slow subscriber must not make the others deaf.
    fn tell(&self, news: Notification) {
        if let Err(TrySendError::Full(news)) = self.sender.try_send(news) {
            self.missed.store(true, Ordering::Release);
            // Had the subscription just been emptied, nothing else would wake it to see the mark.
            let _ = self.sender.try_send(news);
        }
    }
}

/// What the server is to be told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Listen { channel: String, turn: u64 },
    Unlisten { channel: String },
}

impl Wish {
    pub fn sql(&self) -> String {
        let quoted = |name: &str| name.replace('"', "\"\"");
        match self {
            Self::Listen { channel, .. } => format!("listen \"{}\"", quoted(channel)),
            Self::Unlisten { channel } => format!("unlisten \"{}\"", quoted(channel)),
        }
    }
}

/// The channels somebody listens to.
#[derive(Default)]
pub(super) struct Channels {
    known: HashMap<String, Channel>,
    turns: u64,
}

struct Channel {
    ears: Vec<Ear>,
    listening: bool,
    /// Tells the answer to this channel's `listen` from one to a `listen` before it.
    turn: u64,
}

impl Channels {
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Does as the order says; gives what the server must be told about it.
    pub fn take(&mut self, order: Order) -> Option<Wish> {
        match order {
            Order::Join { channel, ear } => self.join(channel, ear),
            Order::Leave { channel, number } => self.leave(channel, number),
        }
    }

    fn join(&mut self, channel: String, ear: Ear) -> Option<Wish> {
        if let Some(known) = self.known.get_mut(&channel) {
            if known.listening {
                ear.tell(Notification::Listening);
            }
            known.ears.push(ear);
            return None;
        }
        self.turns += 1;
        let turn = self.turns;
        self.known.insert(channel.clone(), Channel { ears: vec![ear], listening: false, turn });
        Some(Wish::Listen { channel, turn })
    }

    fn leave(&mut self, channel: String, number: u64) -> Option<Wish> {
        let known = self.known.get_mut(&channel)?;
        known.ears.retain(|ear| ear.number != number);
        if !known.ears.is_empty() {
            return None;
        }
        self.known.remove(&channel);
        Some(Wish::Unlisten { channel })
    }

    /// What a new connection must be told.
    pub fn wishes(&self) -> Vec<Wish> {
        let wish = |(channel, known): (&String, &Channel)| Wish::Listen {
            channel: channel.clone(),
            turn: known.turn,
        };
        self.known.iter().map(wish).collect()
    }

    /// The server did as it was told.
    pub fn granted(&mut self, wish: &Wish) {
        let Wish::Listen { channel, turn } = wish else { return };
        let Some(known) = self.known.get_mut(channel).filter(|known| known.turn == *turn) else {
            return;
        };
        known.listening = true;
        known.ears.iter().for_each(|ear| ear.tell(Notification::Listening));
    }

    /// Somebody notified a channel.
    pub fn pass(&self, channel: &str, payload: &str) {
        let Some(known) = self.known.get(channel) else { return };
        known.ears.iter().for_each(|ear| ear.tell(Notification::Payload(payload.to_owned())));
    }

    /// The connection is gone. Says whether it had got as far as listening.
    pub fn lose(&mut self, reason: &str) -> bool {
        let listened = self.known.values().any(|known| known.listening);
        for known in self.known.values_mut() {
            known.listening = false;
            known.ears.iter().for_each(|ear| ear.tell(Notification::Lost(reason.to_owned())));
        }
        listened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ear(number: u64) -> (Ear, mpsc::Receiver<Notification>) {
        let (sender, heard) = mpsc::channel(2);
        (Ear { number, sender, missed: Arc::default() }, heard)
    }

    fn join(channels: &mut Channels, number: u64) -> (Option<Wish>, mpsc::Receiver<Notification>) {
        let (ear, heard) = ear(number);
        (channels.take(Order::Join { channel: "a".to_owned(), ear }), heard)
    }

    #[test]
    fn answer_to_an_earlier_listen_is_not_taken_for_this_one() {
        let mut channels = Channels::default();
        let (first, _) = join(&mut channels, 1);
        let left = channels.take(Order::Leave { channel: "a".to_owned(), number: 1 });
        assert_eq!(left, Some(Wish::Unlisten { channel: "a".to_owned() }));
        let (second, mut heard) = join(&mut channels, 2);
        channels.granted(&first.unwrap());
        assert!(heard.try_recv().is_err());
        channels.granted(&second.unwrap());
        assert_eq!(heard.try_recv().unwrap(), Notification::Listening);
    }

    #[test]
    fn second_subscriber_of_a_channel_listens_at_once_and_stays_when_the_first_leaves() {
        let mut channels = Channels::default();
        let (wish, _first) = join(&mut channels, 1);
        channels.granted(&wish.unwrap());
        let (wish, mut heard) = join(&mut channels, 2);
        assert_eq!(wish, None);
        assert_eq!(heard.try_recv().unwrap(), Notification::Listening);
        assert_eq!(channels.take(Order::Leave { channel: "a".to_owned(), number: 1 }), None);
        channels.pass("a", "news");
        assert_eq!(heard.try_recv().unwrap(), Notification::Payload("news".to_owned()));
    }

    #[test]
    fn subscriber_without_room_is_marked_and_nobody_waits() {
        let (ear, mut heard) = ear(1);
        for _ in 0..3 {
            ear.tell(Notification::Listening);
        }
        assert!(ear.missed.load(Ordering::Acquire));
        assert!(heard.try_recv().is_ok() && heard.try_recv().is_ok());
        assert!(heard.try_recv().is_err());
    }

    #[test]
    fn long_name_is_cut_between_letters_as_the_server_cuts_it() {
        let name = format!("{}é", "x".repeat(62));
        assert_eq!(known_as(&name), "x".repeat(62));
        assert_eq!(known_as("short"), "short");
    }
}
