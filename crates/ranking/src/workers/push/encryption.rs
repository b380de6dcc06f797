//! Message encryption for Web Push (RFC 8291), as one record of RFC 8188.

use aes_gcm::aead::Aead;
use aes_gcm::{Aes128Gcm, KeyInit};
use compat_http::Entropy;
use hkdf::Hkdf;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;

/// The record size in octets; a message is a single record.
const RECORD: u32 = 4096;

/// The delimiter octet of the last record.
const LAST: u8 = 2;

/// The length of an uncompressed point in octets.
const POINT: usize = 65;

/// The keys in a browser's subscription.
pub(crate) struct Recipient {
    public: PublicKey,
    auth: [u8; 16],
}

/// The keys in a subscription are invalid.
#[derive(Debug, thiserror::Error)]
#[error("p256dh must be a point of P-256 in 65 octets, auth 16 octets")]
pub(crate) struct InvalidKeys;

impl Recipient {
    /// A recipient with the browser's uncompressed public key and its authentication secret.
    pub fn new(p256dh: &[u8], auth: &[u8]) -> Result<Self, InvalidKeys> {
        let auth = auth.try_into().map_err(|_| InvalidKeys)?;
        if p256dh.len() != POINT {
            return Err(InvalidKeys);
        }
        let public = PublicKey::from_sec1_bytes(p256dh).map_err(|_| InvalidKeys)?;
        Ok(Self { public, auth })
    }
}

/// Encrypts a message, which must be shorter than a record.
pub(crate) fn encrypt(entropy: &Entropy, to: &Recipient, message: &[u8]) -> Vec<u8> {
    // One in 2^32 random values is not a valid key.
    let sender_key = std::iter::repeat_with(|| SecretKey::from_slice(&entropy.bytes::<32>()))
        .find_map(Result::ok)
        .expect("an endless supply");
    encrypt_with(entropy.bytes(), &sender_key, to, message)
}

fn encrypt_with(salt: [u8; 16], sender_key: &SecretKey, to: &Recipient, message: &[u8]) -> Vec<u8> {
    let own_public = sender_key.public_key().to_sec1_bytes();
    let shared = sender_key.diffie_hellman(&to.public);
    let about: [&[u8]; 3] = [b"WebPush: info\0", &to.public.to_sec1_bytes(), &own_public];
    let secret: [u8; 32] = derive(&to.auth, shared.raw_secret_bytes(), &about);
    let key: [u8; 16] = derive(&salt, &secret, &[b"Content-Encoding: aes128gcm\0"]);
    let nonce: [u8; 12] = derive(&salt, &secret, &[b"Content-Encoding: nonce\0"]);
    let record = [message, &[LAST]].concat();
    let encrypted = Aes128Gcm::new(&key.into())
        .encrypt(&nonce.into(), record.as_slice())
        .expect("a message is far shorter than the cipher's limit");
    let length = u8::try_from(own_public.len()).expect("a point is short");
    [&salt[..], &RECORD.to_be_bytes(), &[length], &own_public, &encrypted].concat()
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], about: &[&[u8]]) -> [u8; N] {
    let mut key = [0; N];
    Hkdf::<Sha256>::new(Some(salt), secret)
        .expand_multi_info(about, &mut key)
        .expect("HKDF gives this many octets");
    key
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    fn octets(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("base64url")
    }

    #[test]
    fn the_example_of_the_standard_comes_out() {
        // RFC 8291, section 5 and appendix A.
        let sender_key =
            SecretKey::from_slice(&octets("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
        let to = Recipient::new(
            &octets(concat!(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx",
                "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            )),
            &octets("BTBZMqHH6r4Tts7J_aSIgg"),
        );
        let salt = octets("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 octets");
        let message = b"When I grow up, I want to be a watermelon";
        let encrypted =
            encrypt_with(salt, &sender_key.expect("a key"), &to.expect("keys"), message);
        assert_eq!(
            URL_SAFE_NO_PAD.encode(encrypted),
            concat!(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml",
                "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT",
                "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
            )
        );
    }

    #[test]
    fn malformed_keys_are_rejected() {
        let point = octets(concat!(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx",
            "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ));
        assert!(Recipient::new(&point, &[0; 16]).is_ok());
        assert!(Recipient::new(&point, &[0; 15]).is_err());
        assert!(Recipient::new(&point[..64], &[0; 16]).is_err());
        let mut off_the_curve = point;
        off_the_curve[64] ^= 1;
        assert!(Recipient::new(&off_the_curve, &[0; 16]).is_err());
    }
}
