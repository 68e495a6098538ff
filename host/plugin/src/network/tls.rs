//! TLS, configured when the first `https` request is sent, so that programs without one do not pay for it.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::{Network, NetworkError};

impl Network {
    /// Returns the configuration with the trusted certificates, which is built once.
    pub(super) fn tls(&self) -> Result<ClientConfig, NetworkError> {
        if let Some(config) = self.tls.get() {
            return Ok(config.clone());
        }
        let config = trusting(roots(self.extra_roots.as_deref())?)?;
        Ok(self.tls.get_or_init(|| config).clone())
    }

    /// Trusts no certificate, for clients that never use TLS.
    pub(super) fn no_tls(&self) -> Result<ClientConfig, NetworkError> {
        trusting(RootCertStore::empty())
    }
}

fn roots(extra: Option<&Path>) -> Result<RootCertStore, NetworkError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = extra {
        let failed = |reason: String| NetworkError::Roots { path: path.to_owned(), reason };
        let certificates = CertificateDer::pem_file_iter(path).map_err(|error| failed(error.to_string()))?;
        let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(|error| failed(error.to_string()))?;
        if roots.add_parsable_certificates(certificates).0 == 0 {
            return Err(failed("it holds no certificate".to_owned()));
        }
    }
    Ok(roots)
}

fn trusting(roots: RootCertStore) -> Result<ClientConfig, NetworkError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(NetworkError::Tls)?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
