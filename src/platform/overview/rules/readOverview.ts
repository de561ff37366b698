// SPDX-License-Identifier: Apache-2.0
// Reads what an overview needs from the report stores of systems. A system that does not respond is left out and named.

import { channelKey } from '../../../channels/channelKey.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError } from '../../../errors.ts';
import { groupBy, withoutUndefined } from '../../../invariant.ts';
import { type Timers, within } from '../../../time/clock.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { ReportStore } from '../../reports/rules/ports.ts';
import { type System, systemKey } from '../../systems/rules/system.ts';
import type { OverviewResponse } from '../contract/overviewContract.ts';
import { type Answers, type QuestionName, questionNames, questionOf, sumAnswers } from './counts.ts';
import type { OverviewTimes, Span } from './overviewTimes.ts';
import { summarize } from './summarize.ts';

/** Groups of a list. With more, the store does not read them all, so they cannot be ranked. */
const MAX_GROUPS = 20_000;
/** Milliseconds for all that one system is asked. */
const LIMIT_MS = 8000;

type Gap = OverviewResponse['missing'][number];
/** Lists that are empty if there are too many groups. */
const lists = { breaks: 'channels', adServers: 'adServers', creatives: 'creatives' } as const;
const isListed = (name: QuestionName): name is keyof typeof lists => Object.hasOwn(lists, name);

export type OverviewDeps = {
  readonly reportStore: (system: System) => ReportStore;
  readonly channels: Pick<ChannelStore, 'names' | 'labelled'>;
  readonly now: () => Millis;
  readonly timers: Timers;
};

type OverviewSelection = {
  /** Of any tenants; those without reports of channels are left out. */
  readonly systems: readonly System[];
  /** Only these channels. */
  readonly channels?: readonly string[];
  readonly times: OverviewTimes;
  /** When the first of the tenants was created. */
  readonly since: Millis;
};

/** The span in the resolution of the store, which is coarser for older times. */
function fitted({ start, end }: Span, store: ReportStore, now: Millis): Span & { readonly interval: number } {
  const step = store.resolution(start, now);
  const [from, to] = [start - (start % step), Math.max(start + 1, end)];
  const until = Math.ceil(to / step) * step;
  return { start: millis(from), end: millis(until), interval: until - from };
}

export async function readOverview(
  { reportStore, channels: store, now, timers }: OverviewDeps,
  { systems, channels: only, times, since }: OverviewSelection,
) {
  const missing: Gap[] = [];

  async function ask(system: System): Promise<Answers> {
    const reports = reportStore(system);
    const answers: Partial<Record<QuestionName, Answers[QuestionName]>> = {};
    // One after the other: an overview never needs more than one connection of a store.
    for (const name of questionNames) {
      const { report, span, by } = questionOf(name);
      const query = { system: systemKey(system), report, ...fitted(times[span], reports, now()) };
      const cells = await reports.read({ ...query, ...withoutUndefined({ by, channels: only }) }, MAX_GROUPS);
      const isTooMuch = cells.length > MAX_GROUPS && isListed(name);
      answers[name] = isTooMuch ? [] : cells;
      if (!isTooMuch) continue;
      const text = `More than ${MAX_GROUPS} different ones were counted. Choose a shorter range.`;
      missing.push({ kind: 'list', list: lists[name], text });
    }
    return answers as Answers;
  }

  async function askInTime(system: System) {
    const { id, name, tenant } = system;
    let text = `It did not respond within ${LIMIT_MS / 1000} seconds.`;
    try {
      const answers = await within(timers, LIMIT_MS, ask(system));
      if (answers !== undefined) return [{ tenant, answers }];
    } catch (error) {
      // Anything else is a failure of the installation, and not of a search domain.
      if (!(error instanceof AppError && error.kind === 'UNAVAILABLE')) throw error;
      text = error.message;
    }
    missing.push({ kind: 'system', id, name, text });
    return [];
  }

  const answered = await Promise.all(systems.filter(({ type }) => type === 'ssai').map(askInTime));
  const overview = summarize(sumAnswers(answered.flat()), times, since);
  const names = new Map<string, string>();
  for (const [tenant, some] of groupBy(overview.channels, (channel) => channel.tenant)) {
    const found = await store.names(
      tenant,
      some.map(({ id }) => id),
    );
    for (const [id, name] of found) names.set(channelKey({ tenant, id }), name);
  }
  const channels = overview.channels.map((channel) => ({
    ...channel,
    ...withoutUndefined({ name: names.get(channelKey(channel)) }),
  }));
  return { ...overview, channels, missing };
}
