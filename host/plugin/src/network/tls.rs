//! TLS, configured when the first `https` request is sent, so that programs without one do not pay for it.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

use super::{Network, NetworkError};

impl Network {
    /// Returns the configuration with the trusted certificates, which is built once.
    pub(super) fn tls(&self) -> Result<ClientConfig, NetworkError> {
        if let Some(config) = self.tls.get() {
            return Ok(config.clone());
        }
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(self.extra_roots.iter().cloned());
        let config = trusting(roots)?;
        Ok(self.tls.get_or_init(|| config).clone())
    }

    /// Trusts no certificate, for clients that never use TLS.
    pub(super) fn no_tls(&self) -> Result<ClientConfig, NetworkError> {
        trusting(RootCertStore::empty())
    }
}

fn trusting(roots: RootCertStore) -> Result<ClientConfig, NetworkError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(NetworkError::Tls)?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
