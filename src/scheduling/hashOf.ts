// SPDX-License-Identifier: Apache-2.0
/** A number for a text, the same on all nodes: spreads things evenly. */
export function hashOf(text: string): number {
  let hash = 0;
  for (const unit of text) hash = (Math.imul(hash, 31) + (unit.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
