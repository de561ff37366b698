// SPDX-License-Identifier: Apache-2.0
// A node in the process of the test, on the system's clock. It reads changes of other nodes only when notices announce them.
import { startMidroll } from '../../src/app.ts';
import type { NoticePolls } from '../../src/notices/followNotices.ts';
import { startWorker } from '../../src/startWorker.ts';
import { realClock } from '../clock/testClock.ts';
import { adminClient, logReader, type Midroll } from '../live/midroll.ts';
import { configOf } from '../live/midrollInProcess.ts';

export type Node = Pick<Midroll, 'adminUrl' | 'liveUrl' | 'api' | 'create' | 'bugs' | 'logged' | 'close'> & {
  /** The value of a metric; 0 if it has none. @param sample its name with its labels */
  metric(sample: string): Promise<number>;
};

const NEVER: NoticePolls = { without: 1e9, with: 1e9 };

type Settings = Readonly<Record<string, string>>;

export async function startNode(settings: Settings): Promise<Node> {
  const log: string[] = [];
  const logTo = { write: (line: string) => void log.push(line) };
  const { adminUrl, liveUrl, close } = await startMidroll(configOf(settings), undefined, {
    ...{ clock: realClock(), logTo, noticePolls: NEVER },
  });
  return {
    ...{ adminUrl, liveUrl, close },
    ...adminClient(adminUrl),
    ...logReader(() => log.join('')),
    async metric(sample) {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
      return Number(line?.slice(sample.length + 1) ?? 0);
    },
  };
}

/** A process with ROLE=worker. */
export const startCreativeWorker = (settings: Settings): Promise<{ close(): Promise<void> }> =>
  startWorker(configOf({ ...settings, ROLE: 'worker' }), { clock: realClock(), logTo: { write: () => {} } });
