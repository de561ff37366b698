// SPDX-License-Identifier: Apache-2.0
// Alert rules as a form, and in words.
import type { AlertRuleBody, AlertRuleResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import {
  DEFAULT_FOR_MINUTES,
  defaultSeverities,
  type ReceiverType,
  type Severity,
  thresholds,
} from '../../../src/platform/alerts/contract/alertValues.ts';
import type { WebhookResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';

export type AlertKind = AlertRuleBody['kind'];
export const kindLabels: Readonly<Record<AlertKind, string>> = {
  fill: 'Low fill',
  'ad-server': 'Ad server failing',
  'off-air': 'Not on air',
  origin: 'Origin failing',
  creative: 'Creatives failing',
  beacons: 'Beacons late',
};

/** In the order of the form. */
export const numberLabels = {
  belowPercent: 'Below (%)',
  olderMinutes: 'Max. delay (min)',
  abovePercent: 'Above (%)',
  minRequests: 'Min. requests',
  minFailures: 'Min. failures',
  minBeacons: 'Min. beacons',
  forMinutes: 'Duration (min)',
  repeatMinutes: 'Repeat every (min)',
};

type NumberField = keyof typeof numberLabels;

/** The numbers of a kind, with their defaults. */
export function numbersOf(kind: AlertKind): Partial<Record<NumberField, number>> {
  const defaults: Readonly<Record<string, unknown>> = { ...thresholds[kind], forMinutes: DEFAULT_FOR_MINUTES };
  return Object.fromEntries(
    Object.keys(numberLabels).flatMap((name) => (name in defaults ? [[name, defaults[name]]] : [])),
  );
}

export type RuleForm = {
  readonly name: string;
  readonly kind: AlertKind;
  readonly channels: readonly string[];
  readonly labels: readonly string[];
  readonly severity: Severity;
  /** Empty for the page of the kind. */
  readonly runbook: string;
  readonly webhooks: readonly string[];
  /** NaN while a field contains no number. */
  readonly numbers: Readonly<Partial<Record<NumberField, number>>>;
  readonly outcome: 'failed' | 'timeout';
  readonly when: 'failing' | 'slate';
};

export const newRuleForm = (kind: AlertKind = 'fill'): RuleForm => ({
  name: '',
  kind,
  channels: [],
  labels: [],
  severity: defaultSeverities[kind],
  runbook: '',
  webhooks: [],
  numbers: numbersOf(kind),
  outcome: thresholds['ad-server'].outcome,
  when: thresholds.origin.when,
});

export function formOf(rule: AlertRuleResponse): RuleForm {
  const { name, kind, channels, labels, severity, runbook = '', webhooks, repeatMinutes } = rule;
  const { outcome = 'failed', when = 'failing' } = rule;
  const names = Object.keys(numbersOf(kind)) as NumberField[];
  const numbers = Object.fromEntries(names.map((each) => [each, rule[each] ?? numbersOf(kind)[each]]));
  return {
    name,
    kind,
    channels,
    labels,
    severity,
    runbook,
    webhooks,
    outcome,
    when,
    numbers: { ...numbers, ...(repeatMinutes ? { repeatMinutes } : {}) },
  };
}

/** The fields of the kind. */
export function bodyOf(form: RuleForm): AlertRuleBody {
  const { name, kind, channels, labels, severity, runbook, webhooks, numbers, outcome, when } = form;
  const names = [...(Object.keys(numbersOf(kind)) as NumberField[]), 'repeatMinutes' as const];
  const given = names.flatMap((each) => (numbers[each] === undefined ? [] : [[each, numbers[each]]]));
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    kind,
    severity,
    channels: [...channels],
    labels: [...labels],
    webhooks: [...webhooks],
    ...(runbook.trim() === '' ? {} : { runbook: runbook.trim() }),
    ...Object.fromEntries(given),
    ...(kind === 'ad-server' ? { outcome } : {}),
    ...(kind === 'origin' ? { when } : {}),
  };
}

type NameOf = (channelId: string) => string;

/** What a rule checks, such as `Fill below 80% for 5 minutes on News`. */
export function ruleInWords(rule: AlertRuleBody, nameOf: NameOf): string {
  const { kind, forMinutes = DEFAULT_FOR_MINUTES, channels = [], labels = [] } = rule;
  const what = {
    fill: `Fill below ${rule.belowPercent}%`,
    'ad-server': `${rule.outcome === 'timeout' ? 'Ad request timeouts' : 'Failed ad requests'} above ${rule.abovePercent}%`,
    'off-air': 'Not on air',
    origin: rule.when === 'slate' ? 'Slate instead of the origin' : 'Origin failing',
    creative: `At least ${rule.minFailures} failed creative${rule.minFailures === 1 ? '' : 's'}`,
    beacons: `Beacons more than ${rule.olderMinutes} minutes late, or ${rule.abovePercent}% failed,`,
  }[kind];
  const minutes = `${forMinutes} minute${forMinutes === 1 ? '' : 's'}`;
  const places = [...labels.map((label) => `channels with the label ${label}`), ...channels.map(nameOf)];
  const where = places.length === 0 ? 'any channel' : places.join(', ');
  return `${what} ${kind === 'creative' ? 'within' : 'for'} ${minutes} on ${where}`;
}

type Receiver = Pick<WebhookResponse, 'id' | 'type' | 'description' | 'url' | 'to'>;

export const receiverLabels: Readonly<Record<ReceiverType, string>> = {
  webhook: 'Webhook',
  email: 'E-mail',
  slack: 'Chat',
  pagerduty: 'Paging service',
};

/** What operators know a receiver by: its description, or where it sends to, which not all of them may read. */
export const webhookName = ({ id, type, description, url, to }: Receiver): string =>
  description || to?.join(', ') || (type === 'webhook' ? url?.replace(/^https?:\/\//, '') : undefined) || id;
