//! Programs that show, sort and rewrite text.

use super::super::escape::{code, operands};
use super::super::power::Power::RunsCode;
use super::super::row::Starts::By;
use super::super::row::{Row, program};
use super::super::starts::inputs;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("dc", "e:&f:* expression:& file:*").starts(By(inputs::commands)),
    program("m4", "D:U:I:*F:>o:> include:* freeze-state:> debugfile?>").starts(By(inputs::commands)).power(RunsCode),
    program("sort|gsort", "k:t:S:T:o:> output:> compress-program:! key: field-separator: temporary-directory: buffer-size: files0-from: parallel: batch-size: random-source:"),
    program("uniq|guniq", "f:s:w: skip-fields: skip-chars: check-chars:").more(operands::second),
    program("shuf|gshuf", "i:n:o:> output:> input-range: head-count: random-source:"),
    program("xxd", "c:g:l:s:n:o:R:r> -cols: -len: -seek: -name: -revert>").more(operands::second),
    program("tree", "H:I:L:o:>P:T: charset: filelimit: timefmt: sort: gitfile:* infofile:*"),
    program("file", "C>F:m:P:z!Z! compile> uncompress! uncompress-noreport! magic-file:"),
    program("less|zless", "b:D:h:j:k:*o:>O:>p:P:t:T:x:y:z: log-file:> LOG-FILE:> lesskey-file:* lesskey-src:* lesskey-content:& tag-file: pattern:").more(operands::plus),
    program("more|most|pg", "n:").more(operands::plus),
    program("man", "C:*E:H?!L:M:m:P:!p:r:R:S:s:T?X? pager:! html?! config-file:* browser:! manpath: preprocessor: prompt: recode: encoding: troff-device? gxditview?"),
    program("info", "d:f:n:o:> output:> dribble:> restore:* init-file:*"),
    program("bat|batcat", "H:l:m:r: pager:! map-syntax: language: line-range: highlight-line: config-file:* diff-context: file-name:"),
    program("delta", "- pager:! config:*"),
    program("diff3|sdiff", "o:> output:> diff-program:!"),
    program("yq|jaq", "I:o:p:i>s:> inplace> in-place> split-exp:> split-exp-file:* security-enable-system-operator!"),
    program("xmllint", "- output:> -output:> path: -path: catalogs schema: -schema: shell& -shell& loaddtd"),
    program("xsltproc", "o:> output:> writesubtree:> stringparam"),
    program("split|gsplit", "a:b:C:l:n:t: filter:! additional-suffix: bytes: lines: number: separator: suffix-length:"),
    program("nm|ar|ranlib|ld|objcopy|size|strip", "o:>T:L:l: plugin:! -plugin:! output:>"),
    program("exiftool", "- -config:* -if:& -w:> -o:> -execute& -out:> -textout:>"),
    program("pandoc", "d:*F:!f:L:&o:>r:t:V:w: defaults:* filter:! lua-filter:& pdf-engine:! output:> extract-media:> data-dir:* from: to: log:>"),
    program("pdflatex|latex|xelatex|lualatex|tex|luatex", "- -shell-escape! -enable-write18! shell-escape! enable-write18! -output-directory:> -lua:& lua:&"),
    program("base64|gbase64", "b:i:o:>w: output:> wrap:"),
    program("hexdump|hd", "e:f:*n:s:"),
    program("sed|gsed", "e:Ei?>f:*I?>l:nrsuz expression: file:* in-place?> line-length: quiet silent posix sandbox").more(code::sed).power(RunsCode),
    program("awk|gawk|mawk|nawk|goawk", "bcCd?>D?&e:E:*f:*F:hi:*l:!L?no?>p?>rsStv:W: source: file:* exec:* include:* load:! dump-variables?> profile?> pretty-print?> debug?& assign: field-separator:").stops(1).more(code::awk).power(RunsCode),
    program("ctags|etags", "f:>o:>L:R options:* output-file:> -xcmd:!"),
];
