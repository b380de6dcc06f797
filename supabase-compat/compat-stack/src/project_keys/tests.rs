//! Keys across restarts and rotations, and keys from settings.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::opaque_keys::key_id;
use super::*;

const SECRET: &str = "super-secret-jwt-token-with-at-least-32-characters";

/// A folder of one test, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("project-keys-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn load(&self, settings: &KeySettings) -> ProjectKeys {
        let world = (Clock::system(), Entropy::seeded(1));
        ProjectKeys::load_or_create(&self.0, settings, &world.0, &world.1).unwrap()
    }

    fn act<T>(
        &self,
        settings: &KeySettings,
        act: impl FnOnce(&mut SigningKeys) -> Result<T, RotationError>,
    ) -> Result<(T, SigningKeys, SigningKeysLocation), ProjectKeysError> {
        let world = (Clock::system(), Entropy::seeded(2));
        with_signing_keys(&self.0, settings, (&world.0, &world.1), act)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn now() -> i64 {
    Clock::system().unix()
}

fn signed(keys: &ProjectKeys) -> String {
    keys.ring.sign(&json!({"role": "authenticated"})).unwrap()
}

#[test]
fn generated_keys_persist_with_owner_only_permissions() {
    let folder = Folder::new("kept");
    let first = folder.load(&KeySettings::default());
    let again = folder.load(&KeySettings::default());
    assert_eq!(first.private_environment_file(), again.private_environment_file());
    assert!(again.ring.verify(&signed(&first), now()).is_ok());
    let mode = fs::metadata(folder.0.join("keys.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn rotated_keys_keep_verifying_until_they_are_revoked() {
    let folder = Folder::new("rotated");
    let settings = KeySettings::default();
    let before = folder.load(&settings);
    let token = signed(&before);
    let (_, standing, _) = folder.act(&settings, SigningKeys::add_standby).unwrap();
    assert_eq!(standing.list().len(), 2);
    let standby = folder.load(&settings);
    assert_eq!(standby.ring.public_jwks()["keys"].as_array().unwrap().len(), 2);
    assert!(before.ring.verify(&signed(&standby), now()).is_ok(), "a standby key does not sign");

    let ((new, old), _, place) = folder.act(&settings, SigningKeys::rotate).unwrap();
    assert!(matches!(place, SigningKeysLocation::Folder));
    let after = folder.load(&settings);
    assert!(standby.ring.verify(&signed(&after), now()).is_ok(), "its successor was known before");
    assert!(after.ring.verify(&token, now()).is_ok());
    assert_eq!(after.api.anon, before.api.anon);

    assert!(folder.act(&settings, |keys| keys.revoke(&new)).is_err());
    folder.act(&settings, |keys| keys.revoke(&old)).unwrap();
    let ended = folder.load(&settings);
    assert!(ended.ring.verify(&token, now()).is_err());
    assert!(ended.ring.verify(&signed(&after), now()).is_ok());
    assert_ne!(ended.api.anon, before.api.anon, "a new anonymous key took its place");
    assert!(ended.ring.verify(&ended.api.service_role, now()).is_ok());
    assert_eq!(ended.api.anon, folder.load(&settings).api.anon, "and is kept");
    assert_eq!(ended.api.secret, before.api.secret, "opaque keys outlive rotations");
    let mode = fs::metadata(folder.0.join("keys.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn failed_key_changes_change_nothing() {
    let folder = Folder::new("refused");
    let settings = KeySettings::default();
    folder.load(&settings);
    let before = fs::read(folder.0.join("keys.json")).unwrap();
    assert!(folder.act(&settings, |keys| keys.revoke("nobody")).is_err());
    assert_eq!(fs::read(folder.0.join("keys.json")).unwrap(), before);
    let secret = KeySettings { jwt_secret: Some(SECRET.into()), ..KeySettings::default() };
    let refusal = folder.act(&secret, SigningKeys::rotate).map(drop);
    assert!(matches!(refusal, Err(ProjectKeysError::SignedWithSecret)));
}

#[test]
fn keys_from_settings_are_rotated_without_a_file() {
    let folder = Folder::new("given");
    let ring = KeyRing::generate_es256().unwrap();
    let token = ring.sign(&json!({})).unwrap();
    let settings =
        KeySettings { jwt_keys: Some(ring.to_private_jwks().into()), ..KeySettings::default() };
    let (_, keys, place) = folder.act(&settings, SigningKeys::rotate).unwrap();
    assert!(matches!(place, SigningKeysLocation::Setting));
    assert!(!folder.0.join("keys.json").exists());
    let next = KeyRing::from_private_jwks(&keys.to_gotrue_json()).unwrap();
    assert!(next.verify(&token, now()).is_ok());
    assert!(ring.verify(&next.sign(&json!({})).unwrap(), now()).is_err());
}

#[test]
fn jwt_secret_and_key_set_work_together() {
    let folder = Folder::new("beside");
    let by_secret = KeyRing::from_secret(SECRET).unwrap().sign(&json!({"role": "x"})).unwrap();
    let foreign_ring = KeyRing::generate_es256().unwrap();
    let foreign_token = foreign_ring.sign(&json!({"role": "x"})).unwrap();
    let postgrest =
        |text: &str| Some(Arc::new(KeyRing::from_postgrest_secret(text, false).unwrap()));

    let plain = KeySettings { postgrest_keys: postgrest(SECRET), ..KeySettings::default() };
    let keys = folder.load(&plain);
    assert!(keys.ring.signs() && keys.ring.verify(&by_secret, now()).is_ok());
    assert!(keys.others.is_none());
    assert!(keys.ring.verify(&keys.api.service_role, now()).is_ok());

    let public = foreign_ring.public_jwks().to_string();
    let set = KeySettings { postgrest_keys: postgrest(&public), ..KeySettings::default() };
    let keys = folder.load(&set);
    assert!(keys.ring.verify(&foreign_token, now()).is_err());
    assert!(keys.others.unwrap().verify(&foreign_token, now()).is_ok());

    let both = KeySettings { jwt_secret: Some(SECRET.into()), ..set };
    let keys = folder.load(&both);
    assert!(keys.ring.verify(&by_secret, now()).is_ok());
    assert!(keys.others.unwrap().verify(&foreign_token, now()).is_ok());
}

#[test]
fn a_service_without_a_project_makes_no_keys() {
    let folder = Folder::new("without");
    let world = (Clock::system(), Entropy::seeded(1));
    let load = |settings: &KeySettings| {
        ProjectKeys::load_if_kept(&folder.0, settings, &world.0, &world.1).unwrap()
    };
    let none = load(&KeySettings::default());
    assert!(none.ring.is_empty() && none.others.is_none() && none.api.secret.is_empty());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
    let secret = KeySettings { jwt_secret: Some(SECRET.into()), ..KeySettings::default() };
    assert!(load(&secret).ring.signs());
}

#[test]
fn replaced_opaque_keys_count_until_they_are_revoked() {
    let folder = Folder::new("opaque");
    let settings = KeySettings::default();
    let before = folder.load(&settings).api;
    let entropy = Entropy::seeded(3);
    let new_key = replace(&folder.0, OpaqueKeyKind::Secret, &entropy).unwrap();
    let both = folder.load(&settings).api;
    assert_eq!(
        (both.secret.as_str(), &both.previous.secret),
        (new_key.as_str(), &vec![before.secret.clone()])
    );
    for key in [&new_key, &before.secret] {
        assert_eq!(both.token_of(key), Some(both.service_role.as_str()));
    }
    assert_eq!(both.token_of(&before.publishable), Some(both.anon.as_str()));
    let refusal_of = |id: &str| revoke(&folder.0, id).unwrap_err().to_string();
    assert_eq!(refusal_of(&key_id(&new_key)), "keys: the key is in use; replace it first");
    assert_eq!(refusal_of("sb_secret_"), "keys: there is no such key");
    let listed: Vec<bool> =
        opaque_keys(&folder.0, &settings).unwrap().iter().map(|key| key.is_in_use).collect();
    assert_eq!(listed, [true, true, false]);
    revoke(&folder.0, &key_id(&before.secret)).unwrap();
    assert_eq!(folder.load(&settings).api.token_of(&before.secret), None);
    for _ in 0..4 {
        replace(&folder.0, OpaqueKeyKind::Publishable, &entropy).unwrap();
    }
    let many = replace(&folder.0, OpaqueKeyKind::Publishable, &entropy).unwrap_err();
    assert_eq!(many.to_string(), "keys: too many keys count already; revoke one first");
    let set = KeySettings { secret_key: Some("sb_secret_set".into()), ..KeySettings::default() };
    replace(&folder.0, OpaqueKeyKind::Secret, &entropy).unwrap();
    assert!(folder.load(&set).api.previous.secret.is_empty(), "a setting stands alone");
}
