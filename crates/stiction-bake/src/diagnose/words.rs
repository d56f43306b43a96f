//! The diagnosis in plain words.

use super::{Advice, Diagnosis, SignAdvice};
use crate::faceting::FacetingSummary;

/// A number with three significant digits, without an exponent where it can be helped.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let digits = 2 - libm::log10(x.abs()).floor() as i32;
    if digits > 9 {
        return format!("{x:.2e}");
    }
    let text = format!("{x:.*}", digits.max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { grouped(text) }
}

/// A length in µm, mm or m. Below a nanometre it is rounding.
pub fn length(metres: f64) -> String {
    match metres.abs() {
        x if x < 1e-9 => "0 mm".into(),
        x if x < 9.995e-5 => format!("{} µm", number(1e6 * metres)),
        x if x < 0.9995 => format!("{} mm", number(1e3 * metres)),
        _ => format!("{} m", number(metres)),
    }
}

/// A whole number with its digits in groups of three.
pub fn grouped(number: impl ToString) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &*text), |d| ("-", d));
    let mut out = String::from(sign);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "._-/+".contains(c));
    if plain { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A count with its noun.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A share in percent.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.001 { "less than 0.1 %".into() } else { format!("{} %", number(100.0 * share)) }
}

/// Text broken into lines of at most `width` characters, all but the first indented. Words that are longer stay whole.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut out = String::new();
    // The first line keeps its own spaces: they are columns.
    let (mut line, mut used) = (text.chars().take(indent).collect::<String>(), indent);
    for word in text.chars().skip(indent).collect::<String>().split_whitespace() {
        let long = word.chars().count() + 1;
        if used + long > width + 1 && used > indent {
            out += line.trim_end();
            out.push('\n');
            (line, used) = (" ".repeat(indent), indent);
        }
        line += word;
        line.push(' ');
        used += long;
    }
    out += line.trim_end();
    out.push('\n');
    out
}

/// A page about a mesh: what it is, what is wrong with it, what follows for contact, and what to bake it with; in lines of at most `width` characters.
pub fn report(d: &Diagnosis, advice: &Advice, width: usize) -> String {
    let mut out = String::new();
    let mut say = |title: &str, text: String| {
        out += &wrapped(&format!("{title:<12}{text}"), 12, width);
    };
    let [x, y, z] = d.size_m.map(length);
    say("Size", format!("{x} × {y} × {z}"));
    say("Unit", unit(d));
    say("Mesh", mesh(d));
    say("Surface", surface(d));
    say("Winding", winding(d));
    if let Some(text) = litter(d) {
        say("Litter", text);
    }
    say("Crossings", crossings(d));
    say("Walls", walls(d));
    if let Some(text) = gaps(d) {
        say("Gaps", text);
    }
    say("Facets", faceting(&d.faceting));
    if let Some(m) = &d.mass {
        let [x, y, z] = m.centre_m.map(length);
        say("Volume", format!("{} cm³, centre of mass at ({x}, {y}, {z})", number(1e6 * m.volume_m3)));
    }
    out += "\nSuggested\n";
    let sign = match advice.sign {
        SignAdvice::Winding => "sign by winding number",
        SignAdvice::WindingAfterReorienting => "sign by winding number after turning faces",
        SignAdvice::Offset => "sign by offset surface",
    };
    let mut point = |text: String| out += &wrapped(&format!("  - {text}."), 4, width);
    point(format!("{sign}: {}", advice.sign_reason));
    let voxel = length(advice.voxel_m);
    point(format!("resolution {} (voxel {voxel}): {}", advice.resolution, advice.resolution_reason));
    point(format!("{} shell points: {}", grouped(advice.points), advice.points_reason));
    match advice.thicken_m {
        Some(t) => point(format!("thicken by {}: {}", length(t), advice.thicken_reason)),
        None if d.sheet_faces > 0 => point(advice.thicken_reason.clone()),
        None => {}
    }
    out
}

/// A sentence about the faceting error.
pub fn faceting(f: &FacetingSummary) -> String {
    if f.facets == 0 {
        return "No hollow curved surface was found, so no facet reaches into the open.".into();
    }
    format!(
        "{} of the surface is hollow and curved, as in bores and sockets. Its flat facets reach up to {} into the open there.",
        percent(f.share_of_surface),
        length(f.largest_sagitta_m)
    )
}

fn unit(d: &Diagnosis) -> String {
    let read = match (d.unit.read_as, d.unit.doubtful) {
        ("", _) => String::new(),
        (unit, false) => format!(" Read as {unit}."),
        (unit, true) => format!(" It was read as {unit}: check the unit."),
    };
    format!("{}{read}", d.unit.reason)
}

fn mesh(d: &Diagnosis) -> String {
    let mut text = format!(
        "{}, {} ({} before welding), {}",
        count(d.triangles, "triangle", "triangles"),
        count(d.points_welded, "point", "points"),
        grouped(d.points),
        count(d.components, "component", "components"),
    );
    let of = |wanted: &dyn Fn(&super::Component) -> bool| d.largest_components.iter().filter(|c| wanted(c)).count();
    let cavities = of(&|c| c.nested && c.volume_m3 < 0.0);
    let nested = of(&|c| c.nested && c.volume_m3 > 0.0);
    if cavities > 0 {
        text += &format!("; {} inside another", count(cavities, "is a cavity", "are cavities"));
    }
    if nested > 0 {
        text += &format!("; {} inside another", count(nested, "solid lies", "solids lie"));
    }
    text + "."
}

fn surface(d: &Diagnosis) -> String {
    let mut parts = Vec::new();
    if d.watertight {
        parts.push("Closed: every edge has two faces.".to_string());
    }
    if d.open_edges > 0 {
        let edges = count(d.open_edges, "edge belongs", "edges belong");
        parts.push(format!("{edges} to only one face."));
    }
    if let Some(widest) = d.widest_holes.first() {
        let holes = count(d.holes, "hole", "holes");
        parts.push(if widest.width_m < 1e-3 * d.voxel_m {
            format!(
                "They are {} without a width: neighbours with different corners along one line (T-junctions). Contact will \
                 still be right, because nothing can pass a gap without a width.",
                count(d.holes, "crack", "cracks")
            )
        } else if widest.width_m <= d.voxel_m {
            format!(
                "The surface has {holes}, the largest {} wide. Contact will still be right, because that is less than \
                 a voxel ({}): the field closes over it.",
                length(widest.width_m),
                length(d.voxel_m)
            )
        } else {
            format!(
                "The surface has {holes}, the largest {} wide near ({}). The field closes over it smoothly, but where exactly is \
                 a guess: expect contact to be off by up to that much there. If the part is meant to be open there, as a thin shell or a tube, give it a wall with --sign offset and --thicken.",
                length(widest.width_m),
                widest.at_m.map(length).join(", ")
            )
        });
    }
    if d.sheet_faces > 0 {
        parts.push(format!(
            "Open sheets without an inside make up {} of the area ({}): without --thicken nothing can press on them.",
            percent(d.sheet_area_m2 / d.area_m2),
            count(d.sheet_faces, "face", "faces")
        ));
    }
    if d.nonmanifold_edges > 0 {
        let edges = count(d.nonmanifold_edges, "edge has", "edges have");
        parts.push(format!(
            "{edges} three faces or more, as where solids touch or walls meet{}.",
            if d.mended_watertight { "; mended, the solid is closed" } else { "" }
        ));
    }
    if parts.is_empty() {
        parts.push("There is no face with an area.".into());
    }
    parts.join(" ")
}

fn winding(d: &Diagnosis) -> String {
    if d.unorientable {
        return "Some faces cannot be wound alike, as on a Möbius strip: which side is out cannot be told from them."
            .into();
    }
    if d.flipped_faces == 0 {
        return "Consistent, outwards.".into();
    }
    if d.inside_out && d.mismatched_edges == 0 {
        return "Consistent, but inside out: all faces will be turned.".into();
    }
    format!(
        "Mixed: across {} neighbours are wound against each other; {} will be turned.",
        count(d.mismatched_edges, "edge", "edges"),
        count(d.flipped_faces, "face", "faces")
    )
}

fn litter(d: &Diagnosis) -> Option<String> {
    let kinds = [
        (d.degenerate_faces, "face without area (a corner named twice)", "faces without area (a corner named twice)"),
        (d.needle_faces, "face with its corners in a line", "faces with their corners in a line"),
        (d.duplicate_faces, "doubled face", "doubled faces"),
    ];
    let found: Vec<String> = kinds.iter().filter(|k| k.0 > 0).map(|k| count(k.0, k.1, k.2)).collect();
    (!found.is_empty()).then(|| format!("{}. Harmless: dropped, or kept where they close a crack.", found.join(", ")))
}

fn crossings(d: &Diagnosis) -> String {
    let i = &d.intersections;
    let (crossing, over) = (i.crossing_pairs as usize, i.overlapping_pairs as usize);
    let searched = if i.complete { "" } else { " The search stopped at its limit: there may be more." };
    let Some(at) = i.example_m else { return format!("None found.{searched}") };
    let mut found = Vec::new();
    if crossing > 0 {
        found.push(format!("{} of faces cross", count(crossing, "pair", "pairs")));
    }
    if over > 0 {
        found.push(format!("{} lie over each other in one plane", count(over, "pair", "pairs")));
    }
    let harm = if crossing > 0 {
        "Solids that overlap are taken as one; inside them, depth is measured to the nearest face."
    } else {
        "They do no harm: the surface is in the same place."
    };
    format!("{}, for instance at ({}). {harm}{searched}", found.join(", "), at.map(length).join(", "))
}

fn walls(d: &Diagnosis) -> String {
    let Some(w) = &d.walls else { return "None: nothing has a thickness.".into() };
    let mut text = format!(
        "Median thickness {}; 1 % of the surface has less than {}; the thinnest place found has {}.",
        length(w.median_m),
        length(w.percentile_1_m),
        length(w.smallest_m)
    );
    if w.share_below_2_voxels > 0.0 {
        text += &format!(
            " For {} of the surface the wall is thinner than two voxels of {}: a push there can go through.",
            percent(w.share_below_2_voxels),
            length(d.voxel_m)
        );
    }
    text
}

fn gaps(d: &Diagnosis) -> Option<String> {
    let g = d.gaps.as_ref()?;
    Some(match g.share_below_2_voxels > 0.0 {
        true => format!(
            "The narrowest found is {}; {} of the surface faces a gap narrower than two voxels of {}, which the offset surface would \
             close and the winding number would blur.",
            length(g.smallest_m),
            percent(g.share_below_2_voxels),
            length(d.voxel_m)
        ),
        false => format!("The narrowest found is {}: all stay open.", length(g.smallest_m)),
    })
}
