// SPDX-License-Identifier: Apache-2.0
// Ids of sessions and processes decide when decisions begin and when origins are read. A replayable replacement.
import crypto, { type UUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** @returns ends the replacement */
export function seedIds(random: () => number): () => void {
  const { randomUUID } = crypto;
  const hex = (length: number) => Array.from({ length }, () => Math.floor(16 * random()).toString(16)).join('');
  const replace = (by: typeof randomUUID) => {
    crypto.randomUUID = by;
    syncBuiltinESMExports();
  };
  replace(() => [8, 4, 4, 4, 12].map(hex).join('-') as UUID);
  return () => replace(randomUUID);
}
