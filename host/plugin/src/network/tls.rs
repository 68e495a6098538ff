//! TLS, built when the first `https` request leaves: programs that need none do not pay for it.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::{Network, NetworkError};

impl Network {
    /// The connector, built once.
    pub(super) fn tls(&self) -> Result<&TlsConnector, NetworkError> {
        if let Some(connector) = self.tls.get() {
            return Ok(connector);
        }
        let connector = connector(self.extra_roots.as_deref())?;
        Ok(self.tls.get_or_init(|| connector))
    }
}

fn connector(extra_roots: Option<&Path>) -> Result<TlsConnector, NetworkError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = extra_roots {
        let failed = |reason: String| NetworkError::Roots { path: path.to_owned(), reason };
        let certificates = CertificateDer::pem_file_iter(path).map_err(|error| failed(error.to_string()))?;
        let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(|error| failed(error.to_string()))?;
        if roots.add_parsable_certificates(certificates).0 == 0 {
            return Err(failed("it holds no certificate".to_owned()));
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| NetworkError::Roots { path: "ring".into(), reason: error.to_string() })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
