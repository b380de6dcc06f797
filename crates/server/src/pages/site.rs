//! What all pages share: the site's settings, its address, and the built page they are written
//! into.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_stack::edge::Clock;
use compat_stack::pg::{OwnerDb, PgError};
use http::HeaderValue;
use ranking::SiteFacts;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::build::Build;
use super::head::{Head, in_script};

/// Where the built page keeps room for its head.
const HEAD_MARK: &str = "<!--palmares:head-->";
/// Where it keeps room for what the pages must know to start.
const CONFIG_MARK: &str = "<!--palmares:config-->";

/// How long the site's settings are taken as unchanged, in seconds.
const FRESH: i64 = 10;

/// Shared by all pages; cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    owner: OwnerDb,
    origin: String,
    anon_key: String,
    clock: Clock,
    build: Build,
    /// The settings as last read, and when.
    facts: Mutex<Option<(i64, Arc<SiteFacts>)>>,
}

impl Site {
    /// The site at `origin`, whose pages use `anon_key`.
    pub fn new(owner: OwnerDb, origin: &str, anon_key: &str, clock: Clock, build: Build) -> Self {
        Self(Arc::new(Inner {
            owner,
            origin: origin.to_owned(),
            anon_key: anon_key.to_owned(),
            clock,
            build,
            facts: Mutex::new(None),
        }))
    }

    /// The database.
    pub fn owner(&self) -> &OwnerDb {
        &self.0.owner
    }

    /// The files of the pages.
    pub fn build(&self) -> &Build {
        &self.0.build
    }

    /// The public address without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.0.origin
    }

    /// The site's settings, at most a few seconds old.
    ///
    /// # Errors
    /// When they have to be read and cannot.
    pub async fn facts(&self) -> Result<Arc<SiteFacts>, PgError> {
        let now = self.0.clock.unix();
        let known = self.0.facts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((read_at, facts)) = known
            && now - read_at < FRESH
        {
            return Ok(facts);
        }
        let facts = Arc::new(ranking::site_facts(&self.0.owner).await?);
        let mut slot = self.0.facts.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Some((now, Arc::clone(&facts)));
        Ok(facts)
    }

    /// The built page; none when the pages have not been built.
    pub async fn template(&self) -> Option<Template> {
        let html = String::from_utf8(self.0.build.index().await?.into_owned()).ok()?;
        let policy = content_security_policy(&html);
        Some(Template { html, policy })
    }
}

/// The built page, ready to be filled.
pub struct Template {
    html: String,
    /// Names the scripts the page carries inside itself, by hash.
    pub policy: HeaderValue,
}

impl Template {
    /// The page in one language with one head.
    pub fn fill(&self, head: &Head, facts: &SiteFacts, site: &Site) -> String {
        let config = json!({
            "url": "",
            "anonKey": site.0.anon_key,
            "captcha": "altcha",
            "timezone": facts.timezone,
            "voteCooldownSeconds": facts.vote_cooldown_seconds,
        });
        let config = format!(
            r#"<script type="application/json" id="palmares-config">{}</script>"#,
            in_script(&config)
        );
        self.html
            .replacen("<html lang=\"fr\"", &format!("<html lang=\"{}\"", head.language.code()), 1)
            .replacen(HEAD_MARK, &head.render(&facts.name, site.origin()), 1)
            .replacen(CONFIG_MARK, &config, 1)
    }
}

/// Scripts come from this origin or are the ones the build wrote into the page; pictures may come
/// from anywhere over https, since owners name theirs by address.
fn content_security_policy(html: &str) -> HeaderValue {
    let hashes: String = inline_scripts(html)
        .map(|script| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(script))))
        .collect();
    let policy = format!(
        "default-src 'self'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' https: data: blob:; font-src 'self'; connect-src 'self'; \
         worker-src 'self' blob:; media-src 'self' https:; frame-src https://www.youtube-nocookie.com; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'self'"))
}

/// The text of every script element without attributes.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</script>"))
        .map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_run_the_scripts_its_build_wrote_and_no_others() {
        let policy = content_security_policy("<script>a()</script><script src='/b.js'></script>");
        let text = policy.to_str().expect("a text");
        // printf 'a()' | openssl dgst -sha256 -binary | base64
        let hash = STANDARD.encode(Sha256::digest("a()"));
        assert!(text.contains(&format!("script-src 'self' 'sha256-{hash}';")), "{text}");
        assert_eq!(text.matches("sha256-").count(), 1);
    }
}
