// SPDX-License-Identifier: Apache-2.0
import { readBoxes, readUint32 } from './boxes.ts';

export type EventMessage = {
  readonly scheme: string;
  readonly value: string;
  readonly id: number;
  readonly timescale: number;
  /** Ticks: after the start of the segment (version 0), or media time (version 1). */
  readonly time: bigint;
  readonly isMediaTime: boolean;
  /** Ticks; absent when unknown. */
  readonly duration?: number;
  readonly data: Uint8Array;
};

const UNKNOWN = 0xffffffff;

/**
 * The event messages at the start of a segment, before its media (ISO/IEC 23009-1 5.10.3.3). Boxes that are cut off or
 * malformed are left out.
 */
export function readEmsg(bytes: Uint8Array): EventMessage[] {
  const messages: EventMessage[] = [];
  for (const { type, body, end } of readBoxes(bytes)) {
    if (type === 'moof' || type === 'mdat') break;
    if (type !== 'emsg' || end > bytes.length || end - body < 24) continue;
    const message = readMessage(bytes.subarray(body, end));
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function readMessage(body: Uint8Array): EventMessage | undefined {
  const version = body[0];
  if (version !== 0 && version !== 1) return undefined;
  const isMediaTime = version === 1;
  const scheme = textAt(body, isMediaTime ? 24 : 4);
  const value = scheme && textAt(body, scheme.end);
  if (value === undefined || scheme === undefined) return undefined;
  const fields = isMediaTime ? 4 : value.end;
  const data = isMediaTime ? value.end : fields + 16;
  const timescale = data <= body.length ? readUint32(body, fields) : 0;
  if (timescale === 0) return undefined;
  const times = isMediaTime ? fields + 12 : fields + 8;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const duration = readUint32(body, times);
  return {
    scheme: scheme.text,
    value: value.text,
    id: readUint32(body, times + 4),
    timescale,
    time: isMediaTime ? view.getBigUint64(fields + 4) : BigInt(readUint32(body, fields + 4)),
    isMediaTime,
    ...(duration === UNKNOWN ? {} : { duration }),
    data: body.slice(data),
  };
}

/** A text that ends with a zero byte. */
function textAt(bytes: Uint8Array, start: number): { readonly text: string; readonly end: number } | undefined {
  const end = bytes.indexOf(0, start);
  return end < 0 ? undefined : { text: String.fromCharCode(...bytes.subarray(start, end)), end: end + 1 };
}
