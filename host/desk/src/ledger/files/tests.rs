use serde_json::{Value, json};

use super::*;

fn subject() -> Value {
    json!({ "request_id": "r", "tool": "Bash", "context": [], "parts": [], "grant": null })
}

#[test]
fn a_record_is_written_and_read_as_it_was_before_its_drawing_became_one_thing() {
    let (message, later) =
        (json!({ "chat": "c", "id": "7", "sequence": 7 }), json!({ "chat": "c", "id": "8", "sequence": 8 }));
    let written = json!({
        "subject": subject(), "seen": ["c:7:ann:approve"], "awaited_text": true, "ended": null, "instead": true,
        "form": { "scope": "userSettings", "broad": true, "question": 0, "drafts": [] },
        "shown": { "scope": "localSettings", "broad": false, "question": 0, "drafts": [] },
        "pages": [{ "message": message, "choices": [], "menu": true }], "posted": 2, "spent": [later],
    });
    let face: Face = serde_json::from_value(written.clone()).unwrap();
    let former = written.to_string().replace("broad", "wide");
    assert_eq!(serde_json::from_str::<Face>(&former).unwrap().view, face.view, "the former name of a field is read");
    assert_eq!((face.view.instead, face.view.posted, face.view.spent.len()), (true, 2, 1));
    assert!(face.view.form.broad && !face.view.shown.broad && face.view.pages[0].menu);
    let again = serde_json::to_value(&face).unwrap();
    for key in ["instead", "form", "shown", "pages", "posted", "spent", "seen"] {
        assert_eq!(again[key], written[key], "{key}");
    }
}

#[test]
fn a_record_of_before_cards_had_forms_is_read() {
    let written = json!({ "subject": subject(), "seen": [], "awaited_text": false, "ended": null });
    let face: Face = serde_json::from_value(written).unwrap();
    assert_eq!(face.view, CardView::default());
}
