// SPDX-License-Identifier: Apache-2.0
// Moves a CMAF segment to another media time (ISO/IEC 14496-12 §8.8), as an encoder would have written it there.
import {
  type Box,
  findBox,
  findInside,
  joinBytes,
  readBoxes,
  writeBox,
  writeFields,
} from '../../../../src/mp4/boxes.ts';

const text = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'latin1'));
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** Makes a box unreadable without moving the others. */
const remove = (bytes: Uint8Array, { start }: Box): void => bytes.set(text('free'), start + 4);

/** @returns the initialization section without edit lists */
export function withoutEdits(init: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(init);
  const moov = findBox(bytes, ['moov'])!;
  for (const box of readBoxes(bytes, moov.body, moov.end)) {
    const edits = box.type === 'trak' ? findInside(bytes, box, ['edts']) : undefined;
    if (edits !== undefined) remove(bytes, edits);
  }
  return bytes;
}

/** @param delta in ticks */
export function moveFragment(segment: Uint8Array, delta: number, sequence: number): Uint8Array {
  const bytes = Uint8Array.from(segment);
  const view = viewOf(bytes);
  for (const box of readBoxes(bytes)) {
    if (box.type === 'sidx') remove(bytes, box);
    if (box.type !== 'moof') continue;
    view.setUint32(findInside(bytes, box, ['mfhd'])!.body + 4, sequence);
    const { body } = findInside(bytes, box, ['traf', 'tfdt'])!;
    if (bytes[body] !== 1) throw new Error('the tfdt of the loop must have 64 bits');
    view.setBigUint64(body + 4, view.getBigUint64(body + 4) + BigInt(delta));
  }
  return bytes;
}

export type InbandEvent = {
  readonly scheme: string;
  readonly id: number;
  readonly timescale: number;
  readonly time: number;
  readonly duration: number;
  readonly message: Uint8Array;
};

/** An `emsg` of version 1 (ISO/IEC 23009-1 5.10.3.3). */
export function writeEmsg({ scheme, id, timescale, time, duration, message }: InbandEvent): Uint8Array {
  const wide = new Uint8Array(8);
  viewOf(wide).setBigUint64(0, BigInt(time));
  const head = joinBytes([Uint8Array.of(1, 0, 0, 0), writeFields(timescale), wide, writeFields(duration, id)]);
  return writeBox('emsg', head, text(`${scheme}\x001\0`), message);
}
