//! Requests with invalid values: all `validation_failed`.

use http::StatusCode;

/// What is wrong with the request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    #[error("Signup requires a valid password")]
    PasswordMissing,
    #[error("Password cannot be longer than 72 characters")]
    PasswordTooLong,
    #[error("Only an email address or phone number should be provided on signup.")]
    SignupEmailAndPhone,
    #[error("Only an email address or phone number should be provided on login.")]
    LoginEmailAndPhone,
    #[error("missing email or phone")]
    LoginAddressMissing,
    #[error("Only an email address or phone number should be provided")]
    EmailAndPhone,
    #[error("One of email or phone must be set")]
    AddressMissing,
    #[error("Cannot create a user without either an email or phone")]
    AdminAddressMissing,
    #[error("Unable to validate email address: invalid format")]
    Email,
    #[error("An email address is required")]
    EmailMissing,
    #[error("An email address is too long")]
    EmailTooLong,
    #[error("Invalid phone number format (E.164 required)")]
    Phone,
    #[error(
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."
    )]
    Channel,
    #[error("PKCE not supported for phone signups")]
    PkceWithPhone,
    #[error("PKCE flow requires code_challenge_method and code_challenge")]
    ChallengeIncomplete,
    #[error(
        "code challenge has to be between 43 and 128 characters and contain only unreserved characters"
    )]
    Challenge,
    #[error("Invalid code challenge method")]
    ChallengeMethod,
    #[error("invalid request: both auth code and code verifier should be non-empty")]
    ExchangeIncomplete,
    #[error("refresh_token required")]
    RefreshTokenMissing,
    #[error("Refresh token is not valid")]
    RefreshToken,
    #[error("Unsupported logout scope \"{0}\"")]
    LogoutScope(String),
    #[error("Verify requires a verification type")]
    VerifyTypeMissing,
    #[error("Verify requires a token or a token hash")]
    VerifyTokenMissing,
    #[error("Only the token_hash and type should be provided")]
    VerifyTokenHashOnly,
    #[error("Only an email address or phone number should be provided on verify")]
    VerifyAddress,
    #[error("Invalid email verification type")]
    VerifyType,
    #[error("Missing one of these types: signup, email_change, sms, phone_change")]
    ResendType,
    #[error("Type provided requires an email address")]
    ResendEmail,
    #[error("Type provided requires a phone number")]
    ResendPhone,
    #[error("Reauthentication requires the user to have an email or a phone number")]
    ReauthenticationAddress,
    #[error("Unsupported provider: {0}")]
    Provider(String),
    #[error("{0} must be an UUID")]
    NotUuid(&'static str),
    #[error("Bad Pagination Parameters: {0}")]
    Pagination(String),
    #[error("invalid format for ban duration: {0}")]
    BanDuration(String),
    #[error("Cannot provide both a password and a password hash")]
    PasswordAndHash,
    #[error("invalid password hash")]
    PasswordHash,
    #[error("factor_type needs to be totp, phone, or webauthn")]
    FactorType,
    #[error("WebAuthn config required")]
    WebauthnMissing,
    #[error("rpId and rpOrigins must name a domain and its pages")]
    WebauthnParty,
    #[error("credential_response is required")]
    CredentialMissing,
    #[error("friendly_name must have 1 to 120 characters")]
    PasskeyName,
    #[error("Code needs to be non-empty")]
    CodeMissing,
    #[error("{0}")]
    CustomProvider(&'static str),
    #[error("Unable to use the discovery document: {0}")]
    DiscoveryDocument(String),
    #[error("Invalid link type: {0}")]
    LinkType(String),
    #[error(
        "redirect_uris must be 1 to 10 absolute https addresses without fragments; http is for the loopback only"
    )]
    RedirectUris,
    #[error("grant_types must be authorization_code or refresh_token")]
    GrantTypes,
    #[error("token_endpoint_auth_method does not fit the client type")]
    ClientAuthMethod,
    #[error("client_name cannot exceed 1024 characters")]
    ClientName,
    #[error("public clients have no secret")]
    PublicClientSecret,
    #[error("client_id must be a valid UUID")]
    ClientId,
    #[error("invalid redirect_uri")]
    RedirectUri,
    #[error("action must be 'approve' or 'deny'")]
    ConsentAction,
    #[error("User metadata cannot be larger than 32768 bytes")]
    UserMetadata,
    #[error("New email address is required")]
    NewEmailMissing,
}

impl InvalidRequest {
    /// An invalid id in a path matches no object, so the status is 404 rather than 400.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotUuid(_) => StatusCode::NOT_FOUND,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

#[cfg(test)]
mod tests;
