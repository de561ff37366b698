// SPDX-License-Identifier: Apache-2.0
// Writes one elementary stream of a segment as transport packets: each access unit in its own PES packet
// (ISO/IEC 13818-1 §2.4.3.6).
import { defined } from '../invariant.ts';
import { wrapMpegTime } from '../time/mpegClock.ts';
import { TS_HEADER, TS_PACKET, TS_SYNC } from './packet.ts';

const PAYLOAD = TS_PACKET - TS_HEADER;
const PES_HEADER = 14; // with PTS and without DTS, because they are equal (§2.4.3.7)

/** A complete access unit in elementary stream form. */
export type TsUnit = {
  /** Presentation and decode time on the 90 kHz clock, not wrapped. */
  readonly time: number;
  readonly bytes: Uint8Array;
  /** True if it can be decoded without others. */
  readonly isRandomAccess: boolean;
};

export class PesWriter {
  /** A multiple of 16. Up to 15 more than needed, distributed over the units so that no PES header is split. */
  readonly packets: number;
  readonly #pid: number;
  readonly #streamId: number;
  readonly #units: readonly TsUnit[];
  readonly #pcrLead: number | undefined;
  readonly #isFirst: boolean;
  readonly #extra: number;
  #next = 0;
  #counter = 0;

  /**
   * @param pcrLead if defined, each unit carries the clock (PCR), set to this many ticks before its own time
   * @param isFirst whether the packets before have another clock and other counters: discontinuity_indicator (§2.4.3.5)
   */
  constructor(pid: number, streamId: number, units: readonly TsUnit[], pcrLead: number | undefined, isFirst: boolean) {
    this.#pid = pid;
    this.#streamId = streamId;
    this.#units = units;
    this.#pcrLead = pcrLead;
    this.#isFirst = isFirst;
    const needed = units.reduce((sum, unit) => sum + this.#needed(unit), 0);
    this.#extra = (16 - (needed % 16)) % 16;
    this.packets = needed + this.#extra;
  }

  /** The time of the unit that `write` writes next; infinity after the last. */
  get nextTime(): number {
    return this.#units[this.#next]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Writes the next unit at `at`. @returns the position after it */
  write(out: Uint8Array, at: number): number {
    const unit = defined(this.#units[this.#next], 'a unit is written while nextTime is finite');
    this.#next += 1;
    const count = this.#needed(unit) + this.#shareOfExtra(this.#units.length - this.#next);
    const pes = this.#pes(unit);
    let done = 0;
    for (let left = count; left > 0; left -= 1) {
      const start = at + (count - left) * TS_PACKET;
      const field = done === 0 ? this.#fieldLength(unit) : 0;
      const size = Math.min(PAYLOAD - field, pes.length - done - (left - 1)); // leaves a byte for each packet that follows
      this.#packet(out, start, unit, done === 0, size);
      out.set(pes.subarray(done, done + size), start + TS_PACKET - size);
      done += size;
    }
    return at + count * TS_PACKET;
  }

  /** @param following the number of units after this one; the last units get what cannot be divided evenly */
  #shareOfExtra(following: number): number {
    const { length } = this.#units;
    return Math.floor(this.#extra / length) + (following < this.#extra % length ? 1 : 0);
  }

  #needed(unit: TsUnit): number {
    return Math.ceil((PES_HEADER + unit.bytes.length + this.#fieldLength(unit)) / PAYLOAD);
  }

  /** Bytes of the adaptation field that the first packet of a unit needs. */
  #fieldLength(unit: TsUnit): number {
    if (this.#pcrLead !== undefined) return 8;
    return unit.isRandomAccess || this.#isJump(unit) ? 2 : 0;
  }

  #isJump(unit: TsUnit): boolean {
    return this.#isFirst && unit === this.#units[0];
  }

  /** Header, adaptation field and stuffing of a packet with `size` bytes of payload (§2.4.3.4). */
  #packet(out: Uint8Array, start: number, unit: TsUnit, isFirst: boolean, size: number): void {
    const field = PAYLOAD - size;
    out[start] = TS_SYNC;
    out[start + 1] = (isFirst ? 0x40 : 0) | (this.#pid >> 8);
    out[start + 2] = this.#pid & 0xff;
    out[start + 3] = (field > 0 ? 0x30 : 0x10) | this.#counter;
    this.#counter = (this.#counter + 1) % 16;
    if (field === 0) return;
    out[start + 4] = field - 1;
    if (field === 1) return;
    const pcrLead = isFirst ? this.#pcrLead : undefined;
    const jump = isFirst && this.#isJump(unit) ? 0x80 : 0;
    out[start + 5] = jump | (isFirst && unit.isRandomAccess ? 0x40 : 0) | (pcrLead === undefined ? 0 : 0x10);
    out.fill(0xff, start + 6, start + 4 + field);
    if (pcrLead !== undefined) writePcr(out, start + 6, unit.time - pcrLead);
  }

  #pes(unit: TsUnit): Uint8Array {
    const pes = new Uint8Array(PES_HEADER + unit.bytes.length);
    const length = pes.length - 6;
    const written = length > 0xffff ? 0 : length; // 0 means unbounded, which is allowed for video only
    pes.set([0, 0, 1, this.#streamId, written >> 8, written & 0xff, 0x84, 0x80, 5]); // data_alignment_indicator, PTS only
    writePts(pes, 9, unit.time);
    pes.set(unit.bytes, PES_HEADER);
    return pes;
  }
}

/** 33 bits in five bytes, with marker bits between them (§2.4.3.6). */
function writePts(out: Uint8Array, at: number, time: number): void {
  const wrapped = wrapMpegTime(time);
  const low = wrapped % 2 ** 30;
  out[at] = 0x21 | (Math.floor(wrapped / 2 ** 30) << 1);
  out[at + 1] = low >> 22;
  out[at + 2] = ((low >> 14) & 0xfe) | 1;
  out[at + 3] = (low >> 7) & 0xff;
  out[at + 4] = ((low << 1) & 0xfe) | 1;
}

/** program_clock_reference_base and an extension of 0 (§2.4.3.5). */
function writePcr(out: Uint8Array, at: number, time: number): void {
  const base = wrapMpegTime(time);
  const upper = Math.floor(base / 2);
  out[at] = upper / 2 ** 24;
  out[at + 1] = upper / 2 ** 16;
  out[at + 2] = upper / 2 ** 8;
  out[at + 3] = upper;
  out[at + 4] = ((base % 2) << 7) | 0x7e;
  out[at + 5] = 0;
}
