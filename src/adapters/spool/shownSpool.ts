// Breaks shown as slate that wait for the store, as lines of files that outlive the process. A crowd shares a file.
import { randomUUID } from 'node:crypto';
import type { ShownSpool } from '../../playback/decide/shownBreaks.ts';
import type { ShownBreak } from '../../sessions/ports.ts';
import { groupWrites } from '../groupWrites.ts';
import type { FileSpool } from './fileSpool.ts';

function readLine(line: string): ShownBreak[] {
  try {
    const read = JSON.parse(line) as ShownBreak;
    const isWhole = typeof read.sessionId === 'string' && typeof read.decision?.breakId === 'string';
    return isWhole && typeof read.record?.id === 'string' ? [read] : [];
  } catch {
    return [];
  }
}

/** @param onLost called with the number of parcels that had to go because the spool is full */
export function createShownSpool(files: FileSpool, onLost: (parcels: number) => void): ShownSpool {
  return {
    keep: groupWrites<ShownBreak, void>(async (shown) => {
      const lost = await files.put(randomUUID(), shown.map((one) => `${JSON.stringify(one)}\n`).join(''));
      if (lost > 0) onLost(lost);
      return shown.map(() => undefined);
    }),
    close: async () => (await files.list()).map(({ id }) => id),
    read: async (id) => ((await files.read(id)) ?? '').split('\n').flatMap(readLine),
    remove: files.remove,
  };
}
