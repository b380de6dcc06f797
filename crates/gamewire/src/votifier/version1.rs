//! Version 1: one block, encrypted with the listener's RSA key.

use aws_lc_rs::rsa::{Pkcs1PublicEncryptingKey, PublicEncryptingKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Vote;

/// The length of a block in bytes, which is that of a 2048-bit key. A listener reads it in one
/// call.
pub const BLOCK: usize = 256;

/// A listener's public key, as its `public.key` holds it.
#[derive(Debug)]
pub struct ListenerKey(Pkcs1PublicEncryptingKey);

/// Why a block cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The key is no X.509 public key in base64, or not one of 2048 bits.
    #[error("invalid listener key")]
    Key,
    /// The vote is longer than the 245 bytes a block has room for.
    #[error("vote too long for one block")]
    TooLong,
}

impl ListenerKey {
    /// Parses the text of `public.key`: base64 of a `SubjectPublicKeyInfo`. Line breaks and the
    /// header and footer lines of a PEM file are ignored.
    ///
    /// # Errors
    /// [`BlockError::Key`].
    pub fn parse(text: &str) -> Result<Self, BlockError> {
        let digits: String = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("-----"))
            .flat_map(str::chars)
            .filter(|character| !character.is_whitespace())
            .collect();
        let der = STANDARD.decode(digits).map_err(|_| BlockError::Key)?;
        let key = PublicEncryptingKey::from_der(&der).map_err(|_| BlockError::Key)?;
        if key.key_size_bytes() != BLOCK {
            return Err(BlockError::Key);
        }
        Pkcs1PublicEncryptingKey::new(key).map(Self).map_err(|_| BlockError::Key)
    }

    /// Encrypts the vote; the block has to be sent in one write.
    ///
    /// # Errors
    /// [`BlockError::TooLong`].
    pub fn block(&self, vote: &Vote<'_>) -> Result<[u8; BLOCK], BlockError> {
        let plain = plain(vote);
        let mut block = [0; BLOCK];
        self.0.encrypt(plain.as_bytes(), &mut block).map_err(|_| BlockError::TooLong)?;
        Ok(block)
    }
}

/// The fields of the vote, one on each line; a line break within a field becomes a space.
fn plain(vote: &Vote<'_>) -> String {
    let line = |text: &str| text.replace(['\n', '\r'], " ");
    let (service, name, address) =
        (line(vote.service_name), line(vote.username), line(vote.address));
    format!("VOTE\n{service}\n{name}\n{address}\n{}\n", vote.timestamp)
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
    use aws_lc_rs::rsa::{KeySize, Pkcs1PrivateDecryptingKey, PrivateDecryptingKey};

    use super::*;

    fn pair(size: KeySize) -> (Pkcs1PrivateDecryptingKey, String) {
        let private = PrivateDecryptingKey::generate(size).expect("a key");
        let public: PublicKeyX509Der<'_> = private.public_key().as_der().expect("DER");
        let text = STANDARD.encode(public.as_ref());
        (Pkcs1PrivateDecryptingKey::new(private).expect("a key"), text)
    }

    fn vote(username: &str) -> Vote<'_> {
        Vote { service_name: "votes.example", username, address: "0.0.0.0", timestamp: 1_700_000 }
    }

    #[test]
    fn a_listener_reads_the_vote_with_its_key() {
        let (private, text) = pair(KeySize::Rsa2048);
        let wrapped = text.as_bytes().chunks(64).map(String::from_utf8_lossy).collect::<Vec<_>>();
        let pem = format!(
            "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
            wrapped.join("\n")
        );
        for key in [text, pem] {
            let block =
                ListenerKey::parse(&key).expect("a key").block(&vote("Ada\nx")).expect("a block");
            let mut room = [0; BLOCK];
            let read = private.decrypt(&block, &mut room).expect("ours");
            assert_eq!(read, b"VOTE\nvotes.example\nAda x\n0.0.0.0\n1700000\n");
        }
    }

    #[test]
    fn wrong_keys_and_oversized_votes_are_refused() {
        let (_, longer) = pair(KeySize::Rsa3072);
        for text in ["", "not base64!", "aGVsbG8=", &longer] {
            assert_eq!(ListenerKey::parse(text).err(), Some(BlockError::Key), "{text}");
        }
        let (_, text) = pair(KeySize::Rsa2048);
        let key = ListenerKey::parse(&text).expect("a key");
        assert_eq!(key.block(&vote(&"x".repeat(209))).map(|_| ()), Ok(()));
        assert_eq!(key.block(&vote(&"x".repeat(210))).err(), Some(BlockError::TooLong));
    }
}
