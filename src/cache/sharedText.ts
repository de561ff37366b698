// SPDX-License-Identifier: Apache-2.0
// Long texts of responses: their bytes are made once, and no response copies them.

/** A text in parts: bytes that are kept, and what is of one response. ASCII. */
export type Parts = readonly (string | Uint8Array)[];

/** @param text ASCII */
export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** V8 keeps concatenated strings as ropes. Reading a character flattens the rope once, instead of for each response. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
