//! The marks of options of a program that starts others. The table of all marks is in [`super::table`].

/// With this option the program starts nothing.
pub(super) const IDLE: char = '.';
/// The option runs code that is not parsed, so nothing is read from the standard input.
pub(super) const CODE: char = '&';
/// The option's value is a script.
pub(super) const SCRIPT: char = '$';
/// The option's value is split into words as by a shell, and the other words follow.
pub(super) const SPLIT: char = '%';
/// The option makes the first operand a script; for `runuser -u`, a command.
pub(super) const FIRST: char = '^';
/// The option makes the program read the script from its standard input.
pub(super) const INPUT: char = '|';
/// The option makes the started command run in another folder.
pub(super) const MOVES: char = '@';
/// The option writes a file: the program does more than start another one.
pub(super) const WRITES: char = '>';
/// The option reads more commands from elsewhere.
pub(super) const UNCLEAR: char = ';';
/// The option's value is the command, and the remaining words are its arguments.
pub(super) const ENTRY: char = '+';
/// The option's value is `name=value`, and some names are commands.
pub(super) const SETTING: char = '=';
/// The option's value is a placeholder in the words of the command.
pub(super) const PLACEHOLDER: char = '{';
/// The option changes the system, or the meaning of the call.
pub(super) const SYSTEM: char = '#';
/// The row's function parses the option's value.
pub(super) const PARSED: char = '/';
/// The option follows links, wherever they lead.
pub(super) const FOLLOWS: char = ',';
