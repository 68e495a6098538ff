//! Components in an OCI registry, as `wkg oci push` and `oras push` put them there: an artifact with one layer of the type
//! `application/wasm` (<https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/>).
//!
//! | what | how |
//! |---|---|
//! | transport | HTTPS; plain HTTP for a registry on this machine |
//! | credentials | those of `docker login` (`~/.docker/config.json` and its helpers), otherwise none |
//! | size | no larger than any provider may be, whatever the registry says |
//! | integrity | the digest that the manifest names for the layer. Who made it is told by a signature of minisign, in an annotation |

use std::fmt::{self, Display};
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use dmplz_core::text::fill;
use dmplz_plugin::{OutlineError, SystemResolver};
use futures_util::TryStreamExt;
use oci_client::client::{Certificate, CertificateEncoding, ClientConfig, ClientProtocol};
use oci_client::errors::{DigestError, OciDistributionError, OciErrorCode};
use oci_client::manifest::WASM_LAYER_MEDIA_TYPE;
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference as Named};
use rustls::pki_types::CertificateDer;

use super::{Place, size};
use crate::component::signature::Fetched;
use crate::settings::Settings;
use crate::terminal::{progress, say};
use crate::told::Told;

/// The media type of a component's layer. Older tools use [`WASM_LAYER_MEDIA_TYPE`].
const COMPONENT: &str = "application/wasm";
/// The annotation of the manifest that holds the text of a signature file of minisign.
const SIGNATURE: &str = "minisign.signature";
/// The largest signature that is taken, in bytes, as for a file.
const MAX_SIGNATURE: usize = 16 << 10;
/// The time for opening a connection, the longest silence on one, and the time for everything.
const CONNECT: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
const WITHIN: Duration = Duration::from_secs(300);

/// A component in a registry: `oci://ghcr.io/ann/acme:1.0.0`, or with `@sha256:...` in place of the tag.
#[derive(Debug, Clone)]
pub(super) struct Reference(Named);

impl Reference {
    pub(super) const SCHEME: &str = "oci://";

    /// Fetches the component and its signature within five minutes. Says so on a terminal, with the size.
    pub(super) fn pull(&self, place: &Place) -> anyhow::Result<Fetched> {
        let settings = Settings::of(&place.table)?;
        let pulling = async { tokio::time::timeout(WITHIN, self.fetched(&settings, place)).await };
        crate::runtime::runtime()?.block_on(pulling).map_err(|_| {
            Told::new(
                "{}: {}분 안에 보내 주지 않았습니다",
                "{} did not deliver it within {} minutes",
                &[self.0.registry(), &(WITHIN.as_secs() / 60).to_string()],
            )
        })?
    }

    async fn fetched(&self, settings: &Settings, place: &Place) -> anyhow::Result<Fetched> {
        let client = self.client(settings)?;
        let auth = credentials(self.0.resolve_registry())?;
        let pulled = client.pull_image_manifest(&self.0, &auth).await;
        let (manifest, _) = pulled.map_err(|error| self.refused(&error))?;
        let [layer] = manifest.layers.as_slice() else {
            return Told::err(
                "컴포넌트가 아닙니다. 컴포넌트의 레이어는 1개인데 {}개 있습니다",
                "it is no component: it has {} layers, and a component has one",
                &[&manifest.layers.len().to_string()],
            );
        };
        if ![COMPONENT, WASM_LAYER_MEDIA_TYPE].contains(&layer.media_type.as_str()) {
            return Told::err(
                "컴포넌트가 아닙니다. 레이어의 형식: {} (컴포넌트는 {})",
                "it is no component: its layer is of the type {}, and a component's of {}",
                &[&layer.media_type, COMPONENT],
            );
        }
        let bytes = usize::try_from(layer.size).ok().filter(|bytes| fits(*bytes)).ok_or(OutlineError::TooLarge)?;
        let fetching = say(place.lang, "{}에서 가져오는 중 ({})", "Fetching it from {} ({})");
        progress(&fill(fetching, &[self.0.registry(), &size(bytes as u64)]));
        let mut stream = client.pull_blob_stream(&self.0, layer).await.map_err(|error| self.refused(&error))?.stream;
        let mut wasm = Vec::new();
        while let Some(bytes) = stream.try_next().await.map_err(|error| self.broken(&error))? {
            wasm.extend_from_slice(&bytes);
            if !fits(wasm.len()) {
                return Err(OutlineError::TooLarge.into());
            }
        }
        let signature = manifest.annotations.and_then(|mut annotations| annotations.remove(SIGNATURE));
        Ok(Fetched { wasm, signature: signature.filter(|text| text.len() <= MAX_SIGNATURE) })
    }

    fn client(&self, settings: &Settings) -> anyhow::Result<Client> {
        // Only the first call in a process has an effect, and every one would install the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let registry = self.0.resolve_registry();
        if !is_local(registry) && settings.proxy.is_none() && !SystemResolver::has_servers() {
            return Told::err(
                "연결할 수 없습니다: {} (/etc/resolv.conf에 네임 서버가 없습니다)",
                "{} cannot be reached: /etc/resolv.conf names no name server",
                &[registry],
            );
        }
        let protocol = if is_local(registry) {
            ClientProtocol::HttpsExcept(vec![registry.to_owned()])
        } else {
            ClientProtocol::Https
        };
        let config = ClientConfig {
            protocol,
            // A component is not built for a platform.
            platform_resolver: None,
            extra_root_certificates: settings.certificates()?.iter().map(certificate).collect(),
            https_proxy: settings.proxy.clone(),
            read_timeout: Some(SILENCE),
            connect_timeout: Some(CONNECT),
            user_agent: concat!("dmplz/", env!("CARGO_PKG_VERSION")),
            ..ClientConfig::default()
        };
        Client::try_from(config).map_err(|error| {
            let (ko, en) = ("레지스트리에 연결할 수 없습니다: {}", "no connection to a registry can be set up: {}");
            Told::new(ko, en, &[&error.to_string()]).into()
        })
    }

    /// Says why a component did not arrive whole.
    fn broken(&self, error: &std::io::Error) -> Told {
        match error.get_ref() {
            Some(inner) if inner.is::<DigestError>() => other_digest(),
            _ => Told::new(
                "연결이 끊어졌습니다: {}: {}",
                "the connection to {} broke: {}",
                &[self.0.registry(), &error.to_string()],
            ),
        }
    }

    /// Says why a registry did not deliver. The errors of the library are fragments, and some show a whole page of HTML.
    fn refused(&self, error: &OciDistributionError) -> Told {
        let registry = self.0.registry();
        match error {
            OciDistributionError::ImageManifestNotFoundError(_)
            | OciDistributionError::ServerError { code: 404, .. } => not_there(),
            OciDistributionError::RegistryError { envelope, .. } => match envelope.errors.first() {
                Some(first) => match first.code {
                    OciErrorCode::BlobUnknown
                    | OciErrorCode::ManifestUnknown
                    | OciErrorCode::NameUnknown
                    | OciErrorCode::NotFound => not_there(),
                    OciErrorCode::Unauthorized | OciErrorCode::Denied => log_in(registry),
                    _ => Told::new(
                        "레지스트리가 거절했습니다: {}",
                        "the registry refused it: {}",
                        &[first.message.as_str()],
                    ),
                },
                None => Told::new("레지스트리가 거절했습니다", "the registry refused it", &[]),
            },
            OciDistributionError::AuthenticationFailure(_) | OciDistributionError::UnauthorizedError { .. } => {
                log_in(registry)
            }
            OciDistributionError::ServerError { code, .. } => {
                Told::new("{}: 응답 상태 {}", "{} answered with the status {}", &[registry, &code.to_string()])
            }
            OciDistributionError::ImageIndexParsingNoPlatformResolverError => {
                Told::new("컴포넌트가 아니라 이미지의 색인입니다", "it is an index of images, and no component", &[])
            }
            OciDistributionError::DigestError(_) => other_digest(),
            OciDistributionError::RequestError(error) => {
                let cause = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source()).last();
                let cause = cause.map(ToString::to_string).unwrap_or_default();
                Told::new("연결할 수 없습니다: {}: {}", "{} cannot be reached: {}", &[registry, &cause])
            }
            other => Told::new(
                "응답을 이해할 수 없습니다: {}: {}",
                "{} answered what cannot be understood: {}",
                &[registry, &other.to_string()],
            ),
        }
    }
}

fn other_digest() -> Told {
    Told::new("다이제스트가 매니페스트에 적힌 것과 다릅니다", "its digest is not what its manifest says", &[])
}

fn not_there() -> Told {
    Told::new("레지스트리에 없습니다", "it is not there", &[])
}

fn log_in(registry: &str) -> Told {
    Told::new(
        "로그인해야 하거나, 지금 로그인으로는 읽을 수 없습니다: {}. 로그인하려면: `docker login {}` 또는 `oras login {}`",
        "{} wants a login, or your login may not read it: `docker login {}`, or `oras login {}`, keeps one",
        &[registry; 3],
    )
}

impl FromStr for Reference {
    type Err = Told;

    fn from_str(text: &str) -> Result<Self, Told> {
        let name = text.strip_prefix(Self::SCHEME).unwrap_or(text);
        let registry = name.split('/').next().unwrap_or_default();
        // Without a registry a name would be one of Docker Hub's.
        if registry == name || !(registry.contains(['.', ':']) || registry == "localhost") {
            return Err(Told::new(
                "레지스트리, 이름, 태그나 다이제스트를 적어 주세요. 예: oci://ghcr.io/ann/acme:1.0.0",
                "it takes a registry, a name, and a tag or digest, such as oci://ghcr.io/ann/acme:1.0.0",
                &[],
            ));
        }
        let (ko, en) = ("이름을 이해할 수 없습니다: {}", "its name cannot be understood: {}");
        name.parse::<Named>().map(Self).map_err(|error| Told::new(ko, en, &[&error.to_string()]))
    }
}

impl Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::SCHEME, self.0.whole())
    }
}

fn fits(bytes: usize) -> bool {
    bytes <= dmplz_plugin::LARGEST
}

/// Returns whether a registry is on this machine.
fn is_local(registry: &str) -> bool {
    let host = registry.rsplit_once(':').map_or(registry, |(host, _)| host);
    host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the login that `docker login` keeps for a registry.
fn credentials(registry: &str) -> anyhow::Result<RegistryAuth> {
    use docker_credential::{CredentialRetrievalError, DockerCredential};
    match docker_credential::get_credential(registry) {
        Ok(DockerCredential::UsernamePassword(user, password)) => Ok(RegistryAuth::Basic(user, password)),
        Ok(DockerCredential::IdentityToken(_)) => Told::err(
            "Docker가 보관한 로그인이 identity token이라 여기서는 쓸 수 없습니다: {}",
            "the login that Docker keeps for {} is an identity token, which cannot be used here",
            &[registry],
        ),
        Err(
            CredentialRetrievalError::NoCredentialConfigured
            | CredentialRetrievalError::ConfigNotFound
            | CredentialRetrievalError::ConfigReadError,
        ) => Ok(RegistryAuth::Anonymous),
        Err(error) => Told::err(
            "Docker가 보관한 로그인을 읽을 수 없습니다: {}: {}",
            "the login that Docker keeps for {} cannot be read: {}",
            &[registry, &error.to_string()],
        ),
    }
}

fn certificate(der: &CertificateDer<'_>) -> Certificate {
    Certificate { encoding: CertificateEncoding::Der, data: der.to_vec() }
}

#[cfg(test)]
mod tests {
    use dmplz_core::text::Lang;

    use super::*;

    #[test]
    fn a_reference_names_its_registry() {
        for (text, whole) in [
            ("oci://ghcr.io/ann/acme:1.0.0", "oci://ghcr.io/ann/acme:1.0.0"),
            ("oci://localhost:5000/acme", "oci://localhost:5000/acme:latest"),
        ] {
            assert_eq!(text.parse::<Reference>().unwrap().to_string(), whole);
        }
        for text in
            ["oci://", "oci://acme", "oci://acme:1.0.0", "oci://ann/acme", "oci://ghcr.io/Ann/acme:1", "oci://ghcr.io"]
        {
            assert!(text.parse::<Reference>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_registry_says_is_told_in_both_languages() {
        let reference: Reference = "oci://ghcr.io/ann/acme:1.0.0".parse().unwrap();
        let both = |told: Told| [Lang::Ko, Lang::En].map(|lang| told.of(lang).to_owned());
        let status = OciDistributionError::ServerError { code: 503, url: String::new(), message: String::new() };
        assert_eq!(
            both(reference.refused(&status)),
            ["ghcr.io: 응답 상태 503", "ghcr.io answered with the status 503"]
        );
        let [ko, en] = both(reference.refused(&OciDistributionError::AuthenticationFailure("no".to_owned())));
        assert!(ko.contains("`docker login ghcr.io`") && en.contains("`docker login ghcr.io`"), "{ko} {en}");
        let [ko, en] = both(reference.broken(&std::io::Error::other("gone")));
        assert_eq!(ko, "연결이 끊어졌습니다: ghcr.io: gone");
        assert_eq!(en, "the connection to ghcr.io broke: gone");
    }

    #[test]
    fn only_a_registry_on_this_machine_goes_without_tls() {
        assert!(["localhost:5000", "127.0.0.1:5000", "[::1]:5000", "localhost"].iter().all(|it| is_local(it)));
        assert!(
            ["ghcr.io", "127.0.0.1.evil.example:80", "10.0.0.1:5000", "localhost.evil.example"]
                .iter()
                .all(|it| !is_local(it))
        );
    }
}
