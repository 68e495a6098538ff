//! The web inbox in a real Chromium, against the real `dmplz serve` and real hooks. Each file is about one promise.
//!
//! Where Chromium or its driver is not installed, the tests are skipped and say so; with `CI` set they fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what is not as it should be fails loudly"
)]

use std::process::ExitCode;
use std::sync::OnceLock;

use libtest_mimic::{Arguments, Trial};

/// Makes `tests()`, the list of a file's tests: those that drive a browser, and those that need none.
macro_rules! tests {
    ($(browser: $($test:ident),+;)? $(plain: $($plain:ident),+;)?) => {
        pub(crate) fn tests() -> Vec<libtest_mimic::Trial> {
            vec![
                $($(crate::in_a_browser(module_path!(), stringify!($test), || -> crate::Test { Box::pin($test()) }),)+)?
                $($(crate::plain(module_path!(), stringify!($plain), $plain),)+)?
            ]
        }
    };
}

mod accessible;
mod answers;
mod composing;
mod connection;
mod driver;
mod gateway;
mod granted;
mod hostile;
mod keyboard;
mod offers;
mod page;
mod pairing;
mod permissions;
mod pictures;
mod push;
mod runs;
mod scripts;
mod sessions;
mod settings;

/// The number of tests that run at a time by default. Each has a Chromium, which mostly waits.
const AT_A_TIME: usize = 4;

/// The runtime of all tests, since what connects to a browser outlives the test that opened it.
static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();

type Test = std::pin::Pin<Box<dyn Future<Output = ()>>>;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let tests = [
        accessible::tests(),
        answers::tests(),
        composing::tests(),
        connection::tests(),
        granted::tests(),
        hostile::tests(),
        keyboard::tests(),
        offers::tests(),
        pairing::tests(),
        permissions::tests(),
        push::tests(),
        pictures::tests(),
        runs::tests(),
        scripts::tests(),
        sessions::tests(),
        settings::tests(),
    ];
    let conclusion = libtest_mimic::run(&arguments, tests.into_iter().flatten().collect());
    driver::stop();
    conclusion.exit_code()
}

fn in_a_browser(module: &str, name: &str, test: fn() -> Test) -> Trial {
    let run = move || {
        driver::find()?;
        RUNTIME.get_or_init(|| tokio::runtime::Runtime::new().expect("a runtime")).block_on(test());
        Ok(())
    };
    let is_skipped = driver::is_missing() && std::env::var_os("CI").is_none();
    let why = if is_skipped { " (skipped: install chromium and chromium-driver)" } else { "" };
    Trial::test(format!("{}{why}", title(module, name)), run).with_ignored_flag(is_skipped)
}

fn plain(module: &str, name: &str, test: fn()) -> Trial {
    Trial::test(title(module, name), move || {
        test();
        Ok(())
    })
}

fn title(module: &str, name: &str) -> String {
    format!("{}::{name}", module.rsplit("::").next().unwrap_or(module))
}
