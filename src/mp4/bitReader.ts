// SPDX-License-Identifier: Apache-2.0
/** Reads bits, most significant first. Beyond the end of the bytes it reads zeros; `isPastEnd` reports that. */
export type BitReader = {
  bit(): number;
  /** An unsigned number of `count` bits. */
  bits(count: number): number;
  /** An unsigned Exp-Golomb code (ITU-T H.264 §9.1). */
  ue(): number;
  /** A signed Exp-Golomb code (§9.1.1). */
  se(): number;
  isPastEnd(): boolean;
  /** The byte that contains the next bit, counted from the first of all bytes. */
  byte(): number;
};

/** @param start the byte to start at */
export function createBitReader(bytes: Uint8Array, start = 0): BitReader {
  let at = start * 8;
  const bit = (): number => {
    const value = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
    at += 1;
    return value;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i += 1) value = value * 2 + bit();
    return value;
  };
  const ue = (): number => {
    let zeros = 0;
    while (zeros < 32 && bit() === 0) zeros += 1;
    return 2 ** zeros - 1 + bits(zeros);
  };
  const se = (): number => {
    const code = ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  };
  return { bit, bits, ue, se, isPastEnd: () => at > bytes.length * 8, byte: () => at >> 3 };
}
