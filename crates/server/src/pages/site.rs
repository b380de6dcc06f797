//! What all pages share: the site's settings, its address, and the build they are written into.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compat_stack::edge::Clock;
use compat_stack::pg::{OwnerDb, PgError};
use ranking::{Allowance, Retention, SiteFacts};
use serde_json::{Value, json};

use super::build::Build;
use super::first_load::FirstLoad;
use super::first_sight::FirstSight;
use super::head::{Head, in_script};
use super::registry::Found;
use super::riddle::Riddle;
use super::rows::Rows;
use super::template::{Filling, Template};

/// How long the site's settings are taken as unchanged, in seconds.
const FRESH: i64 = 10;

/// What pages tell of the program's settings.
pub struct Shown {
    pub riddle: Riddle,
    pub questions: Questions,
    pub kept: Kept,
}

/// How often the vote API may be asked, which pages of prose tell.
#[derive(Debug, Clone, Copy)]
pub struct Questions {
    pub by_id: Allowance,
    pub by_token: Allowance,
}

impl Questions {
    fn told(&self) -> Value {
        let told = |allowance: Allowance| json!({ "burst": allowance.burst, "refillSeconds": allowance.refill.as_secs_f64() });
        json!({ "byId": told(self.by_id), "byToken": told(self.by_token) })
    }
}

/// How long what is kept, which the privacy policy tells.
pub struct Kept {
    pub retention: Retention,
    pub audit_log_days: Option<u32>,
}

impl Kept {
    /// In whole days; what is kept for ever is null.
    fn told(&self) -> Value {
        let days = |kept: Duration| kept.as_secs() / 86_400;
        let Retention {
            identities,
            votes,
            clicks,
            voter_totals,
            deliveries,
            statuses: _,
            security_events,
        } = self.retention;
        json!({
            "addressDays": days(identities),
            "voteDays": days(votes),
            "clickDays": days(clicks),
            "totalsDays": days(voter_totals),
            "deliveryDays": days(deliveries),
            "securityDays": days(security_events),
            "auditDays": self.audit_log_days,
        })
    }
}

/// Shared by all pages; cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    owner: OwnerDb,
    origin: String,
    anon_key: String,
    clock: Clock,
    build: Build,
    /// The build as last read.
    built: Mutex<Option<Arc<Built>>>,
    rows: Rows,
    shown: Shown,
    /// The settings as last read, and when.
    facts: Mutex<Option<(i64, Arc<SiteFacts>)>>,
}

impl Site {
    /// The site at `origin`, whose pages use `anon_key`.
    pub fn new(
        owner: OwnerDb,
        origin: &str,
        anon_key: &str,
        clock: Clock,
        build: Build,
        rows: Rows,
        shown: Shown,
    ) -> Self {
        Self(Arc::new(Inner {
            owner,
            origin: origin.to_owned(),
            anon_key: anon_key.to_owned(),
            clock,
            build,
            built: Mutex::new(None),
            rows,
            shown,
            facts: Mutex::new(None),
        }))
    }

    /// The database.
    pub fn owner(&self) -> &OwnerDb {
        &self.0.owner
    }

    /// The time in seconds.
    pub fn now(&self) -> i64 {
        self.0.clock.unix()
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

    /// The build as it is now; none when the pages have not been built.
    pub async fn built(&self) -> Option<Arc<Built>> {
        let index = self.0.build.index().await?;
        let known = self.0.built.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(built) = known
            && *built.index == *index
        {
            return Some(built);
        }
        let template =
            Template::parse(std::str::from_utf8(&index).ok()?, self.0.shown.riddle.sources());
        let first_load = FirstLoad::read(&self.0.build).await;
        let is_whole = first_load.is_some();
        let first_load = first_load.unwrap_or_default();
        let built = Arc::new(Built { index: index.into_owned(), template, first_load });
        // A build that is just being written is looked at again.
        if is_whole {
            *self.0.built.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&built));
        }
        Some(built)
    }

    /// The page with everything in it that its first load needs. `found` is what stands at its
    /// address, if anything does. A query may ask for other rows than the plain address, so with one
    /// none are written in.
    pub async fn write(
        &self,
        built: &Built,
        facts: &SiteFacts,
        head: &Head,
        found: Option<&Found>,
        query: Option<&str>,
    ) -> String {
        let mut filling = Filling::new(head.language);
        filling.head = head.render(&facts.name, self.origin());
        filling.config = self.config(facts);
        filling.root = head.first_sight.as_ref().map(FirstSight::render).unwrap_or_default();
        if let Some(page) = built.first_load.page(&load_key(found)) {
            filling.head.push_str(&page.preloads());
            let texts = built.first_load.texts(page, head.language, &self.0.build);
            let asked = if query.is_none() { page.rows.as_slice() } else { &[] };
            let params = found.map(Found::params).unwrap_or_default();
            let rows = self.0.rows.read(asked, &params);
            let (texts, rows) = tokio::join!(texts, rows);
            filling.data =
                page.style_sheets() + &data_element("texts", &texts) + &data_element("rows", &rows);
        }
        built.template.fill(&filling)
    }

    fn config(&self, facts: &SiteFacts) -> String {
        let config = json!({
            "url": "",
            "anonKey": self.0.anon_key,
            "captcha": self.0.shown.riddle.provider(),
            "captchaSiteKey": self.0.shown.riddle.site_key(),
            "siteName": facts.name,
            "timezone": facts.timezone,
            "voteCooldownSeconds": facts.vote_cooldown_seconds,
            "questions": self.0.shown.questions.told(),
            "retention": self.0.shown.kept.told(),
        });
        data_element("config", &in_script(&config))
    }
}

/// The page's name in what a build says of first loads.
fn load_key(found: Option<&Found>) -> String {
    match found {
        None => "missing".to_owned(),
        Some(found) if found.page.key == "shortcut" => {
            format!("shortcut/{}", found.param("shortcut"))
        }
        Some(found) => found.page.key.clone(),
    }
}

/// A build, read and taken apart once.
pub struct Built {
    /// The page it was read from.
    index: Vec<u8>,
    /// The page all routes share.
    pub template: Template,
    /// What it says of first loads.
    pub first_load: FirstLoad,
}

/// JSON for the pages, in an element that is no script to a browser.
fn data_element(name: &str, json: &str) -> String {
    format!(r#"<script type="application/json" id="palmares-{name}">{json}</script>"#)
}
