// SPDX-License-Identifier: Apache-2.0
export type BitReader = ReturnType<typeof createBitReader>;

/**
 * Reads bits, most significant first. Beyond the end of the bytes it reads zeros; `isPastEnd` reports that.
 * @param start the byte to start at
 */
export function createBitReader(bytes: Uint8Array, start = 0) {
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
  /** An unsigned Exp-Golomb code (ITU-T H.264 §9.1). */
  const ue = (): number => {
    let zeros = 0;
    while (zeros < 32 && bit() === 0) zeros += 1;
    return 2 ** zeros - 1 + bits(zeros);
  };
  /** A signed Exp-Golomb code (§9.1.1). */
  const se = (): number => {
    const code = ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  };
  /** The byte that contains the next bit, counted from the first of all bytes. */
  const byte = (): number => at >> 3;
  return { bit, bits, ue, se, byte, isPastEnd: (): boolean => at > bytes.length * 8 };
}
