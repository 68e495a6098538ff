//! A messenger of a third party: Telegram's component under another name, so that nothing but where it comes from differs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::dist;

/// The name of the component, and another one of the same length.
const NAMES: [[u8; 8]; 2] = [*b"telegram", *b"telegrax"];
/// The component, where a build writes it: below the folder of its target if one was named, as for what is given out.
const WASM: &str = "guests/wasm32-wasip2/guest/dmplz_telegram.wasm";

/// A home directory in which it is installed.
pub(super) struct Installed {
    home: PathBuf,
}

impl Installed {
    pub(super) fn prepare(root: &Path, dmplz: &Path, scratch: &Path) -> anyhow::Result<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let places = [target.join(dist::this_target()?).join(WASM), target.join(WASM)];
        let wasm =
            places.iter().find(|place| place.exists()).context("find the component of Telegram: build dmplz first")?;
        let bytes = std::fs::read(wasm).with_context(|| format!("read {}", wasm.display()))?;
        let home = scratch.join("installed");
        std::fs::create_dir_all(&home)?;
        let file = home.join("telegrax.wasm");
        std::fs::write(&file, renamed(&bytes))?;
        let mut add = Command::new(dmplz);
        add.args(["provider", "add"]).arg(&file).arg("--yes").env_clear().env("HOME", &home).stdout(Stdio::null());
        anyhow::ensure!(add.status().context("start dmplz")?.success(), "install {}", file.display());
        Ok(Self { home })
    }

    /// Returns the command of a hook that asks with it.
    pub(super) fn hook(&self, dmplz: &Path, server: &str) -> Command {
        let mut command = Command::new(dmplz);
        command.arg("hook").env_clear().env("HOME", &self.home).env("DMPLZ_PROVIDER", "telegrax");
        command.env("DMPLZ_TELEGRAX_BOT_TOKEN", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw");
        command.env("DMPLZ_TELEGRAX_CHAT_ID", "42").env("DMPLZ_TELEGRAX_API_BASE", server);
        command
    }
}

/// Replaces the name where it stands in memory, and where code writes it as one number of eight bytes.
fn renamed(wasm: &[u8]) -> Vec<u8> {
    let [old, new] = NAMES;
    let mut renamed = wasm.to_vec();
    for (old, new) in [(old.to_vec(), new.to_vec()), (leb128(old), leb128(new))] {
        for (at, window) in wasm.windows(old.len()).enumerate() {
            if window == old {
                renamed.splice(at..at + old.len(), new.iter().copied());
            }
        }
    }
    renamed
}

/// Returns the number as WebAssembly's code has it (signed LEB128). It is positive.
fn leb128(number: [u8; 8]) -> Vec<u8> {
    let mut rest = u64::from_le_bytes(number);
    let mut bytes = Vec::new();
    loop {
        let [low, ..] = (rest & 0x7f).to_le_bytes();
        rest >>= 7;
        // The bit below the last byte's highest is the sign.
        if rest == 0 && low & 0x40 == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
