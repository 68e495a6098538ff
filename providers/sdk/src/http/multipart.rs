//! `multipart/form-data` (RFC 7578).

use std::borrow::Cow;

use crate::Attachment;

/// A form with fields and files, sent in the order in which they were added. It borrows the files: an instance has 64
/// MiB of memory and a file can have 16 MiB, so there is no room for a copy besides the encoded body.
#[derive(Debug, Clone, Default)]
pub struct Multipart<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Debug, Clone)]
struct Part<'a> {
    headers: String,
    data: Cow<'a, [u8]>,
}

impl<'a> Multipart<'a> {
    /// Returns a form without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a plain field.
    #[must_use]
    pub fn field(self, name: &str, value: impl Into<String>) -> Self {
        let headers = format!("Content-Disposition: form-data; name=\"{}\"\r\n", quoted(name));
        self.part(headers, value.into().into_bytes().into())
    }

    /// Adds a field whose value is JSON.
    #[must_use]
    pub fn json(self, name: &str, value: &serde_json::Value) -> Self {
        let name = quoted(name);
        let headers = format!("Content-Disposition: form-data; name=\"{name}\"\r\nContent-Type: application/json\r\n");
        self.part(headers, value.to_string().into_bytes().into())
    }

    /// Adds a file as a field.
    #[must_use]
    pub fn file(self, name: &str, file: &'a Attachment) -> Self {
        let headers = format!(
            "Content-Disposition: form-data; name=\"{}\"; filename=\"{}\"\r\nContent-Type: {}\r\n",
            quoted(name),
            quoted(&file.name),
            file.media_type.replace(['\r', '\n'], " "),
        );
        self.part(headers, file.data.as_slice().into())
    }

    /// Returns the content type, which names the boundary, and the body.
    pub fn encode(&self) -> (String, Vec<u8>) {
        let boundary = self.boundary();
        let heads: Vec<_> = self.parts.iter().map(|part| format!("--{boundary}\r\n{}\r\n", part.headers)).collect();
        let end = format!("--{boundary}--\r\n");
        let sizes = heads.iter().zip(&self.parts).map(|(head, part)| head.len() + part.data.len() + LINE_END.len());
        // The capacity is exact, because a vector that grows needs both its old and its new size.
        let mut body = Vec::with_capacity(sizes.sum::<usize>() + end.len());
        for (head, part) in heads.iter().zip(&self.parts) {
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(&part.data);
            body.extend_from_slice(LINE_END);
        }
        body.extend_from_slice(end.as_bytes());
        (format!("multipart/form-data; boundary={boundary}"), body)
    }

    fn part(mut self, headers: String, data: Cow<'a, [u8]>) -> Self {
        self.parts.push(Part { headers, data });
        self
    }

    /// Returns the first boundary of a fixed sequence that no part contains. A guest has no randomness, and data that
    /// contains the boundary on purpose only advances it by one.
    fn boundary(&self) -> String {
        let mut boundary = String::new();
        for number in 0_u64.. {
            boundary = format!("dmplz-boundary-{number:08}");
            if !self.parts.iter().any(|part| contains(&part.data, boundary.as_bytes())) {
                break;
            }
        }
        boundary
    }
}

const LINE_END: &[u8] = b"\r\n";

fn contains(data: &[u8], wanted: &[u8]) -> bool {
    data.windows(wanted.len()).any(|window| window == wanted)
}

/// Quotes a parameter as browsers do: <https://html.spec.whatwg.org/#multipart-form-data>.
fn quoted(value: &str) -> String {
    value.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(data: &[u8]) -> Attachment {
        Attachment { name: "a\"b\r\n.txt".to_owned(), media_type: "text/plain\r\nX: y".to_owned(), data: data.to_vec() }
    }

    #[test]
    fn a_form_has_its_parts_in_order_and_no_header_can_be_smuggled_in() {
        let hello = file(b"hello");
        let form = Multipart::new()
            .field("chat_id", "-1")
            .json("payload_json", &serde_json::json!({"a": 1}))
            .file("document", &hello);
        let (content_type, body) = form.encode();
        insta::assert_snapshot!(content_type, @"multipart/form-data; boundary=dmplz-boundary-00000000");
        insta::assert_snapshot!(String::from_utf8(body).unwrap().replace("\r\n", "\n"), @r#"
        --dmplz-boundary-00000000
        Content-Disposition: form-data; name="chat_id"

        -1
        --dmplz-boundary-00000000
        Content-Disposition: form-data; name="payload_json"
        Content-Type: application/json

        {"a":1}
        --dmplz-boundary-00000000
        Content-Disposition: form-data; name="document"; filename="a%22b%0D%0A.txt"
        Content-Type: text/plain  X: y

        hello
        --dmplz-boundary-00000000--
        "#);
    }

    #[test]
    fn a_body_is_made_in_one_piece_of_its_own_size() {
        let file = file(&[b'x'; 100_000]);
        let (_, body) = Multipart::new().field("a", "b").file("f", &file).encode();
        assert_eq!(body.capacity(), body.len());
    }

    #[test]
    fn data_that_holds_the_boundary_gets_another_one() {
        let (content_type, _) = Multipart::new().file("f", &file(b"--dmplz-boundary-00000000--")).encode();
        assert_eq!(content_type, "multipart/form-data; boundary=dmplz-boundary-00000001");
    }
}
