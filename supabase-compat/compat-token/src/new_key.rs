//! New private keys, as `supabase gen signing-key` writes them.

use aws_lc_rs::encoding::{AsBigEndian, AsDer, EcPrivateKeyBin, Pkcs8V1Der};
use aws_lc_rs::rsa;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use crate::KeyError;
use crate::jwk::encode;

/// The algorithm of a new signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// ECDSA over P-256.
    Es256,
    /// RSA with 2048 bits.
    Rs256,
}

/// DER tags.
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const SEQUENCE: u8 = 0x30;

/// A new private key as a JWK, with its members in the order of the official CLI.
///
/// # Errors
/// [`KeyError::Crypto`] when the system's random source fails.
pub fn new_private_jwk(algorithm: SigningAlgorithm, kid: &str) -> Result<Value, KeyError> {
    let (kty, alg) = match algorithm {
        SigningAlgorithm::Es256 => ("EC", "ES256"),
        SigningAlgorithm::Rs256 => ("RSA", "RS256"),
    };
    let mut jwk = json!({
        "kty": kty, "kid": kid, "use": "sig", "key_ops": ["sign", "verify"], "alg": alg, "ext": true,
    });
    match algorithm {
        SigningAlgorithm::Es256 => {
            let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
            let secret = AsBigEndian::<EcPrivateKeyBin<'static>>::as_be_bytes(&pair.private_key())?;
            // An uncompressed point: 0x04, x, y.
            let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
            jwk["d"] = encode(secret.as_ref()).into();
            jwk["crv"] = "P-256".into();
            jwk["x"] = encode(x).into();
            jwk["y"] = encode(y).into();
        }
        SigningAlgorithm::Rs256 => {
            let pair = rsa::KeyPair::generate(rsa::KeySize::Rsa2048)?;
            let der = AsDer::<Pkcs8V1Der<'static>>::as_der(&pair)?;
            let numbers = rsa_numbers(der.as_ref()).ok_or(KeyError::Crypto)?;
            let names = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];
            for (name, number) in names.into_iter().zip(numbers) {
                jwk[name] = encode(number).into();
            }
        }
    }
    Ok(jwk)
}

/// The integers of an RSA private key (RFC 8017 A.1.2) in PKCS #8: modulus, both exponents, both
/// primes, both exponents of the CRT, and its coefficient.
fn rsa_numbers(mut der: &[u8]) -> Option<Vec<&[u8]>> {
    let mut outer = value(&mut der, SEQUENCE)?;
    value(&mut outer, INTEGER)?;
    value(&mut outer, SEQUENCE)?;
    let mut key = value(&mut outer, OCTETS)?;
    let mut key = value(&mut key, SEQUENCE)?;
    value(&mut key, INTEGER)?;
    (0..8).map(|_| value(&mut key, INTEGER).map(unsigned)).collect()
}

/// Reads the next DER value, which must have this tag.
fn value<'a>(der: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
    let (actual_tag, rest) = der.split_first()?;
    let (length, mut rest) = rest.split_first()?;
    let mut length = usize::from(*length);
    // The long form: the number of length bytes, then these bytes.
    if length > 0x7f {
        let (bytes, after) = rest.split_at_checked(length & 0x7f)?;
        length = bytes.iter().try_fold(0_usize, |sum, byte| {
            sum.checked_mul(256).map(|sum| sum + usize::from(*byte))
        })?;
        rest = after;
    }
    let (content, after) = rest.split_at_checked(length)?;
    *der = after;
    (*actual_tag == tag).then_some(content)
}

/// Removes the leading zero byte that DER puts before a positive integer with a high first bit.
fn unsigned(number: &[u8]) -> &[u8] {
    number.strip_prefix(&[0]).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyRing;

    #[test]
    fn new_private_jwks_have_the_cli_members() {
        let common = ["kty", "kid", "use", "key_ops", "alg", "ext"];
        for (algorithm, name, own) in [
            (SigningAlgorithm::Es256, "ES256", &["d", "crv", "x", "y"][..]),
            (SigningAlgorithm::Rs256, "RS256", &["n", "e", "d", "p", "q", "dp", "dq", "qi"]),
        ] {
            let jwk = new_private_jwk(algorithm, "one").unwrap();
            let members: Vec<&str> = jwk.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(members, [&common, own].concat());
            let ring = KeyRing::from_private_jwks(&json!([jwk]).to_string()).unwrap();
            assert_eq!(ring.signing_algorithm().as_deref(), Some(name));
        }
    }
}
