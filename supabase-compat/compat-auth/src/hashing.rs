//! Password hashes. They are computed outside of the async threads, a limited number at a time, so
//! that a burst of sign-ins delays nothing else and uses bounded memory.

mod firebase;

use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use tokio::sync::Semaphore;

use crate::config::PasswordConfig;
use crate::error::AuthError;

/// The result of comparing a password with a stored hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordMatch {
    Wrong,
    Right,
    /// The password is right and its hash is of an older kind: store a new one. Never returned
    /// where the settings keep old hashes.
    RightButOutdated,
}

/// Computes argon2id hashes and verifies those and their predecessors.
#[derive(Clone)]
pub struct Passwords {
    permits: Arc<Semaphore>,
    argon2: Argon2<'static>,
    /// The prefix of every current hash; a hash without it is outdated.
    prefix: Arc<str>,
    upgrades: bool,
}

impl Passwords {
    /// Creates a hasher; invalid costs are replaced by the recommended ones.
    pub fn new(config: &PasswordConfig) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let params = Params::new(config.argon2_memory_kib, config.argon2_passes, 1, None)
            .unwrap_or_default();
        let prefix = format!("$argon2id$v=19$m={},t={},p=1$", params.m_cost(), params.t_cost());
        Self {
            permits: Arc::new(Semaphore::new(config.concurrent_hashes.unwrap_or(cores).max(1))),
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            prefix: prefix.into(),
            upgrades: config.upgrade_hashes,
        }
    }

    /// Computes a new hash with this random salt.
    ///
    /// # Errors
    /// `Fault::Internal` only.
    pub async fn hash(&self, password: &str, salt: [u8; 16]) -> Result<String, AuthError> {
        let argon2 = self.argon2.clone();
        let password = password.to_owned();
        self.off_thread(move || {
            let hash = argon2.hash_password_with_salt(password.as_bytes(), &salt);
            hash.map(|hash| hash.to_string())
                .map_err(|error| AuthError::internal(error.to_string()))
        })
        .await?
    }

    /// Compares a password with a stored hash; a hash of an unknown kind matches no password.
    ///
    /// # Errors
    /// `Fault::Internal` only.
    pub async fn verify(&self, password: &str, hash: &str) -> Result<PasswordMatch, AuthError> {
        let argon2 = self.argon2.clone();
        let (password, stored) = (password.to_owned(), hash.to_owned());
        let right = self.off_thread(move || is_right(&argon2, &password, &stored)).await?;
        Ok(match (right, self.upgrades && !hash.starts_with(&*self.prefix)) {
            (false, _) => PasswordMatch::Wrong,
            (true, false) => PasswordMatch::Right,
            (true, true) => PasswordMatch::RightButOutdated,
        })
    }

    /// Takes as long as a comparison without comparing, so that unknown addresses take as long as
    /// known ones.
    ///
    /// # Errors
    /// `Fault::Internal` only.
    pub async fn hash_decoy(&self, password: &str) -> Result<(), AuthError> {
        self.hash(password, [0; 16]).await.map(drop)
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AuthError> {
        let permit =
            Arc::clone(&self.permits).acquire_owned().await.map_err(AuthError::internal)?;
        let result = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        result.await.map_err(AuthError::internal)
    }
}

fn is_right(argon2: &Argon2<'_>, password: &str, hash: &str) -> bool {
    if hash.starts_with("$argon2") {
        argon2.verify_password(password.as_bytes(), hash).is_ok()
    } else if is_bcrypt(hash) {
        bcrypt::verify(password, hash).unwrap_or(false)
    } else if hash.starts_with(firebase::PREFIX) {
        firebase::is_right(password, hash)
    } else {
        false
    }
}

/// Whether a hash from an administrator is of a kind that can be verified.
pub fn is_known(hash: &str) -> bool {
    is_bcrypt(hash) && hash.len() == 60
        || hash.starts_with("$argon2") && hash.matches('$').count() == 5
        || firebase::is_known(hash)
}

fn is_bcrypt(hash: &str) -> bool {
    ["$2a$", "$2b$", "$2x$", "$2y$"].iter().any(|prefix| hash.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheap() -> Passwords {
        let config =
            PasswordConfig { argon2_memory_kib: 64, argon2_passes: 1, ..PasswordConfig::default() };
        Passwords::new(&config)
    }

    #[tokio::test]
    async fn a_hash_of_ours_verifies_its_password_only() {
        let hash = cheap().hash("correct horse", [7; 16]).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=64,t=1,p=1$"));
        assert_eq!(cheap().verify("correct horse", &hash).await.unwrap(), PasswordMatch::Right);
        assert_eq!(cheap().verify("wrong horse", &hash).await.unwrap(), PasswordMatch::Wrong);
    }

    #[tokio::test]
    async fn bcrypt_verifies_and_asks_to_be_replaced() {
        let hash = bcrypt::hash("correct horse", 4).unwrap();
        assert!(is_known(&hash));
        assert_eq!(
            cheap().verify("correct horse", &hash).await.unwrap(),
            PasswordMatch::RightButOutdated
        );
        assert_eq!(cheap().verify("wrong horse", &hash).await.unwrap(), PasswordMatch::Wrong);
    }

    #[tokio::test]
    async fn other_argon2_variants_and_costs_verify_as_outdated() {
        let params = Params::new(64, 2, 1, None).unwrap();
        for algorithm in [Algorithm::Argon2d, Algorithm::Argon2i, Algorithm::Argon2id] {
            let other = Argon2::new(algorithm, Version::V0x13, params.clone());
            let hash =
                other.hash_password_with_salt(b"correct horse", &[1; 16]).unwrap().to_string();
            let outcome = cheap().verify("correct horse", &hash).await.unwrap();
            assert_eq!(outcome, PasswordMatch::RightButOutdated, "{hash}");
        }
    }

    #[tokio::test]
    async fn garbage_fits_no_password() {
        for hash in ["", "plain", "$argon2id$", "$2a$", "$2b$10$short", "$md5$x"] {
            assert_eq!(
                cheap().verify("plain", hash).await.unwrap(),
                PasswordMatch::Wrong,
                "{hash}"
            );
        }
    }
}
