// SPDX-License-Identifier: Apache-2.0
/** V8 keeps concatenated strings as ropes. Reading a character flattens the rope once, instead of for each response. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
