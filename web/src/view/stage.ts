// A stand-in until the 3D view is merged.
import { NoWebGL, type MakeStage } from "./contract";

/** Says that there is no 3D view. */
export const makeStage: MakeStage = () => {
  throw new NoWebGL("This build has no 3D view.");
};
