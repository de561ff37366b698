// SPDX-License-Identifier: Apache-2.0
// Analyses a limited number of origins of one host at once. An analysis has a time limit: when hundreds of channels are created
// together, and all are analysed at once, most of them would only wait for the connections to their host, and fail.
import { createTaskQueue, type TaskQueue } from '../../ingest/taskQueue.ts';
import type { AnalyseOrigin } from './planLiveChannel.ts';

/** Each uses up to six connections, of the eight to a host. */
export const ANALYSES_PER_HOST = 8;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

export function limitAnalyses(analyse: AnalyseOrigin, perHost = ANALYSES_PER_HOST): AnalyseOrigin {
  const hosts = new Map<string, { readonly queue: TaskQueue; users: number }>();
  return async (url, ...options) => {
    const host = hostOf(url);
    const one = hosts.get(host) ?? { queue: createTaskQueue(perHost), users: 0 };
    hosts.set(host, one);
    one.users += 1;
    try {
      return await one.queue.run(() => analyse(url, ...options), false);
    } finally {
      one.users -= 1;
      if (one.users === 0) hosts.delete(host);
    }
  };
}
