// The columns of a tick, made from the tables of the engine by `STICTION_UPDATE=1 cargo test -p stiction-view --test columns`: do not edit.
// The table in force comes with each world; an engine may have columns that are not here.

/** Words for the numbers and bits of columns. */
export const WORDS = {
  flags: ["bad-hand", "teleport", "saturated", "step-bounded", "deep", "opposed", "coarse", "plain-stiffness", "undecided", "unsolvable", "bad-load"],
  verdict: ["free", "holds", "slips", "undecided", "rolls"],
} as const;

/** Columns that every engine has. */
export interface HandColumns {
  tick: number;
  hand_x_m: number;
  hand_y_m: number;
  hand_z_m: number;
  hand_qw: number;
  hand_qx: number;
  hand_qy: number;
  hand_qz: number;
  part_x_m: number;
  part_y_m: number;
  part_z_m: number;
  part_qw: number;
  part_qx: number;
  part_qy: number;
  part_qz: number;
  centre_x_m: number;
  centre_y_m: number;
  centre_z_m: number;
  wrench_fx_n: number;
  wrench_fy_n: number;
  wrench_fz_n: number;
  wrench_tx_nm: number;
  wrench_ty_nm: number;
  wrench_tz_nm: number;
  load_fx_n: number;
  load_fy_n: number;
  load_fz_n: number;
  load_tx_nm: number;
  load_ty_nm: number;
  load_tz_nm: number;
  contacts: number;
  flags: readonly (typeof WORDS.flags)[number][];
}

/** Columns of the quasi-static engine beyond those. */
export interface OwnColumns {
  normal_fx_n: number;
  normal_fy_n: number;
  normal_fz_n: number;
  normal_tx_nm: number;
  normal_ty_nm: number;
  normal_tz_nm: number;
  friction_fx_n: number;
  friction_fy_n: number;
  friction_fz_n: number;
  friction_tx_nm: number;
  friction_ty_nm: number;
  friction_tz_nm: number;
  step_x_m: number;
  step_y_m: number;
  step_z_m: number;
  step_rx_rad: number;
  step_ry_rad: number;
  step_rz_rad: number;
  verdict: (typeof WORDS.verdict)[number];
  stuck: number;
  sliding: number;
  separating: number;
  at_limit: number;
  slip_m: number;
  pressure_n: number;
  limit_n: number;
  work_j: number;
  work_largest_j: number;
  depth_m: number;
  clearance_m: number;
  residual: number;
  substeps: number;
  samples: number;
  levels: number;
  iterations: number;
  passes: number;
  rank: number;
}

/** A tick of any engine: columns that not every engine has may be missing. */
export type TickRow = HandColumns & Partial<OwnColumns>;
