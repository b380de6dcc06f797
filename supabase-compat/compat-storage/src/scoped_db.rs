//! Database access for one request: the role, and the settings of its transactions.
//!
//! Policies and triggers may read all settings: the claims under their newer and older names, the
//! request, and the operation. The service may delete rows with SQL because it also removes their
//! bytes.

use compat_pg::{Acting, ActingDb, Identity, TransactionOptions};
use secrecy::ExposeSecret as _;

use crate::model::RequestContext;

/// The search path for unqualified names in users' triggers.
const SEARCH_PATH: &str = "storage, public, extensions";

/// Opens transactions under the role and the claims of one request.
pub struct ScopedDb<'a> {
    acting: &'a ActingDb,
    context: &'a RequestContext,
    role: &'a str,
    claims_json: &'a str,
    extra: Vec<(&'a str, &'a str)>,
}

impl<'a> ScopedDb<'a> {
    /// `statement_timeout` is in milliseconds.
    pub fn of(
        acting: &'a ActingDb,
        context: &'a RequestContext,
        role: &'a str,
        claims_json: &'a str,
        statement_timeout: &'a str,
    ) -> Self {
        let mut extra = vec![
            ("request.jwt.claim.role", role),
            ("storage.operation", context.operation),
            ("storage.allow_delete_query", "true"),
            ("statement_timeout", statement_timeout),
        ];
        let name = context.facts.application_name.as_str();
        extra.extend(Some(("application_name", name)).filter(|_| !name.is_empty()));
        if role == context.caller.role() {
            extra.push(("request.jwt.claim.sub", context.subject().unwrap_or_default()));
            let token = context.token.as_ref().map(|token| token.expose_secret());
            extra.push(("request.jwt", token.unwrap_or_default()));
        }
        Self { acting, context, role, claims_json, extra }
    }

    /// Begins a transaction; it is rolled back unless it is committed.
    pub fn begin(&self) -> Acting<'_> {
        self.acting.begin(&TransactionOptions::default(), &self.identity())
    }

    fn identity(&self) -> Identity<'_> {
        let facts = &self.context.facts;
        Identity {
            role: self.role,
            claims_json: self.claims_json,
            method: &facts.method,
            path: &facts.path,
            headers_json: &facts.headers_json,
            cookies_json: &facts.cookies_json,
            search_path: SEARCH_PATH,
            read_only: false,
            commit: true,
            client: self.context.client,
            extra: &self.extra,
        }
    }
}
