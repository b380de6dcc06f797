use super::super::AuthError;
use super::super::tests::variants;
use super::InvalidRequest;

/// Every variant with its message.
fn table() -> Vec<(InvalidRequest, &'static str)> {
    use InvalidRequest as I;
    vec![
        (I::PasswordMissing, "Signup requires a valid password"),
        (I::PasswordTooLong, "Password cannot be longer than 72 characters"),
        (
            I::SignupEmailAndPhone,
            "Only an email address or phone number should be provided on signup.",
        ),
        (
            I::LoginEmailAndPhone,
            "Only an email address or phone number should be provided on login.",
        ),
        (I::LoginAddressMissing, "missing email or phone"),
        (I::EmailAndPhone, "Only an email address or phone number should be provided"),
        (I::AddressMissing, "One of email or phone must be set"),
        (I::AdminAddressMissing, "Cannot create a user without either an email or phone"),
        (I::Email, "Unable to validate email address: invalid format"),
        (I::EmailMissing, "An email address is required"),
        (I::EmailTooLong, "An email address is too long"),
        (I::Phone, "Invalid phone number format (E.164 required)"),
        (
            I::Channel,
            "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
        ),
        (I::PkceWithPhone, "PKCE not supported for phone signups"),
        (I::ChallengeIncomplete, "PKCE flow requires code_challenge_method and code_challenge"),
        (
            I::Challenge,
            "code challenge has to be between 43 and 128 characters and contain only unreserved characters",
        ),
        (I::ChallengeMethod, "Invalid code challenge method"),
        (
            I::ExchangeIncomplete,
            "invalid request: both auth code and code verifier should be non-empty",
        ),
        (I::RefreshTokenMissing, "refresh_token required"),
        (I::RefreshToken, "Refresh token is not valid"),
        (I::LogoutScope("x".to_owned()), "Unsupported logout scope \"x\""),
        (I::VerifyTypeMissing, "Verify requires a verification type"),
        (I::VerifyTokenMissing, "Verify requires a token or a token hash"),
        (I::VerifyTokenHashOnly, "Only the token_hash and type should be provided"),
        (I::VerifyAddress, "Only an email address or phone number should be provided on verify"),
        (I::VerifyType, "Invalid email verification type"),
        (I::ResendType, "Missing one of these types: signup, email_change, sms, phone_change"),
        (I::ResendEmail, "Type provided requires an email address"),
        (I::ResendPhone, "Type provided requires a phone number"),
        (
            I::ReauthenticationAddress,
            "Reauthentication requires the user to have an email or a phone number",
        ),
        (I::Provider("x".to_owned()), "Unsupported provider: x"),
        (I::NotUuid("x"), "x must be an UUID"),
        (I::Pagination("x".to_owned()), "Bad Pagination Parameters: x"),
        (I::UserMetadata, "User metadata cannot be larger than 32768 bytes"),
        (I::BanDuration("x".to_owned()), "invalid format for ban duration: x"),
        (I::PasswordAndHash, "Cannot provide both a password and a password hash"),
        (I::PasswordHash, "invalid password hash"),
        (I::FactorType, "factor_type needs to be totp, phone, or webauthn"),
        (I::WebauthnMissing, "WebAuthn config required"),
        (I::WebauthnParty, "rpId and rpOrigins must name a domain and its pages"),
        (I::CredentialMissing, "credential_response is required"),
        (I::PasskeyName, "friendly_name must have 1 to 120 characters"),
        (I::CodeMissing, "Code needs to be non-empty"),
        (I::CustomProvider("x"), "x"),
        (I::DiscoveryDocument("x".to_owned()), "Unable to use the discovery document: x"),
        (I::LinkType("x".to_owned()), "Invalid link type: x"),
        (
            I::RedirectUris,
            "redirect_uris must be 1 to 10 absolute https addresses without fragments; http is for the loopback only",
        ),
        (I::GrantTypes, "grant_types must be authorization_code or refresh_token"),
        (I::ClientAuthMethod, "token_endpoint_auth_method does not fit the client type"),
        (I::ClientName, "client_name cannot exceed 1024 characters"),
        (I::PublicClientSecret, "public clients have no secret"),
        (I::ClientId, "client_id must be a valid UUID"),
        (I::RedirectUri, "invalid redirect_uri"),
        (I::ConsentAction, "action must be 'approve' or 'deny'"),
        (I::NewEmailMissing, "New email address is required"),
    ]
}

#[test]
fn invalid_requests_have_text_and_validation_failed_code() {
    for (invalid, text) in table() {
        assert_eq!(invalid.to_string(), text, "{invalid:?}");
        let status = if matches!(invalid, InvalidRequest::NotUuid(_)) { 404 } else { 400 };
        let (actual, code) = AuthError::from(invalid).facts();
        assert_eq!((actual.as_u16(), code), (status, "validation_failed"), "{text}");
    }
}

#[test]
fn the_table_misses_no_impossible_request() {
    let table = format!("{:?}", table());
    for name in variants(include_str!("../invalid.rs"), "InvalidRequest") {
        assert!(table.contains(&name), "{name} is not in the table");
    }
}
