// SPDX-License-Identifier: Apache-2.0
// `npm run bench:prefetch`: how many viewers see their own ads at the first segment of a break that comes without notice, for each
// setting of `prefetch` and for a fast and a slow ad server; what it costs in ad requests, and how many responses are not used.
// The real product with live origins on a virtual clock, so that the figures do not depend on the machine.
import { setMaxListeners } from 'node:events';
import { openVirtualStage } from '../test/live/stage.ts';
import { UNLIMITED } from './channel.ts';
import type { FirstSegments, PrefetchRun } from './prefetchCount.ts';
import { runPrefetch } from './prefetchRun.ts';

const viewers = Number(process.env.BENCH_VIEWERS ?? 8);
const breaks = Number(process.env.BENCH_BREAKS ?? 8);
const SETTINGS = ['off', 'creatives', 'decision'] as const;
const DELAYS = [300, 2500];

setMaxListeners(0);
const stage = await openVirtualStage({ ...UNLIMITED, LOG_LEVEL: 'warn', SESSION_TTL: '7200' });
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : ((100 * part) / whole).toFixed(0));
const share = ({ first, viewers: all }: FirstSegments): string => `${percent(first, all)} (${first} of ${all})`;
try {
  const runs = DELAYS.flatMap((delay) => SETTINGS.map((prefetch) => ({ prefetch, delay })));
  const began = stage.clock.now();
  const results = await Promise.all(runs.map((run) => runPrefetch(stage, { ...run, viewers, breaks })));
  console.log(
    `${viewers} viewers at a time, ${breaks} breaks in ${Math.round((stage.clock.now() - began) / 60_000)} min`,
  );
  console.log('own ads at the first segment, % of viewers:');
  console.log('ad server  prefetch   known creatives  new creatives   ad requests per viewer-hour   unused, %');
  const line = ({ prefetch, delay }: (typeof runs)[number], one: PrefetchRun): string =>
    [
      `${(delay / 1000).toFixed(1)} s`.padEnd(10),
      prefetch.padEnd(10),
      share(one.known).padEnd(16),
      share(one.fresh).padEnd(15),
      `${(one.requests / one.viewerHours).toFixed(1)} (${one.requests})`.padEnd(29),
      prefetch === 'decision'
        ? `${percent(one.unused, one.used + one.unused)} (${one.unused} of ${one.used + one.unused})`
        : '–',
    ].join(' ');
  for (const [index, run] of runs.entries()) console.log(line(run, results[index]!));
} finally {
  await stage.close();
}
