use crate::Query;
use dmplz_fakes::{Fault, On, Wire};
use serde_json::{Value, json};
use std::time::Duration;

/// Performs `/fail?call=sendMessage&fault=limited&times=2`, `/violations` and `/calls`.
pub(crate) fn act(wire: &Wire, action: &str, query: &Query) -> Value {
    match action {
        "fail" => {
            let times = query.number("times").unwrap_or(1);
            wire.fail(On::call(query.text("call")).times(times), fault(query.text("fault")));
            json!(true)
        }
        "violations" => wire.violations().iter().map(ToString::to_string).collect(),
        "calls" => wire.calls().into_iter().map(|call| call.name).collect(),
        _ => json!({"error": "no such action"}),
    }
}

fn fault(name: &str) -> Fault {
    match name {
        "limited" => Fault::RateLimited { retry_after: Duration::from_secs(1), global: false },
        "html" => Fault::Html(502),
        "cut" => Fault::CutBefore,
        "garbled" => Fault::Garbled,
        "slow" => Fault::Slow(Duration::from_secs(2)),
        status => Fault::Status(status.parse().unwrap_or(500)),
    }
}
