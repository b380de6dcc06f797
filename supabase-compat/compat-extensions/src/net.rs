//! `pg_net`: HTTP requests that SQL queues and whose responses it reads later, in
//! `net._http_response`.
//!
//! A request is removed from the queue before it is sent, so it is sent at most once. It may reach
//! the public internet, the hosts in [`compat_http::OutgoingConfig::allowed_hosts`], and the
//! project's own services, also under their names in the original's containers.

use std::time::Duration;

use compat_http::{EgressPolicy, Outgoing, OutgoingError};
use compat_pg::{OwnerDb, PgError};
use futures_util::{StreamExt as _, stream};
use http::{HeaderMap, Method};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use url::Url;

/// How many requests are sent at once.
const AT_ONCE: usize = 16;
/// How many requests are taken from the queue at once.
const BATCH: i64 = 64;
/// The pause between two polls without a notification, which a lost connection may have missed.
const LONGEST_SLEEP: Duration = Duration::from_secs(5);
/// The pause between two attempts while the database is unavailable.
const PAUSE: Duration = Duration::from_secs(1);
/// The host name of the original's gateway for containers.
const GATEWAY: &str = "kong";
/// The host name of this machine for containers.
const HOST: &str = "host.docker.internal";

/// Sends the queued requests of a database.
#[derive(Clone)]
pub struct Net {
    owner: OwnerDb,
    outgoing: Outgoing,
    /// The public address of the project's own services.
    own: Option<Url>,
}

/// A request in the queue.
#[derive(Debug, sqlx_macros::FromRow)]
struct Call {
    id: i64,
    method: String,
    url: String,
    headers: Option<Value>,
    body: Option<Vec<u8>>,
    timeout_milliseconds: i32,
}

impl Net {
    /// Creates a sender for this database; `own` is the project's public address.
    pub fn new(owner: OwnerDb, outgoing: Outgoing, own: &str) -> Self {
        Self { owner, outgoing, own: own.parse().ok() }
    }

    /// Sends requests until cancelled, then waits for the running ones.
    pub async fn run(self, cancelled: CancellationToken) {
        let mut subscription = self.owner.listener().subscribe("net");
        while !cancelled.is_cancelled() {
            let pause = match self.send_queued().await {
                Ok(0) => LONGEST_SLEEP,
                Ok(_) => continue,
                Err(error) => {
                    tracing::warn!(%error, "cannot read the pg_net requests; retrying");
                    PAUSE
                }
            };
            tokio::select! {
                () = cancelled.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
                _ = subscription.next(), if pause == LONGEST_SLEEP => {}
            }
        }
    }

    /// Sends the queued requests and stores their responses; returns how many.
    pub async fn send_queued(&self) -> Result<usize, PgError> {
        let calls = self.take().await?;
        let count = calls.len();
        let requests = stream::iter(calls).map(|call| self.make(call)).buffer_unordered(AT_ONCE);
        let failed: Vec<PgError> =
            requests.filter_map(|outcome| std::future::ready(outcome.err())).collect().await;
        match failed.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(count),
        }
    }

    async fn take(&self) -> Result<Vec<Call>, PgError> {
        let mut owner = self.owner.connection().await?;
        sqlx::query(
            "delete from net._http_response
             where ctid = any (array(
                 select ctid from net._http_response where created < now() - interval '6 hours' limit 1000
             ))",
        )
        .execute(&mut *owner)
        .await?;
        let calls = sqlx::query_as(
            "delete from net.http_request_queue
             where id in (
                 select id from net.http_request_queue order by id limit $1 for update skip locked
             )
             returning id, method, url, headers, body, timeout_milliseconds",
        )
        .bind(BATCH)
        .fetch_all(&mut *owner)
        .await?;
        Ok(calls)
    }

    async fn make(&self, call: Call) -> Result<(), PgError> {
        let id = call.id;
        let answer = self.ask(call).await;
        let mut owner = self.owner.connection().await?;
        let insert = sqlx::query(
            "insert into net._http_response
                 (id, status_code, content_type, headers, content, timed_out, error_msg)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id);
        let insert = match &answer {
            Ok(answer) => {
                let kind = answer.headers.get("content-type").and_then(|kind| kind.to_str().ok());
                // A text in PostgreSQL cannot contain a zero character.
                let content = String::from_utf8_lossy(&answer.body).replace('\0', "");
                insert
                    .bind(i32::from(answer.status.as_u16()))
                    .bind(kind.map(str::to_owned))
                    .bind(Some(headers_json(&answer.headers)))
                    .bind(Some(content))
                    .bind(false)
                    .bind(None::<String>)
            }
            Err(error) => insert
                .bind(None::<i32>)
                .bind(None::<String>)
                .bind(None::<Value>)
                .bind(None::<String>)
                .bind(matches!(error, OutgoingError::TimedOut))
                .bind(Some(error.to_string())),
        };
        insert.execute(&mut *owner).await?;
        Ok(())
    }

    async fn ask(&self, call: Call) -> Result<compat_http::OutgoingResponse, OutgoingError> {
        let (policy, url) = self.place(&call.url);
        let method = Method::from_bytes(call.method.as_bytes()).unwrap_or(Method::GET);
        let mut request = self.outgoing.request(policy, method, &url);
        if let Some(Value::Object(headers)) = &call.headers {
            for (name, value) in headers {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                request = request.header(name, &value);
            }
        }
        if let Some(body) = call.body {
            request = request.body(body);
        }
        let timeout = u64::try_from(call.timeout_milliseconds).unwrap_or(1);
        request.within(Duration::from_millis(timeout)).send().await
    }

    /// The URL to request, and the egress policy for it.
    fn place(&self, url: &str) -> (EgressPolicy, String) {
        let Some((own, target)) = self.own.as_ref().zip(url.parse::<Url>().ok()) else {
            return (EgressPolicy::PublicOnly, url.to_owned());
        };
        if !self.is_own(own, &target) {
            return (EgressPolicy::PublicOnly, url.to_owned());
        }
        let mut at = own.clone();
        at.set_path(target.path());
        at.set_query(target.query());
        (EgressPolicy::Trusted, at.into())
    }

    fn is_own(&self, own: &Url, target: &Url) -> bool {
        let port = target.port_or_known_default();
        match target.host_str() {
            _ if target.origin() == own.origin() => true,
            Some(GATEWAY) => port == Some(8000),
            Some(HOST) => port == own.port_or_known_default(),
            _ => false,
        }
    }
}

/// Headers as JSON; several of one name are joined as HTTP joins them.
fn headers_json(headers: &HeaderMap) -> Value {
    let mut object = Map::new();
    for name in headers.keys() {
        let values =
            headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        let joined = values.collect::<Vec<_>>().join(", ");
        object.insert(name.as_str().to_owned(), Value::String(joined));
    }
    Value::Object(object)
}
