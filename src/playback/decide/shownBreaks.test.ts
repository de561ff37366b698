// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import { scratchFolderInTest } from '../../../test/opened.ts';
import { emptyBreak } from '../../../test/vast/richAd.ts';
import { createFileSpool } from '../../adapters/spool/fileSpool.ts';
import { createShownBreakSpool } from '../../adapters/spool/shownBreakSpool.ts';
import type { ShownBreak } from '../../sessions/ports.ts';
import { createShownBreaks } from './shownBreaks.ts';

let folder: string;
beforeEach(() => {
  folder = scratchFolderInTest();
});

const shown = (breakId: string): ShownBreak => ({
  sessionId: 's',
  life: 'l',
  decision: {
    breakId,
    startsAt: 0,
    joined: 0,
    ads: [],
    isShown: true,
    shift: { segments: [0], discontinuities: 0 },
  },
  record: emptyBreak(breakId, ''),
});

function openStore() {
  const recorded: string[] = [];
  const store = {
    isUnavailable: true,
    recorded,
    recordShown: async (all: readonly ShownBreak[]) => {
      if (store.isUnavailable) throw new Error('unavailable');
      recorded.push(...all.map(({ decision }) => decision.breakId));
      return all.map(({ decision }) => decision.breakId !== 'known');
    },
  };
  return store;
}

test('shown breaks are recorded when the store is available again, by this process or the next one', async () => {
  const store = openStore();
  const open = (leftAfter: number) => {
    const spool = createShownBreakSpool(createFileSpool(folder, { maxBytes: 1e6, leftAfter }), () => {});
    return { spool, breaks: createShownBreaks({ spool, sessions: store, log: () => {} }) };
  };
  const first: string[] = [];
  const { spool, breaks } = open(60_000);
  for (const id of ['1-1', 'known', '1-2']) breaks.keep(shown(id), () => void first.push(id));
  await expect.poll(async () => (await spool.close()).length).toBeGreaterThan(0);
  await expect(breaks.record()).rejects.toThrow('unavailable');
  store.isUnavailable = false;
  await breaks.record();
  expect([store.recorded, first]).toEqual([
    ['1-1', 'known', '1-2'],
    ['1-1', '1-2'],
  ]);
  breaks.keep(shown('1-3'), () => {});
  await expect.poll(async () => (await spool.close()).length).toBe(1);
  await open(-1).breaks.record();
  expect(store.recorded.at(-1)).toBe('1-3');
  expect(await spool.close()).toEqual([]);
});
