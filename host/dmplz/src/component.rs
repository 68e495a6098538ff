//! The component that speaks a messenger: which one a setting names, whether it may run on this machine, and how it is loaded.
//!
//! | file | what it is |
//! |---|---|
//! | `choice` | what a setting names, and how its component is loaded |
//! | `administrator` | the administrator's list |
//! | `signature` | who signed a component |

pub(crate) mod administrator;
pub(crate) mod choice;
pub(crate) mod signature;
