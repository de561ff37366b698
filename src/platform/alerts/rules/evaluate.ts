// SPDX-License-Identifier: Apache-2.0
// Evaluates all rules, on one node at a time. A change of an alert, its event and its deliveries are stored in one transaction,
// which only the node with the lease can commit.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channel } from '../../../channels/channel.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { ReportName } from '../../reports/rules/catalogue.ts';
import { deliveryIdOf, messageOf, type NewDelivery } from '../webhooks/delivery.ts';
import { isChanged, nextState, type Transition } from './alertState.ts';
import { type AlertEvent, makeEvent, showEvent } from './event.ts';
import { type Counts, type Judgement, judge, type Measurement, measuredRange } from './judge.ts';
import type { AlertChange, AlertRuleStore, AlertSources, AlertStore, StoredAlert } from './ports.ts';
import type { AlertKind, AlertRule } from './rule.ts';

type EvaluatorDeps = {
  /** Identifies this process. */
  readonly holder: string;
  readonly rules: Pick<AlertRuleStore, 'enabled'>;
  readonly alerts: AlertStore;
  readonly sources: AlertSources;
  readonly now: () => Millis;
  readonly newId: () => string;
  readonly adminUrl?: string | undefined;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export const EVALUATE_INTERVAL_MS = 10_000;
/** Another node takes over after this time. */
export const LEASE_MS = 35_000;

const keyOf = (ruleId: string, channelId: string): string => JSON.stringify([ruleId, channelId]);

function groupByTenant<Row extends { readonly tenant: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.tenant, [...(groups.get(row.tenant) ?? []), row]);
  return groups;
}

function deliveriesOf(event: AlertEvent, webhooks: readonly string[]): NewDelivery[] {
  const type = `alert.${event.state}`;
  const { tenant, at: createdAt } = event;
  const facts = { tenant, type, body: messageOf(type, createdAt, showEvent(event)), createdAt };
  return webhooks.map((webhookId) => ({ id: deliveryIdOf(event.id, webhookId), webhookId, ...facts }));
}

const nameOf = ({ id, name }: Channel): AlertEvent['channel'] => (name ? { id, name } : { id });

/** @returns evaluates all rules once, unless another process does */
export function createEvaluator(deps: EvaluatorDeps): () => Promise<void> {
  const { holder, alerts, sources, now, newId, adminUrl } = deps;

  /** What is reported when an alert changes: measured over the whole time that it concerns. */
  async function judgeFor(
    rule: AlertRule,
    channel: Channel,
    { change, state, isStale }: Transition,
    last: Judgement,
    measurer: Measurer,
  ): Promise<Omit<Judgement, 'level'>> {
    const { level: _, ...current } = last;
    if (change === 'resolved') {
      const { reason: _reason, ...now } = current;
      return isStale ? { reason: 'no data for two hours' } : now;
    }
    if (rule.kind === 'creative') {
      const reason = await sources.creativeFailure(channel);
      return reason === undefined ? current : { ...current, reason };
    }
    if (rule.kind === 'origin' || rule.kind === 'off-air' || state === undefined) return current;
    const { level: whole, ...over } = judge(rule, await measurer.measure(rule, channel, state.since));
    return whole === 'bad' ? over : current;
  }

  async function evaluateOne(
    rule: AlertRule,
    channel: Channel,
    stored: StoredAlert | undefined,
    measurer: Measurer,
  ): Promise<void> {
    const { tenant, id: ruleId, webhooks } = rule;
    const at = now();
    const judgement = judge(rule, await measurer.measure(rule, channel));
    const transition = nextState(stored?.state, judgement, rule, at);
    const { state, change } = transition;
    const known = stored?.state ?? state;
    if (known === undefined || (change === undefined && !isChanged(stored?.state, state))) return;
    const key = { tenant, ruleId, channelId: channel.id };
    const next = (event: AlertEvent | undefined) => state && { state, ...(event === undefined ? {} : { event }) };
    if (change === undefined) {
      await alerts.commit(holder, { ...key, next: next(stored?.event), deliveries: [] });
      return;
    }
    const id = newId();
    const facts = { id, tenant, alert: stored?.event?.id ?? id, state: change, since: known.since, at };
    const reported = await judgeFor(rule, channel, transition, judgement, measurer);
    const event = makeEvent({ rule, channel: nameOf(channel) }, facts, reported, adminUrl);
    const first = change === 'firing' ? event : stored?.event;
    await alerts.commit(holder, { ...key, next: next(first), event, deliveries: deliveriesOf(event, webhooks) });
  }

  /** The rule or the channel of an alert was deleted, disabled, or is no longer part of the rule. */
  async function end(stored: StoredAlert, rule: AlertRule | undefined): Promise<void> {
    const { tenant, ruleId, channelId, state, event: first } = stored;
    const change: AlertChange = { tenant, ruleId, channelId, next: undefined, deliveries: [] };
    if (state.phase === 'pending' || first === undefined) return void (await alerts.commit(holder, change));
    const reason = rule === undefined ? 'the rule is no longer active' : 'the channel is no longer checked';
    const text = `Resolved on ${first.channel.name ?? channelId}: ${reason}.`;
    const event: AlertEvent = { ...first, id: newId(), at: now(), state: 'resolved', text, reason };
    await alerts.commit(holder, { ...change, event, deliveries: deliveriesOf(event, rule?.webhooks ?? []) });
  }

  async function evaluateTenant(
    rules: readonly AlertRule[],
    channels: readonly Channel[],
    stored: readonly StoredAlert[],
  ): Promise<void> {
    const left = new Map(stored.map((one) => [keyOf(one.ruleId, one.channelId), one]));
    const measurer = createMeasurer(sources, rules, channels, now());
    for (const rule of rules) {
      for (const channel of channelsOf(rule, channels)) {
        const key = keyOf(rule.id, channel.id);
        const known = left.get(key);
        left.delete(key);
        // A change of a rule's kind starts anew.
        if (known?.event !== undefined && known.event.rule.kind !== rule.kind) await end(known, undefined);
        else await evaluateOne(rule, channel, known, measurer);
      }
      await nextTurn();
    }
    for (const one of left.values()) {
      const rule = rules.find(({ id }) => id === one.ruleId);
      await end(one, rule);
    }
  }

  return async () => {
    const lead = () => alerts.lead(holder, now(), millis(now() + LEASE_MS));
    if (!(await lead())) return;
    const [rules, stored] = await Promise.all([deps.rules.enabled(), alerts.all()]);
    if (rules.length === 0 && stored.length === 0) return;
    const [rulesOf, alertsOf] = [groupByTenant(rules), groupByTenant(stored)];
    const channelsOf = groupByTenant(await sources.channels());
    for (const tenant of new Set([...rulesOf.keys(), ...alertsOf.keys()])) {
      if (!(await lead())) return;
      const own = [rulesOf.get(tenant) ?? [], channelsOf.get(tenant) ?? [], alertsOf.get(tenant) ?? []] as const;
      await evaluateTenant(...own).catch((error: unknown) =>
        deps.log('evaluating the alert rules of a tenant failed', { tenant, error }),
      );
    }
  };
}

// Measures the channels of one tenant. Each report is read once for all rules that need it, so the cost depends on the number
// of channels and rules, not on that of viewers.

const reportsOf: Readonly<Partial<Record<AlertKind, readonly ReportName[]>>> = {
  fill: ['breaks', 'ad-requests'],
  'ad-server': ['ad-requests'],
  creative: ['creatives'],
  beacons: ['beacons'],
};

/** The channels that a rule checks. */
function channelsOf({ kind, channels: ids }: AlertRule, all: readonly Channel[]): Channel[] {
  const selected = ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
  return kind === 'origin' ? selected.filter(({ type }) => type === 'live') : [...selected];
}

type Measurer = ReturnType<typeof createMeasurer>;

function createMeasurer(sources: AlertSources, rules: readonly AlertRule[], channels: readonly Channel[], now: Millis) {
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
        ...(rule.kind === 'beacons' ? { oldestBeacon: await sources.oldestBeacon(channel) } : {}),
        ...(rule.kind === 'origin' ? { origins: await sources.origins(channel) } : {}),
        ...(rule.kind === 'creative' ? { failingCreatives: await sources.failingCreatives(channel) } : {}),
        ...(rule.kind === 'off-air' ? { air: await sources.isOnAir(channel) } : {}),
      };
    },
  };
}
