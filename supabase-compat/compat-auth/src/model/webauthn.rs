//! WebAuthn ceremonies as values: the options for a browser, the state to store, and the browser's
//! response.
//!
//! The library generates challenges itself, and reads the clock only for attestation chains, which
//! we never request.

use serde::{Deserialize, Serialize};
use serde_cbor_2::Value as Cbor;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;
use webauthn_rs_core::WebauthnCore;
use webauthn_rs_core::proto::{
    AttestationFormat, AttestationMetadata, AuthenticationState, COSEKey, Credential,
    ParsedAttestation, ParsedAttestationData, PublicKeyCredential, RegisterPublicKeyCredential,
    RegisteredExtensions, RegistrationState, UserVerificationPolicy,
};

/// Why a ceremony failed. For the log only; clients learn no reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CeremonyError(String);

fn ceremony_error(error: impl std::fmt::Display) -> CeremonyError {
    CeremonyError(error.to_string())
}

/// The relying party of a ceremony, stored with it so that both its halves use the same one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RelyingParty {
    /// The domain.
    pub id: String,
    /// The name that authenticators show.
    pub name: String,
    /// The origins that may use its credentials.
    pub origins: Vec<Url>,
    /// Whether an authenticator must verify its owner by a PIN or a fingerprint; otherwise it does
    /// if it can.
    #[serde(default)]
    pub requires_verification: bool,
}

/// The person for whom a credential is created.
pub struct CredentialOwner<'a> {
    /// The account's id; its text is the user handle.
    pub id: Uuid,
    /// The name that authenticators show.
    pub name: &'a str,
}

/// A ceremony in progress.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ceremony {
    rp: RelyingParty,
    state: CeremonyState,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CeremonyState {
    Create(RegistrationState),
    Request(AuthenticationState),
}

/// A credential as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCredential {
    /// The credential's id.
    pub id: Vec<u8>,
    /// The public key in COSE's encoding.
    pub public_key: Vec<u8>,
    /// The authenticator's counter of uses; 0 if it does not count.
    pub sign_count: u32,
    /// Whether it may be copied to other devices of its owner.
    pub backup_eligible: bool,
    /// Whether it was copied.
    pub backed_up: bool,
    /// The model of the authenticator; `None` if it does not tell.
    pub aaguid: Option<Uuid>,
    /// The transports by which it can be reached, as the browser reports them.
    pub transports: Vec<String>,
}

/// The changes to a credential by its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CredentialUpdate {
    /// The new counter.
    pub sign_count: u32,
    /// Whether the credential is copied now.
    pub backed_up: bool,
}

impl RelyingParty {
    fn core(&self, lifetime: std::time::Duration) -> WebauthnCore {
        let origins = self.origins.clone();
        WebauthnCore::new_unsafe_experts_only(&self.name, &self.id, origins, lifetime, None, None)
    }

    fn policy(&self) -> UserVerificationPolicy {
        match self.requires_verification {
            true => UserVerificationPolicy::Required,
            false => UserVerificationPolicy::Preferred,
        }
    }

    /// Begins the creation of a credential; returns the ceremony and the browser's options.
    ///
    /// # Errors
    /// The library refuses the owner's name or id.
    pub fn create(
        self,
        holder: &CredentialOwner<'_>,
        known: Vec<Vec<u8>>,
        discoverable: bool,
        lifetime: std::time::Duration,
    ) -> Result<(Value, Ceremony), CeremonyError> {
        let core = self.core(lifetime);
        // The user handle is the id's text, as in the original, whose credentials then keep working
        // here.
        let handle = holder.id.to_string();
        let builder = core
            .new_challenge_register_builder(handle.as_bytes(), holder.name, holder.name)
            .map_err(|error| CeremonyError(format!("{error:?}")))?
            .user_verification_policy(self.policy())
            .exclude_credentials(Some(known))
            .require_resident_key(discoverable);
        let (options, state) = core
            .generate_challenge_register(builder)
            .map_err(|error| CeremonyError(format!("{error:?}")))?;
        let options = serde_json::to_value(options.public_key).map_err(ceremony_error)?;
        Ok((options, Ceremony { rp: self, state: CeremonyState::Create(state) }))
    }

    /// Begins the use of one of the known credentials, or of any credential of the person if none
    /// is known.
    ///
    /// # Errors
    /// A known credential's key cannot be read.
    pub fn request(
        self,
        known: &[StoredCredential],
        lifetime: std::time::Duration,
    ) -> Result<(Value, Ceremony), CeremonyError> {
        let core = self.core(lifetime);
        let known = known.iter().map(credential).collect::<Result<Vec<_>, _>>()?;
        let builder = core
            .new_challenge_authenticate_builder(known, Some(self.policy()))
            .map_err(|error| CeremonyError(format!("{error:?}")))?;
        let (options, state) = core
            .generate_challenge_authenticate(builder)
            .map_err(|error| CeremonyError(format!("{error:?}")))?;
        let options = serde_json::to_value(options.public_key).map_err(ceremony_error)?;
        Ok((options, Ceremony { rp: self, state: CeremonyState::Request(state) }))
    }
}

impl Ceremony {
    /// The domain of the relying party.
    pub fn domain(&self) -> &str {
        &self.rp.id
    }

    /// The ceremony for a jsonb column.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// # Errors
    /// The column holds something else.
    pub fn from_json(value: Value) -> Result<Self, CeremonyError> {
        serde_json::from_value(value).map_err(ceremony_error)
    }

    /// Verifies the browser's response and returns the created credential.
    ///
    /// # Errors
    /// The response does not belong to this ceremony, or is malformed.
    pub fn created(&self, mut answer: Value) -> Result<StoredCredential, CeremonyError> {
        let CeremonyState::Create(state) = &self.state else {
            return Err(CeremonyError("this ceremony makes no credential".to_owned()));
        };
        let transports = take_transports(&mut answer);
        let answer: RegisterPublicKeyCredential =
            serde_json::from_value(answer).map_err(ceremony_error)?;
        let core = self.rp.core(std::time::Duration::ZERO);
        let passkey = core
            .register_credential(&answer, state, None)
            .map_err(|error| CeremonyError(format!("{error:?}")))?;
        let attested = attested(answer.response.attestation_object.as_ref())
            .ok_or_else(|| CeremonyError("the attestation has no key".to_owned()))?;
        Ok(StoredCredential {
            id: passkey.cred_id,
            public_key: attested.public_key,
            sign_count: passkey.counter,
            backup_eligible: passkey.backup_eligible,
            backed_up: passkey.backup_state,
            aaguid: attested.aaguid,
            transports,
        })
    }

    /// Verifies the use of the credential `known`.
    ///
    /// # Errors
    /// The response does not belong to this ceremony or this credential, or the credential's
    /// counter shows that it was used elsewhere.
    pub fn used(
        &self,
        answer: Value,
        known: &StoredCredential,
    ) -> Result<CredentialUpdate, CeremonyError> {
        let CeremonyState::Request(state) = &self.state else {
            return Err(CeremonyError("this ceremony uses no credential".to_owned()));
        };
        let answer: PublicKeyCredential = serde_json::from_value(answer).map_err(ceremony_error)?;
        let core = self.rp.core(std::time::Duration::ZERO);
        let result = core
            .authenticate_single_credential(&answer, state, &credential(known)?)
            .map_err(|error| CeremonyError(format!("{error:?}")))?;
        Ok(CredentialUpdate { sign_count: result.counter(), backed_up: result.backup_state() })
    }
}

/// The id of the credential in a response, and the user handle if there is one.
pub fn named(answer: &Value) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    let answer: PublicKeyCredential = serde_json::from_value(answer.clone()).ok()?;
    let holder = answer.get_user_unique_id().map(<[u8]>::to_vec);
    Some((answer.raw_id.clone(), holder))
}

/// Removes the transports from the response, because the library refuses transports that it does
/// not know.
fn take_transports(answer: &mut Value) -> Vec<String> {
    let Some(response) = answer.get_mut("response").and_then(Value::as_object_mut) else {
        return Vec::new();
    };
    let transports = response.shift_remove("transports").unwrap_or_default();
    serde_json::from_value(transports).unwrap_or_default()
}

fn credential(stored: &StoredCredential) -> Result<Credential, CeremonyError> {
    let key: Cbor = serde_cbor_2::from_slice(&stored.public_key).map_err(ceremony_error)?;
    Ok(Credential {
        cred_id: stored.id.clone(),
        cred: COSEKey::try_from(&key).map_err(|error| CeremonyError(format!("{error:?}")))?,
        counter: stored.sign_count,
        transports: None,
        user_verified: false,
        backup_eligible: stored.backup_eligible,
        backup_state: stored.backed_up,
        registration_policy: UserVerificationPolicy::Preferred,
        extensions: RegisteredExtensions::none(),
        attestation: ParsedAttestation {
            data: ParsedAttestationData::None,
            metadata: AttestationMetadata::None,
        },
        attestation_format: AttestationFormat::None,
    })
}

struct AttestedCredential {
    aaguid: Option<Uuid>,
    public_key: Vec<u8>,
}

/// Reads the model and the key from an attestation that the library has accepted (WebAuthn, 6.5.2:
/// 37 bytes of header, the model, the length of the id, the id, the key).
fn attested(attestation: &[u8]) -> Option<AttestedCredential> {
    let Cbor::Map(object) = serde_cbor_2::from_slice(attestation).ok()? else { return None };
    let Cbor::Bytes(data) = object.get(&Cbor::Text("authData".to_owned()))? else { return None };
    let aaguid = Uuid::from_slice(data.get(37..53)?).ok()?;
    let length = usize::from(u16::from_be_bytes(data.get(53..55)?.try_into().ok()?));
    let rest = data.get(55 + length..)?;
    let mut reader = serde_cbor_2::Deserializer::from_slice(rest);
    Cbor::deserialize(&mut reader).ok()?;
    let public_key = rest.get(..reader.byte_offset())?.to_vec();
    Some(AttestedCredential { aaguid: Some(aaguid).filter(|id| !id.is_nil()), public_key })
}

/// A factor's credential in the form of the original's column.
impl From<&StoredCredential> for Value {
    fn from(stored: &StoredCredential) -> Self {
        use base64::Engine as _;
        use base64::engine::general_purpose::STANDARD;
        let aaguid = stored.aaguid.unwrap_or_default();
        json!({
            "id": STANDARD.encode(&stored.id),
            "publicKey": STANDARD.encode(&stored.public_key),
            "attestationType": "none",
            "transport": stored.transports,
            "flags": {"backupEligible": stored.backup_eligible, "backupState": stored.backed_up},
            "authenticator": {"AAGUID": STANDARD.encode(aaguid.as_bytes()), "signCount": stored.sign_count},
        })
    }
}

impl StoredCredential {
    /// Reads the original's column.
    pub fn from_column(value: &Value) -> Option<Self> {
        use base64::Engine as _;
        use base64::engine::general_purpose::STANDARD;
        let bytes = |pointer: &str| STANDARD.decode(value.pointer(pointer)?.as_str()?).ok();
        let flag = |pointer: &str| value.pointer(pointer).and_then(Value::as_bool);
        let count = value.pointer("/authenticator/signCount").and_then(Value::as_u64);
        let transports = value.get("transport").cloned().unwrap_or_default();
        Some(Self {
            id: bytes("/id")?,
            public_key: bytes("/publicKey")?,
            sign_count: count.and_then(|count| u32::try_from(count).ok()).unwrap_or_default(),
            backup_eligible: flag("/flags/backupEligible").unwrap_or_default(),
            backed_up: flag("/flags/backupState").unwrap_or_default(),
            aaguid: bytes("/authenticator/AAGUID")
                .and_then(|bytes| Uuid::from_slice(&bytes).ok())
                .filter(|id| !id.is_nil()),
            transports: serde_json::from_value(transports).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    fn stored_credential() -> StoredCredential {
        StoredCredential {
            id: vec![1, 2, 3],
            public_key: vec![4, 5],
            sign_count: 7,
            backup_eligible: true,
            backed_up: false,
            aaguid: Some(Uuid::from_u128(9)),
            transports: vec!["usb".to_owned()],
        }
    }

    #[test]
    fn a_credential_survives_its_column() {
        assert_eq!(
            StoredCredential::from_column(&Value::from(&stored_credential())),
            Some(stored_credential())
        );
    }

    #[test]
    fn an_attestation_that_ends_early_has_no_key() {
        for data in [vec![], vec![0; 36], vec![0; 54], [vec![0; 53], vec![255, 255, 1]].concat()] {
            let object = serde_cbor_2::to_vec(&Cbor::Map(
                [(Cbor::Text("authData".to_owned()), Cbor::Bytes(data))].into(),
            ))
            .unwrap();
            assert!(attested(&object).is_none());
        }
        assert!(attested(b"junk").is_none());
    }

    fn party() -> RelyingParty {
        RelyingParty {
            id: "site.example".to_owned(),
            name: "Site".to_owned(),
            origins: vec![url::Url::parse("https://site.example").unwrap()],
            requires_verification: false,
        }
    }

    #[test]
    fn party_says_whether_verification_is_required() {
        let holder = CredentialOwner { id: Uuid::from_u128(7), name: "ada" };
        let lifetime = std::time::Duration::from_secs(60);
        for (requires_verification, word) in [(true, "required"), (false, "preferred")] {
            let party = RelyingParty { requires_verification, ..party() };
            let (options, _) = party.clone().create(&holder, Vec::new(), true, lifetime).unwrap();
            assert_eq!(options["authenticatorSelection"]["userVerification"], word);
            let (options, ceremony) = party.request(&[], lifetime).unwrap();
            assert_eq!(options["userVerification"], word);
            assert_eq!(ceremony.domain(), "site.example");
        }
    }

    /// An attestation object around any bytes, or any bytes at all.
    fn attestations() -> impl Strategy<Value = Vec<u8>> {
        let bytes = || proptest::collection::vec(any::<u8>(), 0..200);
        let wrapped = (bytes(), "none|packed|apple").prop_map(|(data, format)| {
            let text = |text: &str| Cbor::Text(text.to_owned());
            let fields = [
                (text("authData"), Cbor::Bytes(data)),
                (text("fmt"), text(&format)),
                (text("attStmt"), Cbor::Map([].into())),
            ];
            serde_cbor_2::to_vec(&Cbor::Map(fields.into())).unwrap()
        });
        prop_oneof![bytes(), wrapped]
    }

    #[test]
    fn random_attestations_have_a_key_or_none() {
        property_test("attestations", attestations(), |bytes| {
            if let Some(attested) = attested(&bytes) {
                assert!(attested.public_key.len() <= bytes.len());
            }
        });
    }

    #[test]
    fn random_answers_complete_no_ceremony() {
        let holder = CredentialOwner { id: Uuid::from_u128(7), name: "ada" };
        let lifetime = std::time::Duration::from_secs(60);
        let (_, making) = party().create(&holder, Vec::new(), true, lifetime).unwrap();
        let (_, using) = party().request(&[], lifetime).unwrap();
        let stored_credential = stored_credential();
        let bytes = || proptest::collection::vec(any::<u8>(), 0..80);
        let parts = (attestations(), bytes(), bytes(), "[A-Za-z0-9_-]{0,20}");
        property_test("webauthn answers", parts, |(object, client, signature, id)| {
            let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
            let answer = json!({
                "id": id,
                "rawId": id,
                "type": "public-key",
                "response": {
                    "attestationObject": text(&object),
                    "authenticatorData": text(&object),
                    "clientDataJSON": text(&client),
                    "signature": text(&signature),
                    "transports": ["usb", 3],
                },
            });
            assert!(making.created(answer.clone()).is_err());
            assert!(using.used(answer.clone(), &stored_credential).is_err());
            let _ = named(&answer);
        });
    }
}
