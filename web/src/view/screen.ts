// Which part of the host each lane's picture takes.

/** A rectangle in pixels from the host's upper left corner. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Width of the line between two pictures (pixels). */
export const DIVIDER = 2;

/** One picture, or two side by side. */
export function pictures(width: number, height: number, lanes: number): Rect[] {
  if (lanes < 2) return [{ x: 0, y: 0, width, height }];
  const each = Math.floor((width - DIVIDER) / 2);
  return [
    { x: 0, y: 0, width: each, height },
    { x: each + DIVIDER, y: 0, width: width - each - DIVIDER, height },
  ];
}

/** The picture that a place is in. */
export const pictureAt = (rects: Rect[], x: number): number => (rects[1] && x >= rects[1].x ? 1 : 0);

/** A place as x and y from -1 to 1 of a picture, y up. */
export const toUnit = (r: Rect, x: number, y: number): [number, number] => [(2 * (x - r.x)) / r.width - 1, 1 - (2 * (y - r.y)) / r.height];

/** And back, in pixels. */
export const toPixels = (r: Rect, x: number, y: number): [number, number] => [r.x + ((x + 1) * r.width) / 2, r.y + ((1 - y) * r.height) / 2];
