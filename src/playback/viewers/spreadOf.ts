// SPDX-License-Identifier: Apache-2.0
/** A number from 0 to 1 that is constant for a session. */
export function spreadOf(id: string): number {
  let hash = 2166136261;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}
