//! Looks for what a sandbox should not offer. Using these functions makes the standard library import most of WASI,
//! like the runtimes of other languages.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, thread};

/// Returns the results, one line per probe.
#[allow(clippy::disallowed_methods, reason = "tries what a provider should not find")]
pub(crate) fn report() -> String {
    let mut stdin = Vec::new();
    let _ = std::io::stdin().read_to_end(&mut stdin);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let random: HashMap<u8, u8> = HashMap::from([(1, 2)]);
    let target = crate::setting("url");
    [
        format!("arguments {}", env::args().count()),
        format!("variables {}", env::vars().count()),
        format!("stdin {} bytes", stdin.len()),
        format!("list / {}", fs::read_dir("/").is_ok()),
        format!("read /etc/passwd {}", File::open("/etc/passwd").is_ok()),
        format!("write {}", fs::write("trace", "x").is_ok()),
        format!("connect {}", TcpStream::connect(&target).is_ok()),
        format!("listen {}", TcpListener::bind("127.0.0.1:0").is_ok()),
        format!("datagrams {}", UdpSocket::bind("127.0.0.1:0").is_ok()),
        format!("names {}", "localhost:80".to_socket_addrs().is_ok()),
        format!("threads {}", thread::Builder::new().spawn(|| ()).is_ok()),
        format!("clock {clock}"),
        format!("random {}", random.len()),
    ]
    .join("\n")
}
