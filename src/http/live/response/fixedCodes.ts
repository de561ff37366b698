// SPDX-License-Identifier: Apache-2.0
// The fixed Huffman codes of DEFLATE (RFC 1951 §3.2.6) as bits in the order in which they are written, from the least
// significant one on, together with the extra bits of lengths (§3.2.5).

/** Huffman codes are written from their most significant bit on (§3.1.1). */
function reversed(code: number, bits: number): number {
  let left = code;
  let result = 0;
  for (let bit = 0; bit < bits; bit += 1) {
    result = (result << 1) | (left & 1);
    left >>= 1;
  }
  return result;
}

/** Literals: bytes below 144 have 8 bits, others 9. */
export const literalCodes = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte < 144 ? reversed(0x30 + byte, 8) : reversed(0x190 + byte - 144, 9),
);
export const literalBits = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 144 ? 8 : 9));

export const END_BITS = 7;
export const MAX_LENGTH = 258;
export const MAX_DISTANCE = 32_768;

/** The least length of each length code from 257 on, and its extra bits. */
const lengthBases = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31],
  ...[35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, MAX_LENGTH],
];
const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];

/** By length: its code and extra bits, and how many bits these are. */
export const lengthCodes = new Uint16Array(MAX_LENGTH + 1);
export const lengthBits = new Uint8Array(MAX_LENGTH + 1);
for (const [index, base] of lengthBases.entries()) {
  const [code, bits] = index < 23 ? [reversed(index + 1, 7), 7] : [reversed(0xc0 + index - 23, 8), 8];
  // Length 258 has a code of its own.
  const end = lengthBases[index + 1] ?? MAX_LENGTH + 1;
  for (let length = base; length < end; length += 1) {
    lengthCodes[length] = code | ((length - base) << bits);
    lengthBits[length] = bits + lengthExtras[index]!;
  }
}

/** The least distance of each distance code, its extra bits, and the code. */
export const distanceBases = Uint16Array.from({ length: 30 }, (_, code) =>
  code < 4 ? code + 1 : 1 + ((2 + (code & 1)) << ((code >> 1) - 1)),
);
export const distanceExtras = Uint8Array.from({ length: 30 }, (_, code) => (code < 4 ? 0 : (code >> 1) - 1));
export const distanceCodes = Uint8Array.from({ length: 30 }, (_, code) => reversed(code, 5));
export const DISTANCE_BITS = 5;

/** Distance codes of distances up to 256, and of longer ones in steps of 128. */
const nearCodes = new Uint8Array(256);
const farCodes = new Uint8Array(256);
for (const [code, base] of distanceBases.entries()) {
  const end = distanceBases[code + 1] ?? MAX_DISTANCE + 1;
  for (let distance = base; distance < end; distance += 1) {
    if (distance <= 256) nearCodes[distance - 1] = code;
    else farCodes[(distance - 1) >> 7] = code;
  }
}

export const distanceCodeOf = (distance: number): number =>
  distance <= 256 ? nearCodes[distance - 1]! : farCodes[(distance - 1) >> 7]!;
