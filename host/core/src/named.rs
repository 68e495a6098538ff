//! Enums whose values have names, in settings, in JSON or with the client.

/// Gives an enum its names: `ALL` lists the values in this order, `name` returns the name of one, `named` finds one. A value
/// without a name is named as it is written here.
#[macro_export]
macro_rules! named {
    ($type:ident { $($value:ident),+ $(,)? }) => {
        $crate::named!($type { $($value = stringify!($value)),+ });
    };
    ($type:ident { $($value:ident = $name:expr),+ $(,)? }) => {
        impl $type {
            /// All values, in the order in which people read them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Returns the name of this value.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            /// Returns the value of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}
