//! The private key of a JWK, in the encodings that the JOSE crate signs with.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, RsaPublicKeyComponents,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk};
use serde_json::Value;

use crate::jwk::decode;

/// The signing key of a JWK; `None` if it has only public members.
pub(crate) fn signing_key(jwk: &Jwk, value: &Value) -> Result<Option<EncodingKey>, &'static str> {
    if let AlgorithmParameters::OctetKey(key) = &jwk.algorithm {
        let secret = decode(&key.value).ok_or("k is not base64url")?;
        return Ok(Some(EncodingKey::from_secret(&secret)));
    }
    let Some(d) = value["d"].as_str() else { return Ok(None) };
    let d = decode(d).ok_or("d is not base64url")?;
    match &jwk.algorithm {
        AlgorithmParameters::EllipticCurve(key) => {
            let curve = match key.curve {
                EllipticCurve::P256 => &ECDSA_P256_SHA256_FIXED_SIGNING,
                EllipticCurve::P384 => &ECDSA_P384_SHA384_FIXED_SIGNING,
                _ => return Err("unsupported curve"),
            };
            elliptic(curve, &d, &key.x, &key.y).map(Some)
        }
        AlgorithmParameters::OctetKeyPair(key) => edwards(&d, &key.x).map(Some),
        AlgorithmParameters::RSA(_) => rsa(value, d).map(Some),
        _ => Err("unsupported key type"),
    }
}

fn elliptic(
    curve: &'static EcdsaSigningAlgorithm,
    d: &[u8],
    x: &str,
    y: &str,
) -> Result<EncodingKey, &'static str> {
    let mut point = vec![4_u8];
    point.extend(decode(x).ok_or("x is not base64url")?);
    point.extend(decode(y).ok_or("y is not base64url")?);
    let pair = EcdsaKeyPair::from_private_key_and_public_key(curve, d, &point)
        .map_err(|_| "d does not belong to x and y")?;
    let pkcs8 = pair.to_pkcs8v1().map_err(|_| "the key cannot be encoded")?;
    Ok(EncodingKey::from_ec_der(pkcs8.as_ref()))
}

fn edwards(d: &[u8], x: &str) -> Result<EncodingKey, &'static str> {
    let x = decode(x).ok_or("x is not base64url")?;
    let pair =
        Ed25519KeyPair::from_seed_and_public_key(d, &x).map_err(|_| "d does not belong to x")?;
    let pkcs8 = pair.to_pkcs8v1().map_err(|_| "the key cannot be encoded")?;
    Ok(EncodingKey::from_ed_der(pkcs8.as_ref()))
}

fn rsa(value: &Value, d: Vec<u8>) -> Result<EncodingKey, &'static str> {
    let member = |name: &str| {
        let text = value[name].as_str().ok_or("an RSA key signs with n, e, d, p, q, dp, dq, qi")?;
        decode(text).ok_or("a member is not base64url")
    };
    let pair = KeyPair::from_components(&aws_lc_rs::rsa::KeyPairComponents {
        public_key: RsaPublicKeyComponents { n: member("n")?, e: member("e")? },
        d,
        p: member("p")?,
        q: member("q")?,
        dP: member("dp")?,
        dQ: member("dq")?,
        qInv: member("qi")?,
    })
    .map_err(|_| "its members do not belong together")?;
    let pkcs8 = AsDer::<Pkcs8V1Der<'_>>::as_der(&pair).map_err(|_| "the key cannot be encoded")?;
    // The JOSE crate accepts PKCS#8 for RSA only as PEM.
    let armoured = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        STANDARD.encode(pkcs8.as_ref())
    );
    EncodingKey::from_rsa_pem(armoured.as_bytes()).map_err(|_| "the key cannot be encoded")
}
