// "Scene": what the world is, and what looks odd in it.
import { byId, el } from "../dom";
import { digits, si } from "../model/format";
import type { World } from "../protocol";
import type { Session } from "../session";
import { group } from "./group";

function facts(world: World): [string, string][] {
  const box = ([a, b]: World["held_box"]) => a.map((low, i) => digits(1000 * ((b[i] ?? 0) - low), 3)).join(" × ") + " mm";
  if (world.bodies.length > 0) {
    const free = world.bodies.filter((b) => !b.fixed).length;
    return [
      ["bodies", `${free} that move, ${world.bodies.length - free} that do not`],
      ["hands", String(world.hands)],
      ["hand pulls", `${si(world.coupling.stiffness, "N/m")}, at most ${digits(world.coupling.max_force, 3)} N`],
      ["its own motion", `${digits(world.seconds, 3)} s at ${digits(world.rate, 4)} Hz`],
    ];
  }
  return [
    ["held part", box(world.held_box)],
    ["fixed part", box(world.fixed_box)],
    ["point shell", `${world.shell_points} points, ${world.shell_levels} levels, on the ${world.shell_on} part`],
    ["coupling", `${si(world.coupling.stiffness, "N/m")}, ${digits(world.coupling.torsion, 3)} N m/rad`],
    ["at most", `${digits(world.coupling.max_force, 3)} N, ${digits(world.coupling.max_torque, 3)} N m`],
    ["its own motion", `${digits(world.seconds, 3)} s at ${digits(world.rate, 4)} Hz`],
  ];
}

/** Builds the group. */
export function aboutPanel(session: Session): void {
  const says = el("p", { "data-testid": "description" });
  const notes = el("ul", { class: "notes", "data-testid": "notes" });
  const list = el("dl", { class: "facts" });
  const version = el("p", { class: "explain" });
  byId("panel-groups").append(group("Scene", "scene", says, notes, list, version));
  session.world.listen((world) => {
    if (!world) return;
    says.textContent = world.description;
    notes.replaceChildren(...world.notes.map((n) => el("li", {}, n)));
    notes.hidden = world.notes.length === 0;
    list.replaceChildren(...facts(world).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  });
  session.welcome.listen((w) => (version.textContent = w ? `stiction ${w.version}, protocol ${w.protocol}` : ""));
}
