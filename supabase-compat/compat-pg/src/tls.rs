//! TLS for servers that are not embedded, with libpq's meaning of `sslmode`.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, aws_lc_rs, verify_tls12_signature,
    verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use sqlx::postgres::PgSslMode;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::PgError;

/// The TLS settings of an address.
#[derive(Clone, Debug)]
pub(crate) struct TlsChoice {
    pub mode: PgSslMode,
    /// File with the trusted certificates; `None` or `system` means the operating system's store.
    pub root: Option<String>,
}

impl TlsChoice {
    /// The nearest mode that the driver knows; [`Self::connector`] decides which certificates are
    /// trusted.
    pub fn driver_mode(&self) -> SslMode {
        match self.mode {
            PgSslMode::Disable | PgSslMode::Allow => SslMode::Disable,
            PgSslMode::Prefer => SslMode::Prefer,
            PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => SslMode::Require,
        }
    }

    /// `prefer` and `require` encrypt without verifying the certificate, as libpq does when no root
    /// certificate is given. `verify-ca` checks the chain, `verify-full` the host name as well.
    pub fn connector(&self) -> Result<MakeRustlsConnect, PgError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| PgError::Address(error.to_string()))?;
        let checked = matches!(self.mode, PgSslMode::VerifyCa | PgSslMode::VerifyFull)
            || (self.root.is_some() && matches!(self.mode, PgSslMode::Require));
        let config = if !checked {
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate::new(&provider)))
        } else if matches!(self.mode, PgSslMode::VerifyFull) {
            builder.with_root_certificates(self.roots()?)
        } else {
            let chain = ChainOnly::new(self.roots()?, &provider)?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(chain))
        };
        Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
    }

    fn roots(&self) -> Result<RootCertStore, PgError> {
        let mut store = RootCertStore::empty();
        let certificates = match self.root.as_deref() {
            None | Some("system") => rustls_native_certs::load_native_certs().certs,
            Some(file) => certificates_in(Path::new(file))?,
        };
        store.add_parsable_certificates(certificates);
        if store.is_empty() {
            return Err(PgError::Address("no trusted certificate was found".to_owned()));
        }
        Ok(store)
    }
}

fn certificates_in(file: &Path) -> Result<Vec<CertificateDer<'static>>, PgError> {
    CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect)
        .map_err(|error| PgError::Address(format!("sslrootcert {}: {error}", file.display())))
}

/// Accepts any certificate: this protects against eavesdropping only.
#[derive(Debug)]
struct AnyCertificate(WebPkiSupportedAlgorithms);

impl AnyCertificate {
    fn new(provider: &CryptoProvider) -> Self {
        Self(provider.signature_verification_algorithms)
    }
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}

/// Checks the chain to a trusted root, but not the host name.
#[derive(Debug)]
struct ChainOnly {
    roots: RootCertStore,
    algorithms: WebPkiSupportedAlgorithms,
    signatures: AnyCertificate,
}

impl ChainOnly {
    fn new(roots: RootCertStore, provider: &CryptoProvider) -> Result<Self, PgError> {
        Ok(Self {
            roots,
            algorithms: provider.signature_verification_algorithms,
            signatures: AnyCertificate::new(provider),
        })
    }
}

impl ServerCertVerifier for ChainOnly {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let certificate = rustls::server::ParsedCertificate::try_from(certificate)?;
        rustls::client::verify_server_cert_signed_by_trust_anchor(
            &certificate,
            &self.roots,
            intermediates,
            now,
            self.algorithms.all,
        )?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signatures.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signatures.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signatures.supported_verify_schemes()
    }
}
