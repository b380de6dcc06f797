//! The demonstration: accounts of every role, then the ranking's demonstration data that refers to
//! these accounts. It is never loaded in production.

use compat_stack::auth::{AuthError, InitialPassword, NewUser, Passwords, ensure_user};
use compat_stack::http::Entropy;
use compat_stack::{Settings, Stack, print_line};
use serde_json::Map;
use tokio::task::JoinSet;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The password of all demonstration accounts, which is published.
const PASSWORD: &str = "palmares-demo";

/// The email address, name and purpose of each account.
const ACCOUNTS: [(&str, &str, &str); 5] = [
    ("admin@palmares.test", "Ada", "admin"),
    ("founder@palmares.test", "Fanny", "founder"),
    ("owner@palmares.test", "Octave", "server owner"),
    ("owner2@palmares.test", "Olivia", "server owner"),
    ("player@palmares.test", "Pablo", "player"),
];

/// Hashes the accounts' passwords in the background. Each hash takes noticeable processor time;
/// hashing while a new database starts hides that time.
pub struct PasswordHashes(JoinSet<Result<String, AuthError>>);

impl PasswordHashes {
    /// Starts hashing.
    pub fn new(settings: &Settings) -> Self {
        let (passwords, entropy) = (Passwords::new(&settings.auth.password), Entropy::system());
        Self(ACCOUNTS.iter().map(|_| hash(passwords.clone(), entropy.bytes())).collect())
    }
}

async fn hash(passwords: Passwords, salt: [u8; 16]) -> Result<String, AuthError> {
    passwords.hash(PASSWORD, salt).await
}

/// Loads the demonstration into a database without servers; any other database stays unchanged.
pub async fn load_into_new(stack: &Stack, hashes: Option<PasswordHashes>) -> Outcome {
    if ranking::sitemap_facts(&stack.pools.owner).await?.servers == 0 {
        print_line("Loading the demonstration data");
        load(stack, hashes).await?;
    }
    Ok(())
}

/// Creates the accounts and loads the data. A repeated call changes nothing.
pub async fn load(stack: &Stack, hashes: Option<PasswordHashes>) -> Outcome {
    let auth = stack.auth().ok_or("demonstration accounts need the auth service")?;
    let mut hashes = hashes.unwrap_or_else(|| PasswordHashes::new(stack.settings()));
    for (email, name, _) in ACCOUNTS {
        let hash = hashes.0.join_next().await.ok_or("no hash of a password")???;
        let user = NewUser {
            email: email.to_owned(),
            password: InitialPassword::Hash(hash.into()),
            user_metadata: Map::from_iter([
                ("username".to_owned(), name.into()),
                ("lang".to_owned(), "fr".into()),
            ]),
            app_metadata: Map::new(),
            confirmed: true,
        };
        ensure_user(auth, user).await?;
    }
    ranking::demo::load(&stack.pools.owner).await?;
    Ok(())
}

/// Removes the data. The accounts stay, since people may have used them.
pub async fn remove(stack: &Stack) -> Outcome {
    ranking::demo::remove(&stack.pools.owner).await?;
    Ok(())
}

/// Prints the address of the site and the accounts to sign in with.
pub fn introduce(address: &str) {
    let widest = ACCOUNTS.iter().map(|(email, ..)| email.len()).max().unwrap_or_default();
    let accounts: Vec<String> = ACCOUNTS
        .iter()
        .map(|(email, name, role)| format!("    {email:widest$}  {name} ({role})"))
        .collect();
    print_line(&format!(
        "  Palmarès, with demonstration data: {address}\n\n  accounts, all with the password {PASSWORD}\n{}\n",
        accounts.join("\n")
    ));
}
