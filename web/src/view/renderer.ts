// The one WebGL renderer, or why there is none.
import { WebGLRenderer } from "three";
import { NoWebGL } from "./contract";

const WHY = "The 3D view needs WebGL 2, which this browser does not offer. Turn on hardware acceleration, or try a recent Firefox, Chrome or Safari.";

/** Whether the name of a graphics device is that of a renderer in software. */
export const isSoftware = (name: string): boolean => /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);

/** Name of the graphics device, asked with a context of its own since antialiasing is chosen before a name is known. */
function deviceName(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new NoWebGL(WHY);
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" ? name : "";
}

/** Makes the renderer. Throws NoWebGL with a sentence for the user. Where the CPU makes the pixels there are few of them, and rough edges, unless the
 * address says `quality=high`, as for screenshots. */
export function makeRenderer(): { renderer: WebGLRenderer; software: boolean } {
  const software = isSoftware(deviceName()) && new URLSearchParams(location.search).get("quality") !== "high";
  try {
    const renderer = new WebGLRenderer({ antialias: !software, powerPreference: "high-performance" });
    renderer.setPixelRatio(software ? 1 : Math.min(window.devicePixelRatio, 2));
    renderer.autoClear = false;
    renderer.localClippingEnabled = true;
    return { renderer, software };
  } catch {
    throw new NoWebGL(WHY);
  }
}
