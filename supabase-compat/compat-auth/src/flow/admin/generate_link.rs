//! Links that an administrator sends by other means: nothing is mailed.

use compat_pg::Owner;

use crate::error::{AccountRefusal, AuthError, Invalid};
use crate::flow::audit::{Action, record_by_admin};
use crate::flow::recover::known;
use crate::flow::sign_up::{NewAccount, create_account};
use crate::flow::{Visit, password, unproven};
use crate::model::metadata::{Metadata, merge};
use crate::model::{Email, OneTime, User};
use crate::post::letter::{Code, code};
use crate::post::link::link;
use crate::state::State;
use crate::store;

/// Which link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    Signup,
    Invite,
    MagicLink,
    Recovery,
    EmailChangeCurrent,
    EmailChangeNew,
}

impl LinkKind {
    /// # Errors
    /// [`Invalid::LinkType`].
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        Ok(match text {
            "signup" => Self::Signup,
            "invite" => Self::Invite,
            "magiclink" => Self::MagicLink,
            "recovery" => Self::Recovery,
            "email_change_current" => Self::EmailChangeCurrent,
            "email_change_new" => Self::EmailChangeNew,
            _ => return Err(Invalid::LinkType(text.to_owned())),
        })
    }

    /// The name in the answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Invite => "invite",
            Self::MagicLink => "magiclink",
            Self::Recovery => "recovery",
            Self::EmailChangeCurrent => "email_change_current",
            Self::EmailChangeNew => "email_change_new",
        }
    }

    /// The type in the link itself.
    fn in_link(self) -> &'static str {
        match self {
            Self::EmailChangeCurrent | Self::EmailChangeNew => "email_change",
            other => other.as_str(),
        }
    }
}

/// What was asked.
pub struct Asked<'a> {
    pub kind: LinkKind,
    pub email: &'a str,
    pub new_email: &'a str,
    pub password: &'a str,
    pub data: Metadata,
}

/// A finished link with what it is made of.
pub struct MadeLink {
    pub user: User,
    pub action_link: String,
    pub email_otp: String,
    pub hashed_token: String,
    pub verification_type: &'static str,
    pub redirect_to: String,
}

/// Makes the link, and the account where the kind allows that.
///
/// # Errors
/// [`AccountRefusal::UserNotFound`], [`AccountRefusal::EmailExists`], or malformed fields.
#[tracing::instrument(name = "auth.generate_link", skip_all)]
pub async fn generate_link(
    state: &State,
    visit: &Visit,
    asked: Asked<'_>,
) -> Result<MadeLink, AuthError> {
    if asked.email.is_empty() {
        return Err(Invalid::EmailMissing.into());
    }
    let email = Email::parse(asked.email)?;
    let hash = hash(state, &asked).await?;
    let mut tx = state.begin().await?;
    store::user::lock_address(&mut tx, email.as_str()).await?;
    let found = known(&mut tx, visit, &email).await?;
    let (kind, user) =
        account(state, &mut tx, visit, &asked, &email, hash.as_deref(), found).await?;
    let new_email = new_email(&mut tx, visit, kind, asked.new_email).await?;
    let code = put(state, &mut tx, kind, &user, new_email.as_ref()).await?;
    record_by_admin(state, &mut tx, visit, &user, action(kind)).await?;
    let user = store::user::load(&mut tx, user.id).await?.ok_or(AccountRefusal::UserNotFound)?;
    tx.commit().await?;
    Ok(MadeLink {
        action_link: link(state, visit, code.hash.as_str(), kind.in_link()),
        email_otp: code.digits,
        hashed_token: code.hash.as_str().to_owned(),
        verification_type: kind.as_str(),
        redirect_to: visit.redirect_to.clone(),
        user,
    })
}

fn action(kind: LinkKind) -> Action {
    match kind {
        LinkKind::Invite => Action::UserInvited,
        LinkKind::Signup => Action::ConfirmationRequested,
        LinkKind::MagicLink | LinkKind::Recovery => Action::RecoveryRequested,
        LinkKind::EmailChangeCurrent | LinkKind::EmailChangeNew => Action::UserModified,
    }
}

/// Only a sign-up link carries a password, and it may not be missing there.
async fn hash(state: &State, asked: &Asked<'_>) -> Result<Option<String>, AuthError> {
    if asked.kind != LinkKind::Signup {
        return Ok(None);
    }
    if asked.password.is_empty() {
        return Err(Invalid::PasswordMissing.into());
    }
    password::check(state, asked.password).await?;
    state.hash(asked.password).await.map(Some)
}

async fn account(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    asked: &Asked<'_>,
    email: &Email,
    hash: Option<&str>,
    found: Option<User>,
) -> Result<(LinkKind, User), AuthError> {
    let makes = matches!(asked.kind, LinkKind::Signup | LinkKind::Invite);
    match found {
        Some(user) if makes && user.is_confirmed() => Err(AccountRefusal::EmailExists.into()),
        Some(user) => {
            if makes && !asked.data.is_empty() {
                let mut metadata = user.user_metadata();
                merge(&mut metadata, asked.data.clone());
                store::user::set_user_metadata(tx, user.id, &metadata, state.now()).await?;
            }
            match (asked.kind, hash) {
                (LinkKind::Signup, Some(hash)) => {
                    unproven::replace_password(state, tx, &user, hash).await?;
                }
                (LinkKind::Invite, _) => unproven::drop_password(state, tx, &user).await?,
                _ => {}
            }
            Ok((asked.kind, user))
        }
        None if makes || asked.kind == LinkKind::MagicLink => {
            let new = NewAccount {
                email: Some(email.as_str()),
                phone: None,
                hash,
                data: asked.data.clone(),
                provider: Some("email"),
                by_admin: true,
            };
            let user = create_account(state, tx, &visit.aud, new).await?;
            let kind = if makes { asked.kind } else { LinkKind::Signup };
            Ok((kind, user))
        }
        None => Err(AccountRefusal::UserNotFound.into()),
    }
}

async fn new_email(
    tx: &mut Owner,
    visit: &Visit,
    kind: LinkKind,
    text: &str,
) -> Result<Option<Email>, AuthError> {
    if !matches!(kind, LinkKind::EmailChangeCurrent | LinkKind::EmailChangeNew) {
        return Ok(None);
    }
    if text.is_empty() {
        return Err(Invalid::NewEmailMissing.into());
    }
    let email = Email::parse(text)?;
    if store::user::id_by_email(tx, email.as_str(), &visit.aud).await?.is_some() {
        return Err(AccountRefusal::EmailExists.into());
    }
    Ok(Some(email))
}

/// Draws the code and notes it where its mail would have.
async fn put(
    state: &State,
    tx: &mut Owner,
    kind: LinkKind,
    user: &User,
    new_email: Option<&Email>,
) -> Result<Code, AuthError> {
    let now = state.now();
    let address = match kind {
        LinkKind::EmailChangeNew => new_email.map_or("", Email::as_str),
        _ => user.email(),
    };
    let code = code(state, address, false);
    let hash = code.hash.as_str();
    let token = match kind {
        LinkKind::Signup => {
            store::user::set_confirmation(tx, user.id, hash, now).await?;
            OneTime::Confirmation
        }
        LinkKind::Invite => {
            store::user::set_invitation(tx, user.id, hash, now).await?;
            OneTime::Confirmation
        }
        LinkKind::MagicLink | LinkKind::Recovery => {
            store::user::set_recovery(tx, user.id, hash, now).await?;
            OneTime::Recovery
        }
        LinkKind::EmailChangeCurrent | LinkKind::EmailChangeNew => {
            let wanted = new_email.map_or("", Email::as_str);
            let is_new = kind == LinkKind::EmailChangeNew;
            let kept = |column: &Option<String>| column.clone().unwrap_or_default();
            let (new, current) = if is_new {
                (hash.to_owned(), kept(&user.email_change_token_current))
            } else {
                (kept(&user.email_change_token_new), hash.to_owned())
            };
            store::user::set_email_change(tx, user.id, wanted, &new, &current, now).await?;
            if is_new { OneTime::EmailChangeNew } else { OneTime::EmailChangeCurrent }
        }
    };
    store::one_time_token::put(tx, state.uuid(), user.id, token, hash, address, now).await?;
    Ok(code)
}
