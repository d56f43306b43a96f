//! Keys of the engine of contact formations beyond those that it shares with others: coupling, friction coefficients, mass and gravity.

use super::kind::{Choice, Key, Kind, Range, Table, WordList, choice, choices};
use super::live::Live;
use super::tables::table;
use Kind::{Number, Word};
use Range::Positive;
use stiction_formation::MomentModel;

/// Ways to compute moments, by their words.
pub const MOMENTS: WordList<MomentModel, 2> = [
    (
        choice(
            "paper",
            "one force at the centroid of a contact: no torsional friction, no stiffness against tilting on a face",
        ),
        MomentModel::Paper,
    ),
    (choice("area", "pressure and friction spread over the contact"), MomentModel::Area),
];
const MOMENT_WORDS: &[Choice] = &choices(&MOMENTS);

/// [formation]
pub const FORMATION: Table = table(
    "[formation]",
    "How contact formations push; for `engine = \"formation\"`. Contacts are as stiff as [coupling] is.",
    &[&[
        Key::always(
            "epsilon",
            Number(Positive),
            "m",
            "Distance from which contacts are felt; by default a four-hundredth of the held part's radius",
        )
        .live(Live::number("Distance from which contacts are felt", [1e-6, 1e-2], 0.0, [1e-9, 0.1])),
        Key::always(
            "tangential",
            Number(Positive),
            "N/m",
            "Stiffness of contacts along their plane while they stick; by default coupling.stiffness",
        )
        .live(Live::number("Tangential stiffness", [10.0, 1e5], 0.0, [1e-3, 1e9])),
        Key::always("moments", Word(MOMENT_WORDS), "", "How moments of contacts are computed")
            .or("\"paper\"")
            .live(Live::choice("Moments of contacts")),
        Key::always(
            "interpolation",
            Number(Positive),
            "s",
            "Time in which the force goes over where the formation changes; longer for changes above half of coupling.max_force",
        )
        .or("0.02")
        .live(Live::number("Interpolation", [1e-3, 0.2], 0.0, [1e-4, 10.0])),
    ]],
);
