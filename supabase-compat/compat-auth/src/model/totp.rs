//! Time-based one-time passwords (RFC 6238): SHA-1, thirty seconds, six digits, as authenticator
//! apps expect.

use qrcodegen::{QrCode, QrCodeEcc};
use totp_rs::{Builder, Secret, Totp};

use crate::error::{AuthError, FactorRefusal};

/// The secret of a new enrolment, in the forms that authenticator apps accept.
pub struct Enrolment {
    /// In base 32, as it is stored and typed.
    pub secret: String,
    /// `otpauth://…`
    pub uri: String,
    /// The URI as a QR code in SVG.
    pub qr_code: String,
}

/// Prepares `secret` for an authenticator app, for `account` at `issuer`.
///
/// # Errors
/// `Fault::Internal` only.
pub fn enrol(secret: [u8; 20], account: &str, issuer: &str) -> Result<Enrolment, AuthError> {
    // The label of a key URI is `issuer:account`, so neither may hold a colon.
    let (account, issuer) = (account.replace(':', "-"), issuer.replace(':', "-"));
    let secret = Secret::from(secret);
    let text = secret.to_base32();
    let totp = Builder::new()
        .with_secret(secret)
        .with_account_name(account)
        .with_issuer(Some(issuer))
        .build()
        .map_err(AuthError::internal)?;
    let uri = totp.to_url().map_err(AuthError::internal)?;
    Ok(Enrolment { secret: text, qr_code: svg(&uri)?, uri })
}

/// The time step of `code`: the current one or a neighbouring one.
///
/// # Errors
/// [`FactorRefusal::WrongTotpCode`], also when the stored secret is invalid.
pub fn step_of(secret: &str, code: &str, unix: i64) -> Result<u64, AuthError> {
    let totp = stored(secret).ok_or(FactorRefusal::WrongTotpCode)?;
    let time = u64::try_from(unix).map_err(|_| FactorRefusal::WrongTotpCode)?;
    totp.check(code, time).ok_or(AuthError::Factor(FactorRefusal::WrongTotpCode))
}

fn stored(secret: &str) -> Option<Totp> {
    let secret = Secret::try_from_base32(secret).ok()?;
    Builder::new().with_secret(secret).build().ok()
}

/// Draws the QR code as one path of unit squares, with the quiet zone that readers need.
fn svg(text: &str) -> Result<String, AuthError> {
    const BORDER: i32 = 4;
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(AuthError::internal)?;
    let side = code.size() + 2 * BORDER;
    let modules: String = (0..code.size())
        .flat_map(|y| (0..code.size()).map(move |x| (x, y)))
        .filter(|(x, y)| code.get_module(*x, *y))
        .map(|(x, y)| format!("M{},{}h1v1h-1z", x + BORDER, y + BORDER))
        .collect();
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
         shape-rendering=\"crispEdges\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>\
         <path d=\"{modules}\" fill=\"black\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of RFC 6238, appendix B, in base 32.
    const SECRET: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn rfc_totp_example_verifies_within_one_step() {
        // Appendix B gives 94287082 for second 59; six digits are its last six.
        for second in [29 + 1, 59, 60, 89] {
            assert!(matches!(step_of(SECRET, "287082", second), Ok(1)), "{second}");
        }
        assert!(step_of(SECRET, "287082", 120).is_err());
        assert!(step_of(SECRET, "287083", 59).is_err());
    }

    #[test]
    fn garbage_is_wrong_and_nothing_worse() {
        for (secret, code) in
            [("", "000000"), ("!!!", "000000"), (SECRET, ""), (SECRET, "abc"), (SECRET, "2870829")]
        {
            assert!(matches!(
                step_of(secret, code, 59),
                Err(AuthError::Factor(FactorRefusal::WrongTotpCode))
            ));
        }
    }

    #[test]
    fn an_enrolment_shows_one_secret_in_three_forms() {
        let enrolment = enrol([7; 20], "ada@example.test", "localhost:3000").unwrap();
        assert_eq!(enrolment.secret.len(), 32);
        assert!(enrolment.uri.starts_with("otpauth://totp/localhost-3000:ada%40example.test?"));
        assert!(enrolment.uri.contains(&enrolment.secret));
        assert!(enrolment.qr_code.starts_with("<svg "));
    }
}
