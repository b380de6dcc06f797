//! The jobs after moderators' decisions: emails are sent, bans and warnings end.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use compat_mail::{
    ClaimedMessage, Email, Mailbox, Mailer, Outbox, RenderError, Renderer, dispatch_emails,
};
use compat_pg::{PgError, Queue};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::world::{World, work};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A site with a new decision about Ada, who reads Spanish.
async fn decided() -> World {
    let world = World::new().await;
    let ada = world.account("ada").await;
    let bob = world.account("bob").await;
    let mut owner = world.begin().await;
    for (person, kind, decision, reason) in [
        (ada, "report", "disabled", Some("spam")),
        (ada, "server", "approved", None),
        // One decision without effect, and one without a recipient.
        (ada, "edit", "approved", None),
        (bob, "report", "disabled", Some("spam")),
    ] {
        sqlx::query(
            "insert into public.moderation_cases
                (kind, subject_id, person_id, label, decision, decided_at, reason, statement)
             values ($1, gen_random_uuid(), $2, 'Avalon', $3, $4, $5, 'Demasiados enlaces')",
        )
        .bind(kind)
        .bind(person)
        .bind(decision)
        .bind(world.clock().now())
        .bind(reason)
        .execute(&mut *owner)
        .await
        .expect("a decision");
    }
    sqlx::query("update auth.users set email_confirmed_at = now() where id = $1")
        .bind(ada)
        .execute(&mut *owner)
        .await
        .expect("confirmed");
    sqlx::query("update public.profiles set language = 'es' where id = $1")
        .bind(ada)
        .execute(&mut *owner)
        .await
        .expect("a language");
    owner.commit().await.expect("committed");
    world
}

/// The emails that are due, sorted by subject.
async fn emails(world: &World) -> Vec<Email> {
    let mut emails = world.emails().await;
    emails.sort_by(|one, other| one.subject.cmp(&other.subject));
    emails
}

async fn value(world: &World, sql: &'static str) -> String {
    let mut owner = world.begin().await;
    sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a value")
}

#[tokio::test]
async fn decision_email_is_delayed_and_sent_once() {
    let world = decided().await;
    assert!(emails(&world).await.is_empty(), "it may be a slip");
    world.clock().advance(MINUTE * 4);
    let (mut first_emails, more) = tokio::join!(emails(&world), emails(&world));
    first_emails.extend(more);
    first_emails.sort_by(|one, other| one.subject.cmp(&other.subject));
    world.clock().advance(MINUTE);
    assert!(emails(&world).await.is_empty());
    let [approved, suspended] = &first_emails[..] else { panic!("two emails: {first_emails:?}") };
    assert_eq!(approved.to, "ada@example.test");
    assert_eq!(approved.subject, "Avalon está en línea · Palmarès");
    assert_eq!(suspended.subject, "Avalon está suspendido · Palmarès");
    let text = &suspended.text;
    assert!(text.contains("Motivo: spam.\n\nDemasiados enlaces"), "{text}");
}

#[tokio::test]
async fn reversal_is_notified_only_after_decision_email() {
    let world = decided().await;
    world.clock().advance(MINUTE * 4);
    // One decision is reversed before its email, the other after it.
    world
        .sql("update public.moderation_cases set taken_back_at = decided_at where kind = 'server'")
        .await;
    let first_emails = emails(&world).await;
    world
        .sql("update public.moderation_cases set taken_back_at = decided_at where kind = 'report'")
        .await;
    let revocations = emails(&world).await;
    assert!(emails(&world).await.is_empty());
    let subjects: Vec<&str> =
        first_emails.iter().chain(&revocations).map(|email| email.subject.as_str()).collect();
    assert_eq!(
        subjects,
        ["Avalon está suspendido · Palmarès", "Decisión anulada: Avalon · Palmarès"]
    );
}

#[tokio::test]
async fn an_undone_decision_sends_nothing() {
    let world = decided().await;
    world.clock().advance(MINUTE * 2);
    world.sql("update public.moderation_cases set taken_back_at = decided_at").await;
    world.clock().advance(MINUTE * 10);
    assert!(emails(&world).await.is_empty());
    assert_eq!(value(&world, "select count(*)::text from public.mail_queue").await, "0");
}

/// Renders as the site does, and undoes every decision as soon as its email is rendered.
struct UndoingRenderer {
    world: Arc<World>,
    rendered: Arc<Notify>,
}

impl Renderer for UndoingRenderer {
    fn kinds(&self) -> &'static [&'static str] {
        self.world.state.kinds()
    }

    fn render<'a>(
        &'a self,
        message: &'a ClaimedMessage,
    ) -> BoxFuture<'a, Result<Option<Email>, RenderError>> {
        Box::pin(async move {
            let email = self.world.state.render(message).await;
            self.world.sql(UNDO).await;
            self.rendered.notify_one();
            email
        })
    }

    fn confirm<'a>(&'a self, message: &'a ClaimedMessage) -> BoxFuture<'a, Result<bool, PgError>> {
        self.world.state.confirm(message)
    }
}

const UNDO: &str = "update public.moderation_cases set taken_back_at = decided_at";

#[tokio::test]
async fn a_decision_undone_while_rendered_sends_nothing() {
    let world = Arc::new(decided().await);
    world.clock().advance(MINUTE * 4);
    let outbox = Outbox::new(world.owner(), "public.mail_queue", MINUTE, world.clock().clone());
    let (mailbox, rendered, stop) =
        (Mailbox::default(), Arc::new(Notify::new()), CancellationToken::new());
    let renderer =
        Arc::new(UndoingRenderer { world: Arc::clone(&world), rendered: Arc::clone(&rendered) });
    let mailer = Mailer::new(mailbox.clone());
    let work = tokio::spawn(dispatch_emails(outbox, vec![renderer], mailer, stop.clone()));
    rendered.notified().await;
    stop.cancel();
    work.await.expect("what is under way is finished");
    world.clock().advance(MINUTE * 10);
    assert!(mailbox.list().is_empty());
    assert!(emails(&world).await.is_empty());
}

#[tokio::test]
async fn a_decision_undone_before_a_retry_sends_nothing() {
    let world = decided().await;
    world.clock().advance(MINUTE * 4);
    let queue = Queue::new(world.owner(), "public.mail_queue");
    while let Some(message) = world.claimed(&queue).await {
        let rendered = world.state.render(&message).await.expect("rendered");
        // The mail relay rejects the email.
        if rendered.is_some() && world.state.confirm(&message).await.expect("confirmed") {
            world.state.revoke(&message).await.expect("revoked");
        }
        let later = world.clock().now() + MINUTE;
        queue.retry(&message, later, "no relay").await.expect("kept for later");
    }
    world.sql(UNDO).await;
    world.clock().advance(MINUTE * 10);
    assert!(emails(&world).await.is_empty());
    assert_eq!(value(&world, "select count(*)::text from public.mail_queue").await, "0");
}

#[tokio::test]
async fn deleted_decision_sends_no_email() {
    let world = decided().await;
    world.clock().advance(MINUTE * 4);
    world.sql("delete from public.moderation_cases").await;
    assert!(emails(&world).await.is_empty());
    assert_eq!(value(&world, "select count(*)::text from public.mail_queue").await, "0");
}

#[tokio::test]
async fn bans_and_warnings_end_by_themselves() {
    let world = World::new().await;
    let ada = world.account("ada").await;
    let mut owner = world.begin().await;
    sqlx::query("update public.profiles set is_banned = true, banned_until = $2 where id = $1")
        .bind(ada)
        .bind(world.clock().now() + DAY)
        .execute(&mut *owner)
        .await
        .expect("banned");
    sqlx::query(
        "insert into public.user_warnings (user_id, reason, expires_at) values ($1, 'why', $2)",
    )
    .bind(ada)
    .bind(world.clock().now() + DAY)
    .execute(&mut *owner)
    .await
    .expect("warned");
    owner.commit().await.expect("committed");
    assert_eq!(work(&world.state, "ranking.expire_bans").await.expect("done"), 0);
    assert_eq!(work(&world.state, "ranking.expire_warnings").await.expect("done"), 0);
    world.clock().advance(DAY);
    assert_eq!(work(&world.state, "ranking.expire_bans").await.expect("done"), 1);
    assert_eq!(work(&world.state, "ranking.expire_warnings").await.expect("done"), 1);
    let state = "select concat_ws(' ', p.is_banned, p.banned_until is null, w.is_active)
        from public.profiles as p inner join public.user_warnings as w on w.user_id = p.id";
    assert_eq!(value(&world, state).await, "f t f");
}

#[tokio::test]
async fn banned_player_appeals_once_by_mail_link() {
    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 1));
    let world = decided().await;
    world
        .sql(
            "update public.moderation_cases set decision = 'sanctioned', kind = 'account', sanction = 'ban'
             where reason is not null",
        )
        .await;
    world.clock().advance(MINUTE * 4);
    let first_emails = emails(&world).await;
    let text = first_emails
        .iter()
        .find_map(|email| Some(&*email.text).filter(|text| text.contains("/appeal?")))
        .expect("an email with the link");
    let (_, query) = text.split_once("/es/appeal?").expect("in their language");
    let function = format!("appeal?{}", query.split_whitespace().next().expect("a query"));
    let send = async |path: &str, body: Value| {
        let answer = world.function("POST", path, HOME, &[], body).await;
        (answer.status.as_u16(), serde_json::from_slice::<Value>(&answer.body).unwrap_or_default())
    };

    let (other, _) = function.rsplit_once(char::is_alphanumeric).expect("a digit");
    for bad in [other, "appeal?decision=x&token=y", "appeal"] {
        let (status, _) = send(bad, json!({ "message": "No" })).await;
        assert!(matches!(status, 400 | 401), "{bad}: {status}");
    }
    for message in [json!(" "), json!("x".repeat(2001)), json!(7), json!("a\u{0}b")] {
        assert_eq!(send(&function, json!({ "message": message })).await.0, 400);
    }
    let objected = "select coalesce(string_agg(message || ' ' || (person_id = (
        select id from public.profiles where username = 'ada'
    )), ','), '') from public.moderation_cases where kind = 'appeal'";
    assert_eq!(value(&world, objected).await, "");
    let message = json!({ "message": " Era mi hermano " });
    assert_eq!(send(&function, message.clone()).await, (200, json!({ "outcome": "filed" })));
    assert_eq!(value(&world, objected).await, "Era mi hermano true");
    assert_eq!(send(&function, message.clone()).await, (200, json!({ "outcome": "known" })));
    world.sql("delete from public.moderation_cases where kind = 'appeal'").await;
    world.sql("update public.moderation_cases set taken_back_at = decided_at").await;
    assert_eq!(send(&function, message).await, (200, json!({ "outcome": "closed" })));
}
