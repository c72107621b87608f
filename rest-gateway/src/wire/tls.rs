//! Encrypts a connection to the database, as libpq does.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::socket::Socket;
use crate::config::tls::{TlsConfig, TlsMode};

/// Asks the server for encryption. `host` is the name in its certificate.
///
/// # Errors
/// When the server rejects encryption that is required, or when its certificate is invalid.
pub async fn encrypt(mut stream: TcpStream, host: &str, tls: &TlsConfig) -> io::Result<Socket> {
    let mut request = BytesMut::new();
    frontend::ssl_request(&mut request);
    stream.write_all(&request).await?;
    match stream.read_u8().await? {
        b'S' => Ok(Box::new(handshake(stream, host, tls).await?)),
        b'N' if tls.mode < TlsMode::Require => Ok(Box::new(stream)),
        _ => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "server does not support SSL, but SSL was required",
        )),
    }
}

async fn handshake(stream: TcpStream, host: &str, tls: &TlsConfig) -> io::Result<TlsStream<TcpStream>> {
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots(tls)?), Arc::clone(&provider));
    let inner = verifier.build().map_err(io::Error::other)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Verifier { inner, mode: tls.mode }))
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

fn roots(tls: &TlsConfig) -> io::Result<RootCertStore> {
    let Some(path) = tls.root_certificate.as_ref().filter(|_| tls.mode >= TlsMode::VerifyCa) else {
        return Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(io::Error::other)? {
        roots.add(certificate.map_err(io::Error::other)?).map_err(io::Error::other)?;
    }
    Ok(roots)
}

/// Verifies as much as the mode requires. The weaker modes protect only against eavesdropping.
#[derive(Debug)]
struct Verifier {
    inner: Arc<WebPkiServerVerifier>,
    mode: TlsMode,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.mode < TlsMode::VerifyCa {
            return Ok(ServerCertVerified::assertion());
        }
        match self.inner.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.mode != TlsMode::VerifyFull => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}
