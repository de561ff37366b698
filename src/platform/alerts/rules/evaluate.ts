// SPDX-License-Identifier: Apache-2.0
// Evaluates all rules, on one node at a time. A change of an alert, its event and its deliveries are stored in one transaction,
// which only the node with the lease can commit.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channel } from '../../../channels/channel.ts';
import { labelsOf } from '../../../channels/labels.ts';
import { groupBy, withoutUndefined } from '../../../invariant.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { isAcknowledged } from './acknowledgement.ts';
import { type Hearing, isChanged, nextState, type Transition } from './alertState.ts';
import { type AlertEvent, makeEvent } from './event.ts';
import { type Judgement, judge } from './judge.ts';
import { channelsOf, createMeasurer, type Measurer } from './measurer.ts';
import { deliveriesOf, type ReceiverFacts } from './notify.ts';
import type { AlertChange, AlertRuleStore, AlertSources, AlertStore, SilenceStore, StoredAlert } from './ports.ts';
import type { AlertRule } from './rule.ts';
import { type Silence, silenceOf } from './silence.ts';

type EvaluatorDeps = {
  /** Identifies this process. */
  readonly holder: string;
  readonly rules: Pick<AlertRuleStore, 'enabled'>;
  readonly alerts: Pick<AlertStore, 'lead' | 'all' | 'commit'>;
  readonly silences: Pick<SilenceStore, 'active'>;
  /** The receivers of a tenant. */
  readonly receivers: (tenant: string) => Promise<readonly ReceiverFacts[]>;
  readonly sources: AlertSources;
  readonly now: () => Millis;
  readonly newId: () => string;
  readonly adminUrl?: string | undefined;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export const EVALUATE_INTERVAL_MS = 10_000;
/** Another node takes over after this time. */
const LEASE_MS = 35_000;

const keyOf = (ruleId: string, channelId: string): string => JSON.stringify([ruleId, channelId]);

const byTenant = <Row extends { readonly tenant: string }>(rows: readonly Row[]) =>
  groupBy(rows, ({ tenant }) => tenant);

const nameOf = ({ id, name }: Channel): AlertEvent['channel'] => (name ? { id, name } : { id });

/** @returns evaluates all rules once, unless another process does */
export function createEvaluator(deps: EvaluatorDeps): () => Promise<void> {
  const { holder, alerts, sources, now, newId, adminUrl } = deps;
  /** Read at most once in an evaluation. */
  const receivers = new Map<string, ReturnType<EvaluatorDeps['receivers']>>();
  const receiversOf = (tenant: string) => {
    const known = receivers.get(tenant) ?? deps.receivers(tenant);
    receivers.set(tenant, known);
    return known;
  };

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

  /** Stores a change of an alert and its event, and sends the event unless the change is silent. @param ids of receivers */
  async function report(change: AlertChange, event: AlertEvent, ids: readonly string[]): Promise<void> {
    const isSent = !event.silenced && ids.length > 0;
    const deliveries = isSent ? deliveriesOf(event, ids, await receiversOf(event.tenant)) : [];
    await alerts.commit(holder, { ...change, event, deliveries });
  }

  async function evaluateOne(
    rule: AlertRule,
    channel: Channel,
    stored: StoredAlert | undefined,
    measurer: Measurer,
    hearing: Hearing,
  ): Promise<void> {
    const { tenant, id: ruleId } = rule;
    const at = now();
    const judgement = judge(rule, await measurer.measure(rule, channel));
    const transition = nextState(stored?.state, judgement, rule, at, hearing);
    const { state, change, isSilent } = transition;
    const known = stored?.state ?? state;
    if (known === undefined || (change === undefined && !isChanged(stored?.state, state))) return;
    const key = { tenant, ruleId, channelId: channel.id, deliveries: [] };
    const { event: first, receivers: told } = stored ?? {};
    const next = (event?: AlertEvent, receivers?: readonly string[]) =>
      state && { state, ...withoutUndefined({ event, receivers }) };
    if (change === undefined) {
      await alerts.commit(holder, { ...key, next: next(first, told) });
      return;
    }
    const id = newId();
    const silenced = isSilent && { silenced: true as const };
    const facts = { id, tenant, alert: first?.id ?? id, state: change, since: known.since, at, ...silenced };
    const judged = await judgeFor(rule, channel, transition, judgement, measurer);
    const valueAtStart = first?.value ?? (change === 'firing' ? judged.value : undefined);
    const reported = valueAtStart === undefined ? judged : { ...judged, valueAtStart };
    const event = makeEvent({ rule, channel: nameOf(channel) }, facts, reported, adminUrl);
    const receivers = change === 'resolved' ? (told ?? rule.webhooks) : rule.webhooks;
    const all = isSilent ? told : [...new Set([...(told ?? []), ...receivers])];
    await report({ ...key, next: next(first ?? event, all) }, event, receivers);
  }

  /** The rule or the channel of an alert was deleted, disabled, or is no longer part of the rule. */
  async function end(stored: StoredAlert, rule: AlertRule | undefined): Promise<void> {
    const { tenant, ruleId, channelId, state, event: first, receivers = rule?.webhooks ?? [] } = stored;
    const change: AlertChange = { tenant, ruleId, channelId, next: undefined, deliveries: [] };
    if (state.phase === 'pending' || first === undefined) return void (await alerts.commit(holder, change));
    const reason = rule === undefined ? 'the rule is no longer active' : 'the channel is no longer checked';
    const text = `Resolved on ${first.channel.name ?? channelId}: ${reason}.`;
    const { silenced: _, ...facts } = first;
    const silenced = state.isHeldBack && { silenced: true as const };
    const event: AlertEvent = { ...facts, ...silenced, id: newId(), at: now(), state: 'resolved', text, reason };
    await report(change, event, receivers);
  }

  async function evaluateTenant(
    rules: readonly AlertRule[],
    channels: readonly Channel[],
    stored: readonly StoredAlert[],
    silences: readonly Silence[],
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
        else {
          const alert = { rule: rule.id, channel: channel.id, labels: labelsOf(channel) };
          const isSilenced = silences.length > 0 && silenceOf(silences, alert, now()) !== undefined;
          const hearing = { isSilenced, isAcknowledged: isAcknowledged(known) };
          await evaluateOne(rule, channel, known, measurer, hearing);
        }
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
    receivers.clear();
    const [rules, stored] = await Promise.all([deps.rules.enabled(), alerts.all()]);
    if (rules.length === 0 && stored.length === 0) return;
    const [rulesOf, alertsOf] = [byTenant(rules), byTenant(stored)];
    const ownChannels = byTenant(await sources.channels());
    const silencesOf = byTenant(await deps.silences.active(now()));
    for (const tenant of new Set([...rulesOf.keys(), ...alertsOf.keys()])) {
      if (!(await lead())) return;
      const own = [rulesOf.get(tenant) ?? [], ownChannels.get(tenant) ?? [], alertsOf.get(tenant) ?? []] as const;
      await evaluateTenant(...own, silencesOf.get(tenant) ?? []).catch((error: unknown) =>
        deps.log('evaluating the alert rules of a tenant failed', { tenant, error }),
      );
    }
  };
}
