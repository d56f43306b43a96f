//! Formations in words, for reports and displays. Elements have the numbers by which [`Polyhedron`](crate::Polyhedron) and the columns of a tick know them, from 0.

use crate::contact::PrincipalContact;
use crate::friction::FrictionRule;

/// A contact in words: "edge 3 of the part on face 12".
pub fn contact_words(contact: &PrincipalContact) -> String {
    let [held, fixed] = contact.kind.elements();
    format!("{held} {} of the part on {fixed} {}", contact.a, contact.b)
}

/// A formation in words: "edge 3 of the part on face 12, sliding; vertex 7 of the part on face 2, sticking". "nothing touches" without contacts.
pub fn formation_words(contacts: &[(PrincipalContact, FrictionRule)]) -> String {
    if contacts.is_empty() {
        return "nothing touches".into();
    }
    let each: Vec<String> = contacts.iter().map(|(c, rule)| format!("{}, {}", contact_words(c), rule.word())).collect();
    each.join("; ")
}

/// A formation in words as [`formation_words`] tells it, with at most so many contacts, the first ones; the number of the others is said. Those that are told are in the order of their names, so that
/// the words change only where the contacts do. Without friction, contacts neither stick nor slide.
pub fn some_formation_words(contacts: &[(PrincipalContact, FrictionRule)], most: usize, frictionless: bool) -> String {
    let mut shown = contacts[..contacts.len().min(most)].to_vec();
    shown.sort_by_key(|(contact, _)| *contact);
    let words = match frictionless {
        true => shown.iter().map(|(contact, _)| contact_words(contact)).collect::<Vec<_>>().join("; "),
        false => formation_words(&shown),
    };
    match contacts.len() - shown.len() {
        0 => words,
        more => format!("{words}; and {more} more"),
    }
}

/// The formation by its types alone, as in the captions of the paper: "{e-f, v-f}".
pub fn formation_type(contacts: &[PrincipalContact]) -> String {
    let letters = |c: &PrincipalContact| c.kind.elements().map(|e| &e[..1]).join("-");
    let mut types: Vec<String> = contacts.iter().map(letters).collect();
    types.sort_unstable();
    format!("{{{}}}", types.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactKind;

    #[test]
    fn a_formation_reads_as_a_sentence() {
        let edge = PrincipalContact { kind: ContactKind::EdgeFace, a: 3, b: 12 };
        let vertex = PrincipalContact { kind: ContactKind::VertexFace, a: 7, b: 2 };
        let said = formation_words(&[(edge, FrictionRule::Dynamic), (vertex, FrictionRule::Impact)]);
        assert_eq!(said, "edge 3 of the part on face 12, sliding; vertex 7 of the part on face 2, sticking");
        assert_eq!(formation_words(&[]), "nothing touches");
        let short = some_formation_words(&[(edge, FrictionRule::Dynamic), (vertex, FrictionRule::Impact)], 1, false);
        assert_eq!(short, "edge 3 of the part on face 12, sliding; and 1 more");
        assert_eq!(formation_type(&[vertex, edge]), "{e-f, v-f}");
        assert_eq!(formation_type(&[]), "{}");
    }

    #[test]
    fn contacts_are_told_in_the_same_order_whichever_has_more_points() {
        let [two, four] = [(2, 6), (4, 5)].map(|(a, b)| {
            let contact = PrincipalContact { kind: ContactKind::FaceFace, a, b };
            (contact, FrictionRule::Static)
        });
        let said = some_formation_words(&[four, two], 3, false);
        assert_eq!(said, some_formation_words(&[two, four], 3, false));
        let frictionless = some_formation_words(&[two, four], 3, true);
        assert!(!frictionless.contains("stick") && !frictionless.contains("slid"), "{frictionless}");
        assert_eq!(said, "face 2 of the part on face 6, sticking; face 4 of the part on face 5, sticking");
        assert_eq!(some_formation_words(&[four, two], 1, false), "face 4 of the part on face 5, sticking; and 1 more");
    }
}
