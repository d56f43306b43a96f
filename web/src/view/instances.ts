// Columns of instance matrices: arrows, balls and cones without a matrix library in the loop over contacts.

/** Writes the matrix that takes +Z to a unit direction (x, y, z), with `wide` across and `long` along it, at (px, py, pz). */
export function writeAlong(to: Float32Array, i: number, px: number, py: number, pz: number, x: number, y: number, z: number, wide: number, long: number): void {
  // A frame about the direction without a square root or a branch near a pole: Duff and others (2017).
  const sign = z >= 0 ? 1 : -1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  const o = 16 * i;
  to[o] = (1 + sign * x * x * a) * wide;
  to[o + 1] = sign * b * wide;
  to[o + 2] = -sign * x * wide;
  to[o + 3] = 0;
  to[o + 4] = b * wide;
  to[o + 5] = (sign + y * y * a) * wide;
  to[o + 6] = -y * wide;
  to[o + 7] = 0;
  to[o + 8] = x * long;
  to[o + 9] = y * long;
  to[o + 10] = z * long;
  to[o + 11] = 0;
  to[o + 12] = px;
  to[o + 13] = py;
  to[o + 14] = pz;
  to[o + 15] = 1;
}

/** Writes the matrix of a ball. */
export function writeBall(to: Float32Array, i: number, px: number, py: number, pz: number, size: number): void {
  const o = 16 * i;
  to.fill(0, o, o + 16);
  to[o] = to[o + 5] = to[o + 10] = size;
  to[o + 12] = px;
  to[o + 13] = py;
  to[o + 14] = pz;
  to[o + 15] = 1;
}
