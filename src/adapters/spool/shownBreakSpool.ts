// SPDX-License-Identifier: Apache-2.0
// Breaks that were shown as slate and wait for the store (lineSpool.ts).
import type { ShownBreakSpool } from '../../playback/decide/shownBreaks.ts';
import type { ShownBreak } from '../../sessions/ports.ts';
import type { FileSpool } from './fileSpool.ts';
import { createLineSpool } from './lineSpool.ts';

function isShownBreak(value: unknown): value is ShownBreak {
  const { sessionId, decision, record } = (value ?? {}) as Partial<ShownBreak>;
  return typeof sessionId === 'string' && typeof decision?.breakId === 'string' && typeof record?.id === 'string';
}

/** @param onLost called with the number of entries that were removed because the spool was full */
export function createShownBreakSpool(files: FileSpool, onLost: (entries: number) => void): ShownBreakSpool {
  const spool = createLineSpool(files, isShownBreak, onLost);
  return { ...spool, read: async (entry) => (await spool.read(entry)).values };
}
