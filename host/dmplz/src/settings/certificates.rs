//! The certificates of `DMPLZ_CA_FILE`.

use std::io::{self, ErrorKind};
use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::{Settings, SettingsError};
use crate::plain_file;
use crate::told::Told;

/// The maximum size of the file, in bytes.
const MOST: u64 = 64 << 20;

impl Settings {
    /// Reads the certificates that are trusted besides Mozilla's; none if no file is named.
    pub(crate) fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, SettingsError> {
        let Some(file) = &self.ca_file else { return Ok(Vec::new()) };
        read(file).map_err(|source| SettingsError::Certificates { file: file.clone(), source })
    }
}

/// Reads a file in which every section has to be PEM, and one has to be a certificate.
fn read(file: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    let text = plain_file::read(file, MOST)?;
    let invalid = |why: Told| io::Error::new(ErrorKind::InvalidData, why);
    let found: Result<Vec<CertificateDer<'static>>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found =
        found.map_err(|error| invalid(Told::new("PEM이 아닙니다: {}", "it is not PEM: {}", &[&error.to_string()])))?;
    let (usable, _) = RootCertStore::empty().add_parsable_certificates(found.iter().cloned());
    match usable {
        0 => Err(invalid(Told::new("인증서(PEM)가 없습니다", "it holds no certificate (PEM)", &[]))),
        _ => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_certificate_is_refused_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let why = |text: &str| {
            let file = dir.path().join("roots.pem");
            std::fs::write(&file, text).unwrap();
            read(&file).unwrap_err().to_string()
        };
        assert_eq!(why(""), "it holds no certificate (PEM)");
        let of = |body: &str| format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
        assert_eq!(why(&of("aGVsbG8=")), "it holds no certificate (PEM)", "it is no certificate within");
        assert!(why(&of("!")).starts_with("it is not PEM: "));
        assert!(why("-----BEGIN CERTIFICATE-----\n").starts_with("it is not PEM: "));
        assert_eq!(read(dir.path()).unwrap_err().to_string(), "it is a directory");
        assert_eq!(read(&dir.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
