// SPDX-License-Identifier: Apache-2.0
// Measures the channels of one tenant. Each report is read once for all rules that need it, so the cost depends on the number
// of channels and rules, not on that of viewers.
import type { Channel } from '../../../channels/channel.ts';
import { labelKey, labelsOf } from '../../../channels/labels.ts';
import type { Millis } from '../../../time/units.ts';
import type { ReportName } from '../../reports/rules/catalogue.ts';
import { type Counts, type Measurement, measuredRange } from './judge.ts';
import type { AlertSources } from './ports.ts';
import type { AlertKind, AlertRule } from './rule.ts';

const reportsOf: Readonly<Partial<Record<AlertKind, readonly ReportName[]>>> = {
  fill: ['breaks', 'ad-requests'],
  'ad-server': ['ad-requests'],
  creative: ['creatives'],
  beacons: ['beacons'],
};

/** The channels that a rule checks. */
export function channelsOf({ kind, channels: ids, labels }: AlertRule, all: readonly Channel[]): Channel[] {
  const keys = new Set(labels.map(labelKey));
  const selected =
    ids.length === 0 && keys.size === 0
      ? all
      : all.filter(
          (channel) => ids.includes(channel.id) || labelsOf(channel).some((label) => keys.has(labelKey(label))),
        );
  return kind === 'origin' ? selected.filter(({ type }) => type === 'live') : [...selected];
}

export type Measurer = ReturnType<typeof createMeasurer>;

export function createMeasurer(
  sources: AlertSources,
  rules: readonly AlertRule[],
  channels: readonly Channel[],
  now: Millis,
) {
  const read = new Map<string, Promise<ReadonlyMap<string, Counts>>>();
  /** The channels that any rule counts by this report. */
  const counted = (report: ReportName): Channel[] => {
    const ids = new Set(
      rules
        .filter(({ kind }) => reportsOf[kind]?.includes(report))
        .flatMap((rule) => channelsOf(rule, channels).map(({ id }) => id)),
    );
    return channels.filter(({ id }) => ids.has(id));
  };

  function countsOf(report: ReportName, minutes: number): Promise<ReadonlyMap<string, Counts>> {
    const name = `${report} ${minutes}`;
    const { from, to } = measuredRange(now, minutes);
    const known = read.get(name) ?? sources.counts(report, counted(report), from, to);
    read.set(name, known);
    return known;
  }

  async function countsFor(rule: AlertRule, report: ReportName, channel: Channel, since: Millis | undefined) {
    if (!reportsOf[rule.kind]?.includes(report)) return undefined;
    const { from, to } = measuredRange(now);
    // The time for which an alert was pending is read for its channel alone.
    const counts =
      since === undefined
        ? await countsOf(report, rule.kind === 'creative' ? rule.forMinutes : 1)
        : await sources.counts(report, [channel], Math.min(from, since - (since % 10_000)) as Millis, to);
    return counts.get(channel.id);
  }

  return {
    /** @param since from then on; by default, the last minute or what the rule counts over */
    async measure(rule: AlertRule, channel: Channel, since?: Millis): Promise<Measurement> {
      const counts = (report: ReportName) => countsFor(rule, report, channel, since);
      return {
        now,
        breaks: await counts('breaks'),
        adRequests: await counts('ad-requests'),
        creatives: await counts('creatives'),
        beacons: await counts('beacons'),
        ...(rule.kind === 'creative' ? { failingCreatives: await sources.failingCreatives(channel) } : {}),
        ...(rule.kind === 'ad-server' ? { serverFailure: await sources.serverFailure(channel) } : {}),
        ...(rule.kind === 'beacons' ? { oldestBeacon: await sources.oldestBeacon(channel) } : {}),
        ...(rule.kind === 'origin' ? { origins: await sources.origins(channel) } : {}),
        ...(rule.kind === 'off-air' ? { air: await sources.isOnAir(channel) } : {}),
      };
    },
  };
}
