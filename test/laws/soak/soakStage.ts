// SPDX-License-Identifier: Apache-2.0
// What soaks share: origins, channels and nodes on one database and one virtual clock, and what they have found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../../src/adapters/sql/sql.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createManualClock } from '../manualClock.ts';
import { seedIds } from './seededIds.ts';
import { putOnAir } from './soakChannels.ts';
import { createSoakNodes } from './soakNodes.ts';
import { createSoakOrigin } from './soakOrigin.ts';
import { createSoakReturns } from './soakReturns.ts';
import type { Watched } from './soakViewer.ts';

export const SOAK_START = Date.parse('2026-03-01T06:00:00.000Z');

export type SoakStage = Awaited<ReturnType<typeof openSoakStage>>;

/** @param lines the bad lines that origins write (badLines.ts) */
export async function openSoakStage(seed: number, lines: ReadonlySet<string> = new Set()) {
  const random = seededRandom(seed);
  const restoreIds = seedIds(seededRandom(seed + 1_000_003));
  const folder = mkdtempSync(join(tmpdir(), 'midroll-soak-'));
  const sql = await openSqlite(':memory:');
  const clock = createManualClock(SOAK_START + Math.floor(5000 * random()), () => false);
  const { now } = clock;
  const origins = [
    await createSoakOrigin('one', 'cmaf', now, { window: 8 }, lines),
    await createSoakOrigin('two', 'cmaf', now, { window: 12, dates: 'first' }, lines),
    await createSoakOrigin('backup', 'cmaf', now, { window: 8 }, lines),
  ];
  const onAir = await putOnAir(sql, origins, now);
  const violations: string[] = [];
  const warnings: Record<string, number> = {};
  const watched: Watched & { viewers: number } = {
    ...{ viewers: 0, polls: 0, refused: 0, lost: 0, segments: 0, slateMs: 0, adMs: 0, longestStill: 0 },
  };
  function violated(message: string): void {
    if (violations.length < 20) violations.push(message);
  }
  function warn(message: string, { error, reason }: Record<string, unknown>): void {
    const text = `${message}: ${String(reason ?? error).replace(/\d+/g, 'N')}`;
    warnings[text] = (warnings[text] ?? 0) + 1;
    const isBug = error instanceof TypeError || error instanceof RangeError || /assert/i.test((error as Error)?.name);
    if (isBug) violated(`${message}: ${(error as Error).stack}`);
  }
  const nodes = createSoakNodes({ sql, clock, random, origins, ladders: onAir.ladders, folder, warn });
  return {
    ...{ random, sql, clock, origins, onAir, nodes, violations, violated, warnings, watched },
    returns: createSoakReturns(sql, onAir.feeds),
    async close() {
      nodes.killAll();
      restoreIds();
      await sql.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
