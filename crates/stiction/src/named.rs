//! Enumerations whose values have names: declared once, with all values, their names both ways, and what they mean.

/// Declares an enumeration whose values have names, each with its documentation: `ALL`, `NAMES`, `name`, `meaning` and parsing follow from it.
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[doc = $doc:literal])* $value:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($(#[doc = $doc])* $value,)* }

        impl $type {
            /// Every value, in the order of their numbers.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$value),*];

            /// The names of the values, in that order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name of the value, in commands, recordings and reports.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// What the value means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                [$(concat!($($doc),*)),*][self as usize].trim_ascii()
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(name: &str) -> Result<Self, String> {
                let found = Self::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| format!("\"{name}\" is none of {}", Self::NAMES.join(", ")))
            }
        }
    };
}
