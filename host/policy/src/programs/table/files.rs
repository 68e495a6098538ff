//! Rows of programs that list, create, copy, move and delete files.

use super::super::escape::{code, operands};
use super::super::kinds;
use super::super::operands::Operands::{
    Copies, Links, Moves, Names, Text, TextThenWritesBelow, Unpacks, Writes, WritesBelow,
};
use super::super::power::Power::{Destroys, RunsCode};
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Names, sizes and dates.
    program("ls|dir|vdir|gls|gdir|gvdir", "aAbBcCdDeEfFgGhHiI:klLmnNoOpPqQrRsStT:uUvw:WxXyZ1 all almost-all author escape block-size: ignore-backups color? colour? directory dired classify? dereference-command-line dereference-command-line-symlink-to-dir dereference file-type format: full-time group-directories-first no-group group human-readable si hide: hyperlink? indicator-style: inode ignore: kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style: reverse recursive size sort: time: time-style: tabsize: width: context zero lcontext scontext help version").operands(Names),
    program("exa|eza", "1lGxRTFaAdL:rs:DfI:bBghHimnSt:uUZXoMwvO: oneline long grid across recurse tree classify? colour: color: colour-scale? color-scale? color-scale-mode: colour-scale-mode: icons? no-icons all almost-all list-dirs level: reverse sort: group-directories-first group-directories-last only-dirs only-files ignore-glob: git-ignore git git-repos git-repos-no-status binary bytes group smart-group header links inode modified numeric blocks blocksize time: accessed created changed time-style: no-permissions octal-permissions no-filesize no-user no-time no-git no-symlinks show-symlinks follow-symlinks dereference absolute? flags hyperlink extended context mounts width: total-size no-quotes quotes? no-color stdin spacing: help version").operands(Names),
    program("lsd", "1aAdFhilLI:NrRStUvVXZgG config-file:* oneline all almost-all blocks: classic color: date: depth: directory-only classify group-directories-first group-dirs: human-readable header hyperlink: inode ignore-glob: icon: icon-theme: ignore-config long dereference no-symlink permission: reverse recursive sizesort size: sort: timesort total-size tree no-sort versionsort version extensionsort context git gitsort truncate-owner-after: truncate-owner-marker: system-protected literal help").operands(Names),
    program("stat|gstat", "Lfc:tFlnqrsx dereference file-system cached: format: printf: terse help version").operands(Names),
    program("du|gdu", "0aB:bcd:DghHiI:klLmnPrsSt:xX:<A null all apparent-size block-size: bytes total dereference-args dereference max-depth: files0-from:< human-readable inodes count-links no-dereference separate-dirs si summarize threshold: time? time-style: exclude-from:< exclude: one-file-system help version").operands(Names),
    program("df|gdf", "aB:bcghHiIklmnPt:Tvx:Y all block-size: human-readable si inodes local sync no-sync output? portability total type: print-type exclude-type: help version").operands(Names),
    program("duf|ncdu", "ax all version help json hide: only: sort: width: output: inodes theme: style: warnings hide-mp: only-mp: hide-fs: only-fs: avail-threshold: usage-threshold:").operands(Names),
    program("tree", "adlfxL:R>P:I:QNqpugshDFvtcUriASnCXJH:T:o:> gitfile:* infofile:* hintro:< houtro:< fromfile* fromtabfile* fflinks gitignore ignore-case matchdirs metafirst prune info noreport charset: filelimit: si du timefmt: inodes device dirsfirst filesfirst sort: nolinks filesync hyperlink scheme: authority: opt-toggle compress: acl selinux condense help version").operands(Names),
    program("file", "bcdC>Ee:f:<F:hiIklLm:<M:<nNp#P:rsSvz!Z!0 compile> files-from:< magic-file:< uncompress! uncompress-noreport! brief checking-printout debug exclude-quiet: exclude: extension apple keep-going list mime-type mime-encoding mime dereference no-dereference no-buffer no-pad no-sandbox print0 preserve-date# parameter: raw special-files separator: help version").operands(Names),
    program("basename|gbasename", "as:z multiple suffix: zero help version").operands(Text),
    program("dirname|gdirname", "z zero help version").operands(Text),
    program("realpath|grealpath", "emELPqsz canonicalize-existing canonicalize-missing canonicalize logical physical quiet relative-to: relative-base: strip no-symlinks zero help version").operands(Names),
    program("readlink|greadlink", "femnqsvz canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version").operands(Names),
    program("pathchk|gpathchk", "pP portability help version").operands(Names),
    program("which|gwhich", "aimpswvVxS all read-alias read-functions skip-alias skip-functions skip-dot skip-tilde show-dot show-tilde tty-only help version").operands(Text),
    program("whereis", "abBdfghlmMqsSuV help version").operands(Names),
    program("namei", "xmolvnZhV mountpoints modes owners long nosymlinks vertical context help version").operands(Names),
    program("lsattr", "RVadlpv").operands(Names),
    program("getfacl", "adceEsRLPtnpvhHi access default omit-header all-effective no-effective skip-base recursive logical physical tabular numeric one-file-system absolute-names version help").operands(Names),
    program("xattr", "c~d~w>lprsvxzh help").operands(WritesBelow),
    program("mdls", "n:r name: raw nullMarker: plist:> -name: -raw -nullMarker: -plist:>").operands(Names),
    program("sync|gsync", "df data file-system help version").operands(Names),

    // Creating and changing files.
    program("touch|gtouch", "aA:cd:fhmr:t: no-create date: no-dereference reference: time: help version").operands(Writes),
    program("mkdir|gmkdir", "m:pvZ mode: parents verbose context? help version").operands(Writes),
    program("mktemp|gmktemp", "dp:>qtuV tmpdir?> directory dry-run quiet suffix: help version").operands(Writes),
    program("mkfifo|gmkfifo", "m:Z mode: context? help version").operands(Writes),
    program("mknod|gmknod", "m:Z mode: context? help version").operands(Writes),
    program("tee|gtee", "aip append ignore-interrupts output-error? help version").operands(Writes).power(Destroys),
    program("sponge", "ah").operands(Writes).power(Destroys),
    program("truncate|gtruncate", "cor:s: no-create io-blocks reference: size: help version").operands(Writes).power(Destroys),
    program("fallocate", "cdhil:no:pvVxz collapse-range dig-holes insert-range length: keep-size offset: punch-hole verbose posix zero-range help version").operands(Writes).power(Destroys),
    program("patch", "p:F:lce!nuNRi:<o:>r:>D:EZTbV:B:>Y:>z:g:!tfsvd: strip: fuzz: ignore-whitespace context ed! normal unified forward reverse input:< output:> reject-file:> ifdef: merge? remove-empty-files set-utc set-time quoting-style: backup-if-mismatch backup version-control: prefix:> basename-prefix:> suffix: get:! batch force silent quiet verbose dry-run posix directory: reject-format: binary read-only: follow-symlinks help version").operands(Unpacks).kind(kinds::patch),
    program("ln|gln", "bdfFhiLnPrsS:t:Tvw backup? directory force interactive logical no-dereference physical relative symbolic suffix: target-directory: no-target-directory verbose help version").operands(Links).power(Destroys),
    program("link|glink", "- help version").operands(Links).power(Destroys),

    // Copying and moving.
    program("cp|gcp", "abcdfiH,lL,nNpPrRsS:t:TuvxXZ archive attributes-only backup? copy-contents debug force interactive link dereference, no-clobber no-dereference preserve? no-preserve: parents# recursive reflink? remove-destination sparse: strip-trailing-slashes symbolic-link suffix: target-directory: no-target-directory update? verbose one-file-system context? keep-directory-symlink help version").operands(Links).kind(kinds::cp).power(Destroys),
    program("mv|gmv", "bfhinS:t:TuvxZ backup? context debug exchange force interactive no-clobber no-copy strip-trailing-slashes suffix: target-directory: no-target-directory update? verbose help version").operands(Moves).power(Destroys),
    program("install|ginstall", "bB:cCdD#f:g:h:l:m:M:>N:o:pST:#t:vUZs strip-program:! target-directory: backup? compare directory group: mode: owner: preserve-timestamps preserve-context strip suffix: no-target-directory verbose context? debug help version").operands(Copies).kind(kinds::install).power(Destroys),
    program("rename|prename|file-rename|perl-rename", "").more(code::any).power(RunsCode),
    program("dd|gdd", "- help version").more(operands::of).power(Destroys),

    // Deleting.
    program("rm|grm", "dfiIPrRvWx no-preserve-root force interactive? one-file-system preserve-root? recursive dir verbose help version").operands(WritesBelow).kind(kinds::rm).power(Destroys),
    program("rmdir|grmdir", "pv ignore-fail-on-non-empty parents verbose help version").operands(Writes).power(Destroys),
    program("unlink|gunlink", "- help version").operands(Writes).power(Destroys),
    program("shred|gshred|srm", "fn:s:uvxz force iterations: random-source:< size: remove? verbose exact zero help version").operands(Writes).power(Destroys),
    program("trash|trash-put|rmtrash", "dfirRvFs verbose force help version").operands(WritesBelow).power(Destroys),

    // Permissions.
    program("chmod|gchmod", "cEfhHLPRrsStugovVwxX reference: changes silent quiet verbose preserve-root no-preserve-root# recursive dereference no-dereference help version").operands(WritesBelow).kind(kinds::mode).power(Destroys),
    program("chown|chgrp|gchown|gchgrp", "cfhHLnPRvx reference: changes silent quiet verbose dereference no-dereference from: no-preserve-root# preserve-root recursive help version").operands(WritesBelow).kind(kinds::mode).power(Destroys),
    program("chattr", "aAcCdDeFijmPsStTuxRVfv:p:").operands(WritesBelow).power(Destroys),
    program("chflags", "fhHLPRvx").operands(TextThenWritesBelow).power(Destroys),
    program("setfacl", "m:M:<x:X:<bkndRLPvh modify: modify-file:< remove: remove-file:< remove-all remove-default set: set-file:< restore:* mask no-mask default recursive logical physical test version help").operands(WritesBelow).power(Destroys),
    program("setfattr", "n:v:x:hR name: value: remove: no-dereference restore:* raw version help").operands(WritesBelow).power(Destroys),
    program("getfattr", "n:dhRLPm:e: name: dump no-dereference recursive logical physical match: encoding: absolute-names only-values version help").operands(Names),
];
