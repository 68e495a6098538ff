//! What the marks of options mean to a program that starts others. The table of all marks is in [`super::table`].

/// With it nothing is started.
pub(super) const IDLE: char = '.';
/// It runs code that is not read, so nothing is read from the standard input.
pub(super) const CODE: char = '&';
/// Its value is a script.
pub(super) const SCRIPT: char = '$';
/// Its value is split into words as a shell would, and the rest follows.
pub(super) const SPLIT: char = '%';
/// The first operand is a script; of `runuser -u`, a command.
pub(super) const FIRST: char = '^';
/// The script comes from the standard input.
pub(super) const INPUT: char = '|';
/// What is started runs in another folder.
pub(super) const MOVES: char = '@';
/// It writes a file: the program does more than start another one.
pub(super) const WRITES: char = '>';
/// It reads more commands from elsewhere.
pub(super) const UNCLEAR: char = ';';
/// Its value is the command, and the rest are its arguments.
pub(super) const ENTRY: char = '+';
/// Its value is `name=value`, and some names are commands.
pub(super) const SETTING: char = '=';
/// Its value stands for something in the words of the command.
pub(super) const PLACEHOLDER: char = '{';
/// It changes the system, or the meaning of the call.
pub(super) const SYSTEM: char = '#';
/// It goes on behind links, wherever they lead.
pub(super) const FOLLOWS: char = ',';
