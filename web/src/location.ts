// Keeps the page's address in step with what it shows, and makes links to share.
import { writeAddress, type Address } from "./model/address";
import { layersText } from "./model/layers";
import { setupOf } from "./model/overrides";
import { store, stored } from "./storage";
import type { Layers } from "./view/contract";
import type { Session } from "./session";

const TOKEN = "stiction.token";

/** The token of the address, or the one of this tab. It leaves the address at once, so that neither history nor a picture of the screen has it; this tab keeps it. */
export function findToken(address: Address): string | null {
  if (address.token === null) return stored(TOKEN, () => sessionStorage);
  keepToken(address.token);
  const query = new URLSearchParams(location.search);
  query.delete("token");
  history.replaceState(null, "", location.pathname + (query.size > 0 ? `?${query}` : "") + location.hash);
  return address.token;
}

/** Keeps a token that the user typed for this tab. */
export function keepToken(token: string): void {
  store(TOKEN, token, () => sessionStorage);
}

/** What the address is made of. */
export interface Shown {
  session: Session;
  layers(): Layers;
  camera(): string | null;
  /** The address that the page was opened with. */
  opened: Address;
  /** Whether the address has been dealt with, and the server has answered. */
  settled(): boolean;
}

function present(shown: Shown): Address {
  const world = shown.session.world.value;
  const here = { cam: shown.camera(), layers: layersText(shown.layers()), token: null };
  if (!world) return { ...shown.opened, ...here };
  const frame = shown.session.frame.value;
  const time = frame?.playback ? frame.time : null;
  // A recording has settings of its own.
  if (world.playback) return { scene: null, set: {}, compare: null, recording: world.playback.name, time, ...here };
  return { ...setupOf(world), recording: null, time: null, ...here };
}

/** Writes the address half a second later: when everyone has heard of what changed, and not at every step of a slider. */
export function addressWriter(shown: Shown): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    timer = shown.settled() ? undefined : setTimeout(write, 500);
    if (timer !== undefined) return;
    const quality = new URLSearchParams(location.search).get("quality") === "high" ? "&quality=high" : "";
    const query = (writeAddress(present(shown)) + quality).replace(/^&/, "?");
    if (query !== location.search) history.replaceState(null, "", location.pathname + query + location.hash);
  };
  return () => {
    timer ??= setTimeout(write, 500);
  };
}

/** A link to what is shown; with the token only if that is asked for. */
export function shareLink(shown: Shown, token: string | null = null): string {
  return location.origin + location.pathname + writeAddress({ ...present(shown), token });
}

/** Copies a text; false where the browser does not allow that, as it does not beyond https and localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
