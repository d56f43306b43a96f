// Keeps the page's address in step with what it shows, and makes links to share.
import { writeAddress, type Address } from "./model/address";
import { layersText } from "./model/layers";
import { setupOf } from "./model/overrides";
import { store, stored } from "./storage";
import type { Layers } from "./view/contract";
import type { Session } from "./session";

const TOKEN = "stiction.token";

/** The token of the address, or the one of this tab. */
export function findToken(address: Address): string | null {
  if (address.token !== null) keepToken(address.token);
  return address.token ?? stored(TOKEN, () => sessionStorage);
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

function present(shown: Shown, token: string | null): Address {
  const world = shown.session.world.value;
  const setup = world ? setupOf(world) : { scene: shown.opened.scene, set: shown.opened.set, compare: shown.opened.compare };
  return { ...setup, cam: shown.camera(), layers: layersText(shown.layers()), token };
}

/** Writes the address half a second later: when everyone has heard of what changed, and not at every step of a slider. */
export function addressWriter(shown: Shown): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    timer = shown.settled() ? undefined : setTimeout(write, 500);
    if (timer !== undefined) return;
    const quality = new URLSearchParams(location.search).get("quality") === "high" ? "&quality=high" : "";
    const query = (writeAddress(present(shown, shown.opened.token)) + quality).replace(/^&/, "?");
    if (query !== location.search) history.replaceState(null, "", location.pathname + query + location.hash);
  };
  return () => {
    timer ??= setTimeout(write, 500);
  };
}

/** A link to what is shown, without the token. */
export function shareLink(shown: Shown): string {
  return location.origin + location.pathname + writeAddress(present(shown, null));
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
