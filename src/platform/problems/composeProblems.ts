// SPDX-License-Identifier: Apache-2.0
// Composes problems: which ad servers fail, and what is wrong on each channel of a tenant. Facts are read when they are requested,
// and kept for a second, so that a list of channels reads them once.
import type { AdNames } from '../../ads/creative/creative.ts';
import type { Channel } from '../../channels/channel.ts';
import type { OnAirServices } from '../../composition/composeOnAir.ts';
import type { CoreEvents } from '../../composition/coreEvents.ts';
import { kept } from '../../composition/kept.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { Problems } from '../../http/admin/routes/ports.ts';
import type { ChannelProblem } from '../../http/contract/statusContract.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import { groupBy } from '../../invariant.ts';
import { within } from '../../time/clock.ts';
import { REPORT_INTERVAL_MS, reportIntervalOf } from '../../time/reportInterval.ts';
import { millis } from '../../time/units.ts';
import { creativeName } from '../reports/rules/count/breakEvents.ts';
import type { Counts, RecentCounts } from '../reports/rules/query/recentCounts.ts';
import { isCurrent, problemsOf, serverText } from './rules/channelProblems.ts';
import { FORGOTTEN_MS } from './rules/serverHealth.ts';
import { createServerWatch } from './rules/serverWatch.ts';
import { stateProblem } from './rules/stateProblem.ts';
import { sqlFailingServers } from './store/sqlFailingServers.ts';

type Sources = {
  readonly onAir: Pick<OnAirServices, 'cache' | 'knownState' | 'originHealth' | 'troubledOrigins'>;
  readonly jobs: Pick<CreativeJobs, 'failures'>;
  readonly counts: RecentCounts;
};

type ProblemsPart = Part & {
  readonly problems: Problems;
  /** How the ad server of a channel fails; `reason` is a sentence without its period. */
  serverFailure(channel: Channel): Promise<{ readonly isTimeout: boolean; readonly reason: string } | undefined>;
};

/** What problems and numbers of a tenant are read again after. */
const KEPT_MS = { problems: 1000, numbers: 10_000 };
/** What is not read from reports by then is not stated: lists of channels wait for it. */
const REPORTS_MS = 2000;
const HOUR_MS = 3_600_000;

export function composeProblems(services: Services) {
  const { sql, now, timers, warn, warnAlways } = services;
  const store = sqlFailingServers(sql);
  const watch = createServerWatch({ store, now, log: warnAlways });

  return {
    events: { adServerSeen: watch.sign } satisfies Pick<CoreEvents, 'adServerSeen'>,
    part({ onAir, jobs, counts }: Sources): ProblemsPart {
      const lastHour = () => {
        const end = millis(reportIntervalOf(now()) + REPORT_INTERVAL_MS);
        return { start: millis(end - HOUR_MS), end };
      };
      const enabledOf = (tenant: string): Channel[] =>
        [...onAir.cache.all()].map(({ channel }) => channel).filter((channel) => channel.tenant === tenant);
      /** Problems are known without reports, which a search domain may have, or return slowly. */
      const ifKnown = <Found>(reading: Promise<Found>): Promise<Found | undefined> =>
        within(timers, REPORTS_MS, reading).catch((error: unknown) => {
          warn('reading the reports of the last hour failed', { error });
          return undefined;
        });
      const numbers = kept(KEPT_MS.numbers, now, (tenant) => {
        const own = enabledOf(tenant);
        return Promise.all([
          ifKnown(counts.byChannel('breaks', own, lastHour())),
          ifKnown(counts.byChannel('skips', own, lastHour())),
        ]);
      });
      const lostByCreative = kept(KEPT_MS.numbers, now, (tenant) =>
        ifKnown(counts.by('creative', tenant, 'skips', lastHour())),
      );

      const readFailing = (tenant: string) => store.list(millis(now() - FORGOTTEN_MS), tenant);
      /** For alerts, which ask for each channel. */
      const keptFailing = kept(KEPT_MS.problems, now, readFailing);
      const found = kept(KEPT_MS.problems, now, async (tenant) => {
        const [failing, failures, troubled] = await Promise.all([
          readFailing(tenant),
          jobs.failures(tenant, millis(now() - HOUR_MS)),
          onAir.troubledOrigins(tenant),
        ]);
        const [breaks, skips] = failing.length + failures.length > 0 ? await numbers(tenant) : [];
        const servers = groupBy(failing, ({ channel }) => channel);
        const creatives = new Map(failures.map((one) => [one.channelId, one]));
        const problems = new Map<string, readonly ChannelProblem[]>();
        for (const channel of enabledOf(tenant)) {
          const { id } = channel;
          const origins = troubled.has(id) ? await onAir.originHealth(channel) : {};
          const own = problemsOf(channel, {
            servers: servers.get(id) ?? [],
            creatives: creatives.get(id),
            state: stateProblem(onAir.knownState(channel), origins),
            fillRate: fillOf(breaks?.get(id)),
            adsLost: skips && (skips.get(id)?.CREATIVE_FAILED ?? 0),
          });
          if (own.length > 0) problems.set(id, own);
        }
        return problems;
      });

      return {
        problems: {
          ofTenant: found,
          async adsLost(tenant: string, ad: AdNames) {
            const lost = (await lostByCreative(tenant))?.get(creativeName(ad));
            return lost && (lost.CREATIVE_FAILED ?? 0) + (lost.CREATIVE_PREPARING ?? 0);
          },
        },
        async serverFailure(channel) {
          const failing = await keptFailing(channel.tenant);
          const own = failing.find(
            (one) => one.channel === channel.id && one.asked === 'source' && isCurrent(one, channel),
          );
          if (own === undefined) return undefined;
          return { isTimeout: own.failure.error === 'timeout', reason: serverText(own) };
        },
        notices: [{ name: 'reading which ad servers fail', topics: ['problems'], read: () => watch.refresh() }],
        tasks: [
          { name: 'storing which ad servers fail', everyMs: 1000, run: watch.share, where: 'live' },
          {
            name: 'deleting old failures of ad servers',
            everyMs: 60_000,
            run: () => store.forget(millis(now() - FORGOTTEN_MS)),
          },
        ],
        finalSteps: { storing: { 'storing which ad servers fail': watch.share } },
      };
    },
  };
}

function fillOf(counts: Counts | undefined): number | undefined {
  const offered = counts?.offeredMs ?? 0;
  return offered <= 0 ? undefined : (counts?.filledMs ?? 0) / offered;
}
