//! The site's own mails leave by the way auth/v1's do.

use compat_stack::auth::Mailer;
use compat_stack::auth::mail::{Mail, MailKind};
use compat_stack::functions::BoxFuture;
use letters::Letter;

/// The installation's way out.
pub struct Post(pub Mailer);

impl letters::Post for Post {
    fn send(&self, letter: Letter) -> BoxFuture<'_, Result<(), String>> {
        let Letter { to, subject, html, text, headers, at } = letter;
        let mail = Mail { to, subject, html, text, headers, at, kind: MailKind::Application };
        Box::pin(async move { self.0.send(mail).await.map_err(|error| error.to_string()) })
    }
}
