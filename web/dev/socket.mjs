// A minimal WebSocket server side (RFC 6455), for development only.
import { createHash } from "node:crypto";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Answers the upgrade; the result sends texts and bytes, and calls `onText` and `onClose`. */
export function accept(request, socket, onText, onClose) {
  const key = createHash("sha1").update(request.headers["sec-websocket-key"] + MAGIC).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  socket.setNoDelay(true);
  let rest = Buffer.alloc(0);
  socket.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (let found = take(rest); found; found = take(rest)) {
      rest = rest.subarray(found.used);
      if (found.opcode === 1) onText(found.payload.toString("utf8"));
      if (found.opcode === 8) socket.end();
      if (found.opcode === 9) socket.write(pack(10, found.payload));
    }
  });
  socket.on("close", onClose);
  socket.on("error", onClose);
  return {
    text: (text) => socket.writable && socket.write(pack(1, Buffer.from(text))),
    bytes: (bytes) => socket.writable && socket.write(pack(2, Buffer.from(bytes))),
    waiting: () => socket.writableLength,
    close: () => socket.end(pack(8, Buffer.alloc(0))),
  };
}

/** The first whole frame of what has come. */
function take(data) {
  if (data.length < 6) return null;
  let [length, at] = [data[1] & 127, 2];
  if (length === 126) [length, at] = [data.readUInt16BE(2), 4];
  else if (length === 127) [length, at] = [Number(data.readBigUInt64BE(2)), 10];
  if (data.length < at + 4 + length) return null;
  const mask = data.subarray(at, at + 4);
  const payload = Buffer.from(data.subarray(at + 4, at + 4 + length));
  for (let i = 0; i < length; i++) payload[i] ^= mask[i & 3];
  return { opcode: data[0] & 15, payload, used: at + 4 + length };
}

function pack(opcode, payload) {
  const n = payload.length;
  const head = n < 126 ? Buffer.from([128 | opcode, n]) : n < 65536 ? Buffer.from([128 | opcode, 126, n >> 8, n & 255]) : Buffer.alloc(10);
  if (n >= 65536) {
    head[0] = 128 | opcode;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(n), 2);
  }
  return Buffer.concat([head, payload]);
}
