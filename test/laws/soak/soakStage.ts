// SPDX-License-Identifier: Apache-2.0
// What soaks share: origins, channels and nodes on one database and one virtual clock, and what they have found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../../src/database.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createManualClock } from '../manualClock.ts';
import { seedIds } from './seededIds.ts';
import { putOnAir } from './soakChannels.ts';
import { createSoakNodes } from './soakNodes.ts';
import { createSoakOrigin } from './soakOrigin.ts';
import { createSoakReturns } from './soakReturns.ts';
import type { Watched } from './soakViewer.ts';

export const SOAK_START = Date.parse('2026-03-01T06:00:00.000Z');

/** Without ids, times, numbers and what is quoted. */
const kindOf = (message: string): string =>
  message
    .split('\n', 1)[0]!
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\{.*\}|"[^"]*"|\S*\/\S*/g, '…')
    .replace(/\b[vat]\d\b/g, 'RUNG')
    .replace(/-?\d[\d.:TZ-]*/g, 'N');

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
    await createSoakOrigin('one', now, { window: 8 }, lines),
    await createSoakOrigin('two', now, { window: 12, dates: 'first' }, lines),
    await createSoakOrigin('backup', now, { window: 8 }, lines),
  ];
  const onAir = await putOnAir(sql, origins, now);
  const violations: string[] = [];
  const kinds = new Set<string>();
  const warnings: Record<string, number> = {};
  const watched: Watched & { viewers: number } = {
    ...{ viewers: 0, polls: 0, refused: 0, lost: 0, segments: 0, slateMs: 0, adMs: 0, longestStill: 0 },
  };
  /** The first message of each kind is kept. */
  function violated(message: string): void {
    const kind = kindOf(message);
    if (!kinds.has(kind)) violations.push(message);
    kinds.add(kind);
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
