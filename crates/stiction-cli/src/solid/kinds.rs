//! The kinds of solids as subcommands, made from the scene's table of solids: what a scene can name, a command can make.

use crate::sizes::parse_any_length;
use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand};
use stiction_bake::solids::Solid;
use stiction_scene::{ParameterForm, Setting, SolidKind, SolidParameter, solid_kinds, solid_with};

/// Parameters that a scene must give, or that are larger there, for solids that are of use as they are.
const USUAL: [(&str, &[(&str, &str)]); 19] = [
    ("box", &[("size", "40mm,30mm,20mm")]),
    ("cylinder", &[("radius", "10mm"), ("height", "40mm")]),
    ("capsule", &[("radius", "10mm"), ("height", "30mm")]),
    ("torus", &[("major", "20mm"), ("minor", "6mm"), ("segments", "128")]),
    ("plate", &[("size", "100mm,100mm"), ("thickness", "5mm")]),
    ("l-bar", &[("legs", "40mm,40mm"), ("thickness", "5mm"), ("length", "100mm")]),
    ("prism", &[("outline", "0mm,0mm,60mm,0mm,0mm,20mm"), ("length", "40mm")]),
    ("corner", &[("size", "50mm"), ("thickness", "5mm")]),
    ("plate-round-hole", &[("size", "60mm,60mm"), ("thickness", "20mm"), ("radius", "10.05mm")]),
    ("plate-square-hole", &[("size", "60mm,60mm"), ("thickness", "20mm"), ("hole", "20.1mm,20.1mm")]),
    ("peg", &[("radius", "10mm"), ("length", "50mm"), ("chamfer", "1mm")]),
    ("shaft", &[("steps", "5mm,20mm,8mm,30mm,6mm,15mm")]),
    ("revolution", &[("profile", "0mm,0mm,15mm,15mm,4mm,20mm,3mm,35mm")]),
    ("ring", &[("section", "5mm,0mm,10mm,0mm,10mm,3mm,5mm,3mm")]),
    ("sheet-metal", &[("outline", "0mm,0mm,80mm,0mm,80mm,40mm,0mm,40mm"), ("thickness", "2mm"), ("rounding", "5mm")]),
    ("cable", &[("path", "0mm,0mm,0mm,50mm,0mm,0mm,50mm,40mm,0mm"), ("radius", "4mm")]),
    ("gear", &[("module", "1mm"), ("teeth", "24"), ("width", "8mm"), ("bore", "3mm")]),
    ("bolt", &[("diameter", "12mm"), ("length", "40mm")]),
    ("nut", &[("diameter", "12mm")]),
];

/// A solid of a kind that the command names, with its parameters.
pub struct ChosenSolid {
    kind: &'static str,
    parameters: Vec<Setting>,
}

impl ChosenSolid {
    /// Makes the solid, or says which parameter does not fit.
    pub fn solid(&self) -> Result<Solid, String> {
        solid_with(self.kind, &self.parameters).map_err(|problem| problem.to_string())
    }
}

/// The option of a parameter, which also takes the parameter's name without its unit.
fn option(kind: &SolidKind, parameter: &SolidParameter) -> Arg {
    let usual =
        USUAL.iter().find(|row| row.0 == kind.word).and_then(|row| row.1.iter().find(|u| u.0 == parameter.name));
    let name = parameter.name.replace('_', "-");
    let default = usual.map_or(parameter.default.trim_matches('"'), |u| u.1);
    let value = match (parameter.form, parameter.unit) {
        (ParameterForm::List, _) => "LENGTH,LENGTH,...",
        (ParameterForm::Tuples(2), _) => "A,B,A,B,...",
        (ParameterForm::Tuples(_), _) => "A,B,C,A,B,C,...",
        (_, "m") => "LENGTH",
        (_, "deg") => "DEGREES",
        _ => "VALUE",
    };
    let arg = Arg::new(parameter.name)
        .long(name.trim_end_matches("-deg").to_owned())
        .value_name(value)
        .help(parameter.doc)
        .allow_hyphen_values(true);
    if default.is_empty() { arg } else { arg.default_value(default) }
}

/// The value of a parameter as a scene has it: lengths in metres.
fn value(parameter: &SolidParameter, text: &str) -> Result<String, String> {
    let number = |word: &str| {
        if parameter.unit == "m" { parse_any_length(word).map(|x| x.to_string()) } else { Ok(word.into()) }
    };
    if parameter.form == ParameterForm::Single {
        return number(text);
    }
    let numbers = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    let tuples = |count| numbers.chunks(count).map(|tuple| format!("[{}]", tuple.join(", "))).collect::<Vec<_>>();
    let items = if let ParameterForm::Tuples(count) = parameter.form { tuples(count) } else { numbers.clone() };
    Ok(format!("[{}]", items.join(", ")))
}

impl FromArgMatches for ChosenSolid {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let wrong = |message: String| clap::Error::raw(clap::error::ErrorKind::ValueValidation, message + "\n");
        let chosen =
            matches.subcommand().and_then(|(word, given)| Some((solid_kinds().find(|k| k.word == word)?, given)));
        let (kind, given) = chosen.ok_or_else(|| wrong("name a kind of solid".into()))?;
        let mut parameters = Vec::new();
        for parameter in kind.parameters() {
            if let Some(text) = given.get_one::<String>(parameter.name) {
                let value = value(&parameter, text).map_err(wrong)?;
                parameters.push(Setting { key: parameter.name.into(), value });
            }
        }
        Ok(ChosenSolid { kind: kind.word, parameters })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ChosenSolid::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for ChosenSolid {
    fn augment_subcommands(command: Command) -> Command {
        solid_kinds().fold(command.subcommand_required(true), |command, kind| {
            let options: Vec<Arg> = kind.parameters().map(|parameter| option(&kind, &parameter)).collect();
            command.subcommand(Command::new(kind.word).about(kind.doc).args(options))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        ChosenSolid::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        solid_kinds().any(|kind| kind.word == name)
    }
}
