// The WebSocket to the server: comes back by itself, measures its round trip, and never piles up what it sends.
import { Backoff } from "./model/backoff";
import type { FromServer, ToServer } from "./protocol";

/** How the connection is. */
export type Link =
  | { state: "connecting" }
  | { state: "open" }
  /** Trying again in `wait` seconds, or now (0). */
  | { state: "lost"; wait: number }
  /** The server wants a token. */
  | { state: "unauthorised" }
  /** The server does not serve this address. */
  | { state: "refused" }
  /** Page and server are of different versions. */
  | { state: "mismatch" };

/** What the connection tells. */
export interface ConnectionEvents {
  onLink(link: Link): void;
  onMessage(message: FromServer): void;
  /** The bytes of a frame; false if they make no sense. */
  onFrame(bytes: ArrayBuffer): boolean;
}

const CROWDED = 64 * 1024;
const PING_EVERY = 2000;
const SILENCE = 8000;
/** A connection that lasted so long (ms) was a good one. */
const STEADY = 5000;

/** The address of something under `api/`, beside the page itself. */
export function apiUrl(path: string, token: string | null, page: string = location.href): URL {
  const url = new URL(`api/${path}`, page);
  url.hash = "";
  if (token !== null) url.searchParams.set("token", token);
  return url;
}

/** The same for a WebSocket. */
export function socketUrl(token: string | null, page: string = location.href): URL {
  const url = apiUrl("session", token, page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}

/** A connection that lasts as long as the page. */
export class Connection {
  private socket: WebSocket | null = null;
  private readonly backoff = new Backoff();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heard = 0;
  private welcomed = Infinity;
  /** Last round trip (ms); NaN before the first. */
  roundTrip = NaN;
  /** Frames and messages that made no sense. */
  malformed = 0;
  link: Link = { state: "connecting" };

  constructor(
    private token: string | null,
    private readonly events: ConnectionEvents,
  ) {
    setInterval(() => this.ping(), PING_EVERY);
    addEventListener("online", () => this.link.state === "lost" && this.open());
  }

  /** Connects, or connects anew. */
  open(): void {
    clearTimeout(this.timer);
    this.drop();
    if (this.link.state !== "lost") this.tell({ state: "connecting" });
    const socket = new WebSocket(socketUrl(this.token));
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heard = performance.now();
    socket.onopen = () => {
      this.heard = performance.now();
      this.tell({ state: "open" });
      this.ping();
    };
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = () => this.closed(socket);
  }

  /** The token in use. */
  get usedToken(): string | null {
    return this.token;
  }

  /** A token from the user. */
  setToken(token: string | null): void {
    this.token = token;
    this.backoff.reset();
    this.link = { state: "connecting" };
    this.open();
  }

  /** Gives up: page and server do not understand each other. */
  giveUp(): void {
    clearTimeout(this.timer);
    this.drop();
    this.tell({ state: "mismatch" });
  }

  /** Sends; false if that is not possible now. What may be left out (`spare`) is when the line is crowded. */
  send(message: ToServer, spare = false): boolean {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return false;
    if (spare && socket.bufferedAmount > CROWDED) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  /** GET of something under api/, with the token. */
  async fetchBytes(path: string): Promise<ArrayBuffer> {
    const answer = await fetch(apiUrl(path, this.token));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.arrayBuffer();
  }

  /** A link to something under api/, with the token. */
  href(path: string): string {
    return apiUrl(path, this.token).href;
  }

  private hear(data: unknown): void {
    this.heard = performance.now();
    if (data instanceof ArrayBuffer) {
      if (!this.events.onFrame(data)) this.malformed++;
      return;
    }
    const message = parse(data);
    if (!message) this.malformed++;
    else if (message.type === "pong") this.roundTrip = performance.now() - message.sent;
    else {
      if (message.type === "welcome") this.welcomed = performance.now();
      this.events.onMessage(message);
    }
  }

  private ping(): void {
    if (this.socket && performance.now() - this.heard > SILENCE && !document.hidden) {
      this.closed(this.socket);
      return;
    }
    this.send({ type: "ping", sent: performance.now() }, true);
  }

  private closed(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.drop();
    this.roundTrip = NaN;
    if (performance.now() - this.welcomed > STEADY) this.backoff.reset();
    this.welcomed = Infinity;
    this.tell({ state: "lost", wait: 0 });
    void this.askWhy().then((why) => {
      if (this.socket || this.link.state !== "lost") return;
      if (why !== "lost") {
        this.tell({ state: why });
        return;
      }
      const wait = this.backoff.next();
      this.tell({ state: "lost", wait });
      this.timer = setTimeout(() => this.open(), 1000 * wait);
    });
  }

  private async askWhy(): Promise<"unauthorised" | "refused" | "lost"> {
    try {
      const { status } = await fetch(apiUrl("stats", this.token), { signal: AbortSignal.timeout(3000) });
      return status === 401 ? "unauthorised" : status === 403 ? "refused" : "lost";
    } catch {
      return "lost";
    }
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private tell(link: Link): void {
    this.link = link;
    this.events.onLink(link);
  }
}

const KNOWN = new Set(["welcome", "roles", "world", "progress", "problem", "recordings", "pong"]);

/** A message of the server; null for anything else. */
export function parse(data: unknown): FromServer | null {
  if (typeof data !== "string") return null;
  try {
    const message: unknown = JSON.parse(data);
    const type = typeof message === "object" && message !== null && "type" in message ? message.type : null;
    return typeof type === "string" && KNOWN.has(type) ? (message as FromServer) : null;
  } catch {
    return null;
  }
}
