// SPDX-License-Identifier: Apache-2.0
import { expect } from 'vitest';
import { seededRandom } from '../seededRandom.ts';
import { randomChunks } from './randomChunks.ts';
import { startTwins } from './twins.ts';

/** Sends the random connections of a seed to both servers. At least a quarter of them must be answered directly to the end. */
export async function expectAlikeFor(seed: number, connections: number): Promise<void> {
  const twins = await startTwins();
  try {
    const random = seededRandom(seed);
    for (let count = 0; count < connections; count += 1) {
      const chunks = randomChunks(random);
      const [fast, node] = await twins.send(chunks);
      expect({ ...fast, chunks }).toEqual({ ...node, chunks });
    }
    expect(twins.counts.fast).toBeGreaterThan(connections / 4);
  } finally {
    await twins.close();
  }
}
