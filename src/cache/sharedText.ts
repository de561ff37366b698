// SPDX-License-Identifier: Apache-2.0
// A long text that many responses contain: its bytes are made once, and no response copies them.
export type SharedText = { readonly text: string; bytes?: Uint8Array };

/** A text in parts, those that are shared and those of one response. */
export type Parts = readonly (string | SharedText)[];

/** @param shared ASCII */
export function bytesOf(shared: SharedText): Uint8Array {
  shared.bytes ??= Buffer.from(shared.text, 'latin1');
  return shared.bytes;
}

/** V8 keeps concatenated strings as ropes. Reading a character flattens the rope once, instead of for each response. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
