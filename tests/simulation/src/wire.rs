//! The connection of a hook with the gateway, where it carries what neither of them said, or what another version would.

use std::rc::Rc;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::time::{Instant, sleep_until};

use crate::asks::{self, request_id};
use crate::script::{Asks, End, HookId, Noise, Relapse, Step};
use crate::world::World;

/// More bytes than a hook reads of a line, and than a gateway does.
const LONG_TO_HOOK: usize = (1 << 20) + 1;
const LONG_TO_GATEWAY: usize = (3 << 20) + 1;

/// One direction.
struct Wire {
    world: Rc<World>,
    hook: HookId,
    to: End,
    /// The forged frames and their times, the last one first.
    noise: Vec<(Instant, Noise)>,
    is_torn: bool,
    /// The last frame that was carried; to the gateway, the first one.
    last: String,
}

/// Returns a hook's end of a connection to the gateway.
pub fn between(world: &Rc<World>, hook: HookId, gateway: DuplexStream) -> DuplexStream {
    let frame = &world.script.frame;
    let is_noisy = world.script.steps.iter().any(|step| matches!(step, Step::Noise { hook: of, .. } if *of == hook));
    if !is_noisy && frame.protocol.is_none() && frame.relapse != Some(Relapse::DenialUntold) {
        return gateway;
    }
    let (ours, theirs) = duplex(1 << 16);
    let ((from_gateway, to_gateway), (from_hook, to_hook)) = (split(gateway), split(theirs));
    tokio::task::spawn_local(Wire::new(world, hook, End::Gateway).carry(from_hook, to_gateway));
    tokio::task::spawn_local(Wire::new(world, hook, End::Hook).carry(from_gateway, to_hook));
    ours
}

impl Wire {
    fn new(world: &Rc<World>, hook: HookId, to: End) -> Self {
        let noise = world.script.steps.iter().filter_map(|step| match step {
            Step::Noise { at, hook: of, to: side, noise } if *of == hook && *side == to => {
                Some((world.at(*at), *noise)).filter(|(at, _)| *at > Instant::now())
            }
            _ => None,
        });
        let mut noise: Vec<_> = noise.collect();
        noise.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Self { world: Rc::clone(world), hook, to, noise, is_torn: false, last: String::new() }
    }

    async fn carry(mut self, from: ReadHalf<DuplexStream>, mut to: WriteHalf<DuplexStream>) {
        let mut lines = BufReader::new(from).lines();
        loop {
            let next = self.noise.last().map(|(at, _)| *at);
            let frame = tokio::select! {
                biased;
                line = lines.next_line() => match line {
                    Ok(Some(line)) => self.frame(&line),
                    _ => break,
                },
                () = until(next) => self.due(),
            };
            if to.write_all(&frame).await.is_err() || self.is_torn && !frame.is_empty() {
                break;
            }
        }
        let _ = to.shutdown().await;
    }

    /// Returns the bytes that arrive for a frame.
    fn frame(&mut self, line: &str) -> Vec<u8> {
        let frame = &self.world.script.frame;
        if frame.relapse == Some(Relapse::DenialUntold) && line.contains("\"hook.denied\"") {
            return Vec::new();
        }
        if self.to == End::Hook || self.last.is_empty() {
            line.clone_into(&mut self.last);
        }
        let mut line = line.to_owned();
        if let Some(protocol) = frame.protocol {
            line = line.replace("\"protocol\":1", &format!("\"protocol\":{protocol}"));
            line = line.replacen('{', r#"{"since":[2,{"later":null}],"#, 1);
        }
        if self.is_torn {
            if self.to == End::Hook {
                self.world.truth.borrow_mut().of(self.hook).torn = Some(self.world.now());
            }
            let half = line.floor_char_boundary(line.len() / 2);
            line.truncate(half);
            return line.into_bytes();
        }
        line.push('\n');
        line.into_bytes()
    }

    /// Returns the bytes that arrive now without a frame.
    fn due(&mut self) -> Vec<u8> {
        let Some((_, noise)) = self.noise.pop() else { return Vec::new() };
        let Self { world, hook, to, .. } = self;
        world.tell(|| format!("{noise:?} comes to {to:?} of hook {hook}"));
        if noise != Noise::Unknown {
            world.truth.borrow_mut().of(*hook).garbled = true;
        }
        let id = request_id(*hook);
        let line = match (noise, *to) {
            (Noise::Again, _) => self.last.clone(),
            (Noise::Other, End::Hook) => {
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no"}}"#.to_owned()
            }
            (Noise::Other, End::Gateway) => {
                let asks = if *hook % 2 == 0 { Asks::Allowed } else { Asks::Denied };
                let event = if *hook % 2 == 0 { "PermissionRequest" } else { "PreToolUse" };
                let input = asks::said(*hook, asks, event);
                json!({ "jsonrpc": "2.0", "id": 79, "method": "hook.ask",
                    "params": { "requestId": id, "input": input, "expiresInMs": 9_000 } })
                .to_string()
            }
            (Noise::Unknown, End::Hook) => r#"{"jsonrpc":"2.0","method":"hook.later","params":{"a":1}}"#.to_owned(),
            (Noise::Unknown, End::Gateway) => {
                r#"{"jsonrpc":"2.0","id":77,"method":"hook.later","params":{}}"#.to_owned()
            }
            (Noise::NoJson, _) => "nonsense {[".to_owned(),
            (Noise::WrongTypes, End::Hook) => {
                r#"{"jsonrpc":"2.0","id":1,"result":{"resolution":{"outcome":"approved"}}}"#.to_owned()
            }
            (Noise::WrongTypes, End::Gateway) => {
                r#"{"jsonrpc":"2.0","id":77,"method":"hook.taken","params":{"requestId":[7]}}"#.to_owned()
            }
            (Noise::Bytes, _) => {
                let mut bytes: Vec<u8> = std::iter::repeat_with(|| fastrand::u8(..)).take(99).collect();
                bytes.push(b'\n');
                return bytes;
            }
            (Noise::TooLong, End::Hook) => "x".repeat(LONG_TO_HOOK),
            (Noise::TooLong, End::Gateway) => "x".repeat(LONG_TO_GATEWAY),
            (Noise::Batch, End::Hook) => "[]".to_owned(),
            (Noise::Batch, End::Gateway) => {
                r#"[{"jsonrpc":"2.0","id":78,"method":"gateway.status"},{"jsonrpc":"2.0","method":7},5]"#.to_owned()
            }
            (Noise::Torn, _) => {
                self.is_torn = true;
                return Vec::new();
            }
        };
        format!("{line}\n").into_bytes()
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
