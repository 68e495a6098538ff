use super::model::Button;
use super::params::Params;
use super::refusal::Refusal;
use serde_json::Value;

/// The maximum size of a button's callback data in bytes.
const CALLBACK_DATA: usize = 64;
/// The maximum number of buttons in a keyboard.
const BUTTONS: usize = 100;

/// Parses the inline keyboard of a request. Returns `None` if the request has no markup. An empty keyboard removes the
/// existing one.
pub(crate) fn keyboard(params: &Params) -> Result<Option<Vec<Vec<Button>>>, Refusal> {
    let markup = params
        .json("reply_markup")
        .ok_or_else(|| Refusal::bad_request("can't parse reply keyboard markup JSON object"))?;
    let markup = match markup {
        Value::Null => return Ok(None),
        Value::Object(markup) => markup,
        _ => return Err(Refusal::bad_request("object expected as reply markup")),
    };
    let Some(rows) = markup.get("inline_keyboard") else {
        return Ok(None);
    };
    let arrays = || Refusal::bad_request("field \"inline_keyboard\" must be an Array of Arrays");
    let mut keyboard = Vec::new();
    for row in rows.as_array().ok_or_else(arrays)? {
        let row: Vec<Button> = row.as_array().ok_or_else(arrays)?.iter().map(button).collect::<Result<_, _>>()?;
        if !row.is_empty() {
            keyboard.push(row);
        }
    }
    if keyboard.iter().flatten().count() > BUTTONS {
        return Err(Refusal::bad_request("REPLY_MARKUP_TOO_LONG"));
    }
    Ok(Some(keyboard))
}

fn button(raw: &Value) -> Result<Button, Refusal> {
    let cannot = |why: &str| Refusal::bad_request(format!("can't parse inline keyboard button: {why}"));
    let fields = raw.as_object().ok_or_else(|| cannot("InlineKeyboardButton must be an Object"))?;
    let text = match fields.get("text") {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(_) => return Err(cannot("Field \"text\" must be of type String")),
        None => return Err(cannot("Can't find field \"text\"")),
    };
    if text.is_empty() {
        return Err(Refusal::bad_request("inline keyboard button text must be non-empty"));
    }
    let data = fields.get("callback_data").and_then(Value::as_str).map(str::to_owned);
    match &data {
        Some(data) if data.is_empty() || data.len() > CALLBACK_DATA => Err(Refusal::bad_request("BUTTON_DATA_INVALID")),
        None if !fields.keys().any(|field| !matches!(field.as_str(), "text" | "style" | "icon_custom_emoji_id")) => {
            Err(cannot("Text buttons are unallowed in the inline keyboard"))
        }
        _ => Ok(Button { text, data, raw: raw.clone() }),
    }
}
