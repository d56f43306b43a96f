// The columns of a tick, made from the tables of the engine by `STICTION_UPDATE=1 cargo test -p stiction-view --test columns`: do not edit.
// The table in force comes with each world; an engine may have columns that are not here.

/** Words for the numbers and bits of columns. */
export const WORDS = {
  flags: ["bad-hand", "teleport", "saturated", "step-bounded", "deep", "opposed", "coarse", "plain-stiffness", "undecided", "unsolvable", "bad-load"],
  verdict: ["free", "holds", "slips", "undecided", "rolls"],
} as const;

/** Columns that every engine has. */
export type HandColumns = Record<
  | "tick" | "hand_x_m" | "hand_y_m" | "hand_z_m" | "hand_qw" | "hand_qx"
  | "hand_qy" | "hand_qz" | "part_x_m" | "part_y_m" | "part_z_m" | "part_qw"
  | "part_qx" | "part_qy" | "part_qz" | "centre_x_m" | "centre_y_m" | "centre_z_m"
  | "wrench_fx_n" | "wrench_fy_n" | "wrench_fz_n" | "wrench_tx_nm" | "wrench_ty_nm" | "wrench_tz_nm"
  | "load_fx_n" | "load_fy_n" | "load_fz_n" | "load_tx_nm" | "load_ty_nm" | "load_tz_nm"
  | "contacts",
  number
> & { flags: readonly (typeof WORDS.flags)[number][]; };

/** Columns of the quasi-static engine beyond those. */
export type OwnColumns = Record<
  | "normal_fx_n" | "normal_fy_n" | "normal_fz_n" | "normal_tx_nm" | "normal_ty_nm" | "normal_tz_nm"
  | "friction_fx_n" | "friction_fy_n" | "friction_fz_n" | "friction_tx_nm" | "friction_ty_nm" | "friction_tz_nm"
  | "step_x_m" | "step_y_m" | "step_z_m" | "step_rx_rad" | "step_ry_rad" | "step_rz_rad"
  | "stuck" | "sliding" | "separating" | "at_limit" | "slip_m" | "pressure_n"
  | "limit_n" | "work_j" | "work_largest_j" | "depth_m" | "clearance_m" | "residual"
  | "substeps" | "samples" | "levels" | "iterations" | "passes" | "rank",
  number
> & { verdict: (typeof WORDS.verdict)[number]; };

/** Columns of the engine of contact volumes beyond those. */
export type VolumeColumns = Record<
  | "holds" | "stuck" | "sliding" | "normal_force_n" | "friction_n" | "area_m2"
  | "depth_m" | "pairs" | "kinetic_j" | "potential_j" | "world_hash",
  number
> & { };

/** A tick of any engine: columns that not every engine has may be missing. */
export type TickRow = HandColumns & Partial<OwnColumns> & Partial<VolumeColumns>;
