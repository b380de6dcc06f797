//! Firebase's variant of scrypt, in the original's notation:
//! `$fbscrypt$v=1,n=14,r=8,p=1,ss=<separator>,sk=<signer key>$<salt>$<hash>`, all base64.
//!
//! The hash is the project's signer key, encrypted with the scrypt of the password.

use aes::Aes256;
use aes::cipher::{KeyIvInit as _, StreamCipher as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ctr::Ctr128BE;
use subtle::ConstantTimeEq as _;

pub const PREFIX: &str = "$fbscrypt$";

/// Upper limits of the costs: 2^20 rounds of one KiB need a gigabyte of memory.
const MAX_LOG_N: u8 = 20;
const MAX_R: u32 = 16;

struct Hash {
    log_n: u8,
    r: u32,
    p: u32,
    separator: Vec<u8>,
    signer_key: Vec<u8>,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

fn parse(text: &str) -> Option<Hash> {
    let mut parts = text.strip_prefix(PREFIX)?.split('$');
    let (parameters, salt, hash) = (parts.next()?, parts.next()?, parts.next()?);
    let value = |name: &str| {
        parameters.split(',').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    };
    let bytes = |text: &str| STANDARD.decode(text).ok();
    let parsed = Hash {
        log_n: value("n")?.parse().ok()?,
        r: value("r")?.parse().ok()?,
        p: value("p")?.parse().ok()?,
        separator: bytes(value("ss").unwrap_or_default())?,
        signer_key: bytes(value("sk")?)?,
        salt: bytes(salt)?,
        hash: bytes(hash)?,
    };
    let is_sane = value("v") == Some("1")
        && parts.next().is_none()
        && (1..=MAX_LOG_N).contains(&parsed.log_n)
        && (1..=MAX_R).contains(&parsed.r)
        && (1..=MAX_R).contains(&parsed.p)
        && !parsed.signer_key.is_empty();
    is_sane.then_some(parsed)
}

/// Whether a hash is well-formed, so that it can be verified.
pub fn is_known(hash: &str) -> bool {
    parse(hash).is_some()
}

/// Whether `password` matches `hash`.
pub fn is_right(password: &str, hash: &str) -> bool {
    let Some(hash) = parse(hash) else { return false };
    let Ok(costs) = scrypt::Params::new(hash.log_n, hash.r, hash.p) else { return false };
    let mut key = [0; 32];
    let salt = [hash.salt, hash.separator].concat();
    if scrypt::scrypt(password.as_bytes(), &salt, &costs, &mut key).is_err() {
        return false;
    }
    let mut encrypted = hash.signer_key;
    Ctr128BE::<Aes256>::new(&key.into(), &[0; 16].into()).apply_keystream(&mut encrypted);
    encrypted.ct_eq(&hash.hash).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Firebase's own scrypt repository.
    const EXAMPLE: &str = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,\
        sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==\
        $42xEC+ixf3L2lw==\
        $lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";

    #[test]
    fn the_published_example_verifies() {
        assert!(is_known(EXAMPLE));
        assert!(is_right("user1password", EXAMPLE));
        assert!(!is_right("user2password", EXAMPLE));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_hash_or_none(text in "\\PC{0,80}") {
            proptest::prop_assert!(!is_known(&text) || text.starts_with(PREFIX));
            let marked = [PREFIX, &text].concat();
            proptest::prop_assert!(!is_known(&marked) || text.contains("sk="));
        }
    }

    #[test]
    fn malformed_or_costly_hashes_are_unknown() {
        let costly = EXAMPLE.replace("n=14", "n=30");
        let other = EXAMPLE.replace("v=1", "v=2");
        for hash in
            ["$fbscrypt$", "$fbscrypt$v=1,n=14$a$b", &costly, &other, &format!("{EXAMPLE}$")]
        {
            assert!(!is_known(hash) && !is_right("user1password", hash), "{hash}");
        }
    }
}
