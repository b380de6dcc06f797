//! Notifications: a connection of their own that comes back by itself.

use std::{pin::pin, sync::Arc, time::Duration};

use futures_util::{Stream, StreamExt, stream};
use tokio::sync::mpsc;
use tokio_postgres::AsyncMessage;

use super::connection::Connector;
use crate::PgError;

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What a listener hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// From now on nothing is missed. What was sent before this moment may have been.
    Listening,
    /// Somebody notified the channel with this text.
    Payload(String),
    /// The connection is gone for this reason; another one is being opened.
    Lost(String),
}

/// See [`super::ActingDb::listen`].
pub(super) fn listen(
    connector: Arc<Connector>,
    channel: String,
) -> impl Stream<Item = Notification> + Send + use<> {
    let (heard, mut ears) = mpsc::channel(64);
    let task = EndedWithItsStream(tokio::spawn(keep_listening(connector, channel, heard)));
    stream::poll_fn(move |context| {
        let _alive = &task;
        ears.poll_recv(context)
    })
}

struct EndedWithItsStream(tokio::task::JoinHandle<()>);

impl Drop for EndedWithItsStream {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn keep_listening(
    connector: Arc<Connector>,
    channel: String,
    heard: mpsc::Sender<Notification>,
) {
    let mut pause = FIRST_PAUSE;
    loop {
        let (listened, reason) = session(&connector, &channel, &heard).await;
        if heard.send(Notification::Lost(reason)).await.is_err() {
            return;
        }
        pause = if listened { FIRST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
        tokio::time::sleep(pause).await;
    }
}

/// One connection's life: whether it got to listening, and why it ended.
async fn session(
    connector: &Connector,
    channel: &str,
    heard: &mpsc::Sender<Notification>,
) -> (bool, String) {
    let mut listened = false;
    let ended = hear(connector, channel, heard, &mut listened).await;
    (listened, ended.map_or_else(|error| error.to_string(), |()| "the server closed it".to_owned()))
}

async fn hear(
    connector: &Connector,
    channel: &str,
    heard: &mpsc::Sender<Notification>,
    listened: &mut bool,
) -> Result<(), PgError> {
    let (client, mut connection) = connector.open().await?;
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    let subscription = format!("listen \"{}\"", channel.replace('"', "\"\""));
    let mut subscribed = pin!(client.batch_execute(&subscription));
    loop {
        tokio::select! {
            answer = &mut subscribed, if !*listened => {
                answer?;
                *listened = true;
                if heard.send(Notification::Listening).await.is_err() {
                    return Ok(());
                }
            }
            message = messages.next() => match message {
                None => return Ok(()),
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(AsyncMessage::Notification(news))) => {
                    let payload = Notification::Payload(news.payload().to_owned());
                    if heard.send(payload).await.is_err() {
                        return Ok(());
                    }
                }
                Some(Ok(_)) => {}
            }
        }
    }
}
