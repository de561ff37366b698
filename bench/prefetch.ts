// SPDX-License-Identifier: Apache-2.0
// `npm run bench:prefetch`: how many viewers see their own ads at the first segment of a break that comes without notice, for each
// setting of `prefetch` and for ad servers of different speed; what it costs in ad requests, and how many responses are not
// used. The real product with live origins on a virtual clock, so that the figures do not depend on the machine.
import { adSource, openVirtualStage } from '../test/live/stage.ts';
import { type PrefetchRun, runPrefetch } from './prefetchRun.ts';

const VIEWERS = Number(process.env.BENCH_VIEWERS ?? 20);
const SETTINGS = ['off', 'creatives', 'decision'] as const;
const DELAYS = [300, 1200, 2500];

const percent = (share: number): string => (100 * share).toFixed(0).padStart(4);

const stage = await openVirtualStage({
  ...{
    SESSIONS_PER_ADDRESS: '0',
    SESSIONS_PER_CHANNEL: '0',
    CONNECTIONS_PER_ADDRESS: '0',
    LOG_LEVEL: 'warn',
    SESSION_TTL: '7200',
  },
});
try {
  const runs = DELAYS.flatMap((delay) => SETTINGS.map((prefetch) => ({ prefetch, delay })));
  const results = await Promise.all(
    runs.map((run) => runPrefetch(stage, { ...run, viewers: VIEWERS, source: (path) => adSource(stage.adHost, path) })),
  );
  console.log('ad server  prefetch   viewers with own ads   with an ad at the   ad requests per   unused');
  console.log('                      in a break, %          first segment, %    viewer-hour       %');
  const line = ({ prefetch, delay }: (typeof runs)[number], one: PrefetchRun): string =>
    [
      `${(delay / 1000).toFixed(1)} s`.padEnd(10),
      prefetch.padEnd(10),
      `${percent(one.withAds)} of ${one.breaks}`.padEnd(22),
      percent(one.withFirst).padEnd(19),
      one.requestsPerHour.toFixed(1).padEnd(17),
      one.unused === undefined ? '–' : percent(one.unused),
    ].join(' ');
  for (const [index, run] of runs.entries()) console.log(line(run, results[index]!));
} finally {
  await stage.close();
}
