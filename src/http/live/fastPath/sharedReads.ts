// SPDX-License-Identifier: Apache-2.0
// Lets all connections read into one buffer. Without it, node:net allocates 64 KB for each read, and frees most of it: a fifth of
// what a plain GET costs. node:net offers this to clients only, as `onread` of net.connect, so the fields that it sets are found by
// their names, and a version of Node that has none of them reads as usual.
import { Socket, type SocketConstructorOpts } from 'node:net';

/** Called with what was read; valid during the call. @returns false to stop reading */
type OnRead = (length: number, bytes: Buffer) => boolean;

type Fields = { readonly buffer: symbol; readonly callback: symbol };
type Handle = { readonly useUserBuffer?: (buffer: Buffer) => void };
type Fielded = Socket & { [field: symbol]: unknown; readonly _handle?: Handle | null };

/** As large as what node:net reads at once. */
const bytes = Buffer.allocUnsafeSlow(65_536);

function findFields(): Fields | undefined {
  const callback: OnRead = () => true;
  const options = { onread: { buffer: bytes, callback } } as SocketConstructorOpts;
  const probe = new Socket(options) as Fielded;
  const names = Object.getOwnPropertySymbols(probe);
  const holding = (value: unknown) => names.filter((name) => probe[name] === value);
  const [[buffer, ...otherBuffers], [found, ...otherCallbacks]] = [holding(bytes), holding(callback)];
  if (buffer === undefined || found === undefined || otherBuffers.length + otherCallbacks.length > 0) return undefined;
  return { buffer, callback: found };
}

const fields = findFields();

/** @param socket of a server, from which nothing was read yet. If it reads as usual, `onRead` is not called. */
export function readShared(socket: Socket, onRead: OnRead): void {
  const own = socket as Fielded;
  const handle = own._handle;
  if (fields === undefined || handle?.useUserBuffer === undefined || own[fields.buffer] !== null) return;
  handle.useUserBuffer(bytes);
  own[fields.buffer] = bytes;
  own[fields.callback] = onRead;
}
