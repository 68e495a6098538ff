//! Programs of other users of the machine. They run for real if the tests run as root, who alone can become another
//! user.

#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use super::desk::Gateway;

/// The user id of `nobody`.
const OTHER: u32 = 65_534;
/// Sends its first argument to the port in its second, and prints the response.
const SEND: &str = "exec 3<>/dev/tcp/127.0.0.1/$2; printf '%b' \"$1\" >&3; cat <&3";

/// Returns the response to another user's program. `None` if this process cannot start one.
async fn as_another_user(port: u16, request: String) -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can start a program of another user");
        return None;
    }
    let run = move || {
        let mut bash = Command::new("bash");
        bash.args(["-c", SEND, "bash", &request, &port.to_string()]).current_dir("/").env_clear();
        bash.env("PATH", "/usr/bin:/bin").uid(OTHER).gid(OTHER).stdin(Stdio::null());
        String::from_utf8(bash.output().unwrap().stdout).unwrap()
    };
    Some(tokio::task::spawn_blocking(run).await.unwrap())
}

fn get(gateway: &Gateway, path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\\r\\nhost: {}\\r\\nconnection: close\\r\\n{headers}\\r\\n", gateway.host())
}

#[tokio::test]
async fn a_program_of_another_user_is_refused_whatever_it_knows() {
    let gateway = Gateway::start().await;
    let bearer = format!("authorization: Bearer {}\\r\\n", gateway.token);
    for (path, headers) in [("/", ""), ("/api/v1/approvals", &*bearer), ("/api/v1/openapi.json", ""), ("/ws", "")] {
        let Some(answer) = as_another_user(gateway.port, get(&gateway, path, headers)).await else { return };
        assert!(answer.starts_with("HTTP/1.1 403 "), "{path}: {answer}");
        assert!(answer.contains("\"code\":\"forbidden\"") && answer.contains("user 65534's"), "{path}: {answer}");
    }
    // A program of our own user is served as before.
    assert_eq!(gateway.program("GET /api/v1/approvals", None).await.status, 200);
}

#[tokio::test]
async fn a_user_that_the_operator_named_is_served() {
    let gateway = Gateway::with(|config| config.proxy_uids = vec![OTHER]).await;
    let bearer = format!("authorization: Bearer {}\\r\\n", gateway.token);
    for (headers, status) in [(&*bearer, "200"), ("", "401")] {
        let request = get(&gateway, "/api/v1/approvals", headers);
        let Some(answer) = as_another_user(gateway.port, request).await else { return };
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
}
