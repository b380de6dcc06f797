//! Links that an administrator sends by other means; this flow sends no mail.

use compat_pg::Owner;

use crate::account::{self, AccountOrigin, NewAccount};
use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError, InvalidRequest};
use crate::flow::recover::known;
use crate::flow::{password, unverified};
use crate::model::metadata::{Metadata, merge};
use crate::model::{Address, Email, OneTime, RequestContext, User};
use crate::outbox::link::link;
use crate::pending::{self, Code, EmailChange, Purpose};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The kind of link.
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
    /// [`InvalidRequest::LinkType`].
    pub fn parse(text: &str) -> Result<Self, InvalidRequest> {
        Ok(match text {
            "signup" => Self::Signup,
            "invite" => Self::Invite,
            "magiclink" => Self::MagicLink,
            "recovery" => Self::Recovery,
            "email_change_current" => Self::EmailChangeCurrent,
            "email_change_new" => Self::EmailChangeNew,
            _ => return Err(InvalidRequest::LinkType(text.to_owned())),
        })
    }

    /// The name in the response.
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

    /// Whether the link creates the account if there is none.
    fn makes(self) -> bool {
        matches!(self, Self::Signup | Self::Invite)
    }

    /// The kind of link for an address without an account: a magic link becomes a sign-up link.
    fn for_unknown_account(self) -> Result<Self, AuthError> {
        match self {
            Self::MagicLink => Ok(Self::Signup),
            kind if kind.makes() => Ok(kind),
            _ => Err(AccountRefusal::UserNotFound.into()),
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

/// The request for a link.
pub struct LinkRequest<'a> {
    pub kind: LinkKind,
    pub email: &'a str,
    pub new_email: &'a str,
    pub password: &'a str,
    pub data: Metadata,
}

/// A generated link and its parts.
pub struct GeneratedLink {
    pub user: User,
    pub action_link: String,
    pub email_otp: String,
    pub hashed_token: String,
    pub verification_type: &'static str,
    pub redirect_to: String,
}

/// Generates the link, and creates the account where the kind allows that.
///
/// # Errors
/// [`AccountRefusal::UserNotFound`], [`AccountRefusal::EmailExists`], or malformed fields.
#[tracing::instrument(name = "auth.generate_link", skip_all)]
pub async fn generate_link(
    state: &State,
    context: &RequestContext,
    request: LinkRequest<'_>,
) -> Result<GeneratedLink, AuthError> {
    if request.email.is_empty() {
        return Err(InvalidRequest::EmailMissing.into());
    }
    let email = Email::parse(request.email)?;
    let hash = hash(state, &request).await?;
    let address = Address::Email(email);
    let new = NewAccount {
        hash: hash.as_deref(),
        user_metadata: request.data.clone(),
        ..NewAccount::of(&context.aud, std::slice::from_ref(&address), AccountOrigin::Admin)
    };
    // A hook may take seconds to answer, so it is called before a connection is taken.
    let announced = account::announce_address(state, context, &new).await?;
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::contact::lock_address(&mut work.tx, address.as_str()).await?;
    let (kind, user, new_account) = match known(&mut work.tx, context, &address).await? {
        Some(user) => {
            take_up(&mut work, &request, hash.as_deref(), &user).await?;
            (request.kind, user, None)
        }
        None => {
            let kind = request.kind.for_unknown_account()?;
            let new_account = account::create(&mut work, new, announced).await?;
            (kind, new_account.user.clone(), Some(new_account))
        }
    };
    let new_email = new_email(&mut work.tx, context, kind, request.new_email).await?;
    let code = put(state, &mut work.tx, kind, &user, new_email.as_ref()).await?;
    record_by_admin(state, &mut work.tx, context, &user, action(kind)).await?;
    let user = work.user(user.id).await?;
    work.commit().await?;
    account::notify_hooks(state, context, new_account).await?;
    Ok(GeneratedLink {
        action_link: link(state, context, code.hash.as_str(), kind.in_link()),
        email_otp: code.digits,
        hashed_token: code.hash.as_str().to_owned(),
        verification_type: kind.as_str(),
        redirect_to: context.redirect_to.clone(),
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

/// The hash of the password, which only a sign-up link has and must have.
async fn hash(state: &State, request: &LinkRequest<'_>) -> Result<Option<String>, AuthError> {
    if request.kind != LinkKind::Signup {
        return Ok(None);
    }
    if request.password.is_empty() {
        return Err(InvalidRequest::PasswordMissing.into());
    }
    password::check(state, request.password).await?;
    state.hash(request.password).await.map(Some)
}

/// Prepares an existing account: an unconfirmed account is signed up or invited again with the new
/// data; a confirmed account is refused for these kinds.
async fn take_up(
    work: &mut UnitOfWork<'_>,
    request: &LinkRequest<'_>,
    hash: Option<&str>,
    user: &User,
) -> Result<(), AuthError> {
    let state = work.state;
    if !request.kind.makes() {
        return Ok(());
    }
    if user.is_confirmed() {
        return Err(AccountRefusal::EmailExists.into());
    }
    if !request.data.is_empty() {
        let (mut metadata, now) = (user.user_metadata(), work.now());
        merge(&mut metadata, request.data.clone());
        store::user::set_user_metadata(&mut work.tx, user.id, &metadata, now).await?;
    }
    match hash {
        Some(hash) => unverified::replace_password(state, &mut work.tx, user, hash).await,
        None => unverified::drop_password(state, &mut work.tx, user).await,
    }
}

async fn new_email(
    tx: &mut Owner,
    context: &RequestContext,
    kind: LinkKind,
    text: &str,
) -> Result<Option<Email>, AuthError> {
    if !matches!(kind, LinkKind::EmailChangeCurrent | LinkKind::EmailChangeNew) {
        return Ok(None);
    }
    if text.is_empty() {
        return Err(InvalidRequest::NewEmailMissing.into());
    }
    let email = Email::parse(text)?;
    if store::user::contact::id_by_email(tx, email.as_str(), &context.aud).await?.is_some() {
        return Err(AccountRefusal::EmailExists.into());
    }
    Ok(Some(email))
}

/// Generates the code and stores it, as the flow that sends the mail does.
async fn put(
    state: &State,
    tx: &mut Owner,
    kind: LinkKind,
    user: &User,
    new_email: Option<&Email>,
) -> Result<Code, AuthError> {
    let new_address = new_email.map_or("", Email::as_str);
    let address = if kind == LinkKind::EmailChangeNew { new_address } else { user.email() };
    let code = pending::draw(state, address, false);
    let purpose = match kind {
        LinkKind::Signup => Purpose::Confirmation,
        LinkKind::Invite => Purpose::Invitation,
        LinkKind::MagicLink | LinkKind::Recovery => Purpose::Recovery,
        LinkKind::EmailChangeCurrent | LinkKind::EmailChangeNew => {
            // The link to the other address stays valid if it was generated before.
            let (mut new, mut current) = (
                user.pending(OneTime::EmailChangeNew).0,
                user.pending(OneTime::EmailChangeCurrent).0,
            );
            match kind {
                LinkKind::EmailChangeNew => new = code.hash.as_str(),
                _ => current = code.hash.as_str(),
            }
            let change = EmailChange { to: new_address, new, current };
            pending::note_change(state, tx, user, &change).await?;
            return Ok(code);
        }
    };
    pending::note(state, tx, (user.id, purpose), address, &code.hash).await?;
    Ok(code)
}
