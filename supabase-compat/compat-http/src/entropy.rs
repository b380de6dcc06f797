//! Randomness, as an input.

use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use uuid::Uuid;

/// Gives random values: unpredictable ones, or a test's repeatable ones.
#[derive(Clone)]
pub struct Entropy(Arc<Mutex<StdRng>>);

impl std::fmt::Debug for Entropy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Entropy")
    }
}

impl Entropy {
    /// A cryptographically strong generator seeded by the operating system.
    pub fn system() -> Self {
        #[expect(clippy::disallowed_methods, reason = "this is the one place that asks")]
        let generator = StdRng::from_rng(&mut rand::rng());
        Self(Arc::new(Mutex::new(generator)))
    }

    /// A repeatable sequence, for tests.
    pub fn seeded(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Fills `target`.
    pub fn fill(&self, target: &mut [u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(target);
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A version 4 UUID.
    pub fn uuid(&self) -> Uuid {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid()
    }

    /// `length` characters of `[a-z0-9]`, evenly drawn.
    pub fn alphanumeric_lower(&self, length: usize) -> String {
        self.draw(b"abcdefghijklmnopqrstuvwxyz0123456789", length)
    }

    /// `length` decimal digits, evenly drawn.
    pub fn digits(&self, length: usize) -> String {
        self.draw(b"0123456789", length)
    }

    fn draw(&self, alphabet: &[u8], length: usize) -> String {
        let mut generator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (0..length)
            .map(|_| char::from(alphabet[generator.random_range(0..alphabet.len())]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_itself() {
        let (one, two) = (Entropy::seeded(1), Entropy::seeded(1));
        assert_eq!(one.uuid(), two.uuid());
        assert_eq!(one.digits(6), two.digits(6));
    }

    #[test]
    fn drawn_characters_stay_in_their_alphabet() {
        let drawn = Entropy::seeded(2).alphanumeric_lower(500);
        assert_eq!(drawn.len(), 500);
        assert!(drawn.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
    }

    #[test]
    fn system_uuids_are_version_four_and_differ() {
        let entropy = Entropy::system();
        assert_eq!(entropy.uuid().get_version_num(), 4);
        assert_ne!(entropy.uuid(), entropy.uuid());
    }
}
