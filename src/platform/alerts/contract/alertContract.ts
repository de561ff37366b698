// SPDX-License-Identifier: Apache-2.0
// The contract of alert rules, alerts and events.

import { type Static, Type } from 'typebox';
import {
  allOptional,
  filterText,
  integer,
  labelsField,
  list,
  nameField,
  number,
  oneOf,
  recordId,
  text,
  time,
  written,
} from '../../../http/contract/commonContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';
import { DEFAULT_FOR_MINUTES, thresholds as defaults, severities } from './alertValues.ts';

const optional = Type.Optional;
const percent = (value: number, description: string) =>
  number(description, { minimum: 0, maximum: 100, default: value });
const minutes = (value: number, description: string) =>
  integer(description, { minimum: 1, maximum: 1440, default: value });
const count = (value: number, description: string) =>
  integer(description, { minimum: 1, maximum: 1_000_000, default: value });

const alertKind = oneOf(
  ['fill', 'ad-server', 'off-air', 'origin', 'creative', 'beacons'],
  '`fill`: of breaks. `ad-server`: ad requests that fail. `off-air`: an enabled channel that is not on air. `origin`: of a live channel. `creative`: creatives that cannot be conditioned. `beacons`: late or failed.',
);

const thresholds = allOptional({
  belowPercent: percent(defaults.fill.belowPercent, '`fill`: of the time of breaks.'),
  abovePercent: percent(
    defaults.beacons.abovePercent,
    '`ad-server`: of ad requests. `beacons`: of beacons that were sent.',
  ),
  outcome: oneOf(['failed', 'timeout'], '`ad-server`: `failed` includes timeouts.', { default: 'failed' }),
  minRequests: count(
    defaults['ad-server'].minRequests,
    '`ad-server`: ad requests in a minute; with fewer, the rule fires while `problems` of the channel say that its ad server fails.',
  ),
  when: oneOf(
    ['failing', 'slate'],
    '`origin`: `failing` when an origin fails or stalls, also while a backup replaces it; `slate` when viewers are shown slate in place of it.',
    { default: 'failing' },
  ),
  minFailures: count(defaults.creative.minFailures, '`creative`: creatives that fail within `forMinutes`.'),
  minBeacons: count(defaults.beacons.minBeacons, '`beacons`: in a minute; with fewer, failures are not judged.'),
  olderMinutes: minutes(defaults.beacons.olderMinutes, '`beacons`: how late the oldest pending beacon may be.'),
});

export const ruleChannels = list(
  recordId,
  'IDs of channels; without ids and labels, all are checked. Each channel has its own alert.',
  {
    maxItems: 500,
    uniqueItems: true,
  },
);
export const ruleWebhooks = list(recordId, 'IDs of webhooks.', { maxItems: 20, uniqueItems: true });
const labels = {
  ...labelsField,
  description:
    'Channels that have one of these labels are checked, in addition to `channels`. Case-insensitive; at most 20.',
};
const severity = oneOf([...severities], '`critical` wakes somebody up. The default depends on the kind.');
const runbook = optional(
  text('An http or https URL. Default: the page of the console for the kind of the rule.', { maxLength: 2048 }),
);
const forMinutes = minutes(
  DEFAULT_FOR_MINUTES,
  'How long the condition must hold. `creative`: the time in which failures are counted.',
);
const repeatMinutes = optional(
  integer('Minutes between reminders. Default: no reminders.', { minimum: 5, maximum: 10_080 }),
);

export const alertRuleBody = namedBody('AlertRuleBody', 'An alert rule, as sent in requests.', {
  id: optional(recordId),
  name: optional(nameField),
  enabled: optional(Type.Boolean({ default: true })),
  kind: alertKind,
  channels: optional(ruleChannels),
  labels: optional(labels),
  severity: optional(severity),
  runbook,
  forMinutes: optional(forMinutes),
  repeatMinutes,
  webhooks: optional(ruleWebhooks),
  ...thresholds,
});

export const alertRuleResponse = namedObject('AlertRule', {
  id: recordId,
  name: nameField,
  enabled: Type.Boolean(),
  kind: alertKind,
  channels: ruleChannels,
  labels,
  severity,
  runbook,
  forMinutes,
  repeatMinutes,
  webhooks: ruleWebhooks,
  ...thresholds,
  ...written,
});

const unit = Type.Enum(['%', 'min', 'creatives']);
const eventState = Type.Enum(['firing', 'reminder', 'resolved']);

export const alertEvent = namedObject('AlertEvent', {
  id: Type.String(),
  at: time,
  state: eventState,
  alert: text('ID of the event with which the alert started to fire.'),
  rule: Type.Object({ id: Type.String(), name: Type.String(), kind: alertKind }),
  channel: Type.Object({ id: Type.String(), name: optional(Type.String()) }),
  since: text('Since when the condition holds, or held. ISO 8601, UTC.'),
  severity,
  value: optional(Type.Number()),
  valueAtStart: optional(number('The value with which the alert started to fire.')),
  threshold: optional(Type.Number()),
  unit: optional(unit),
  text: text('One sentence.'),
  reason: optional(text('The most frequent failure, or why the alert was resolved.')),
  link: optional(text('A page of the console. Only if ADMIN_URL is set.')),
  runbook: optional(
    text('What to do: the URL of the rule, or a page of the console. The latter only if ADMIN_URL is set.'),
  ),
  silenced: optional(Type.Literal(true, { description: 'It was not sent.' })),
});

const alertState = oneOf(['pending', 'firing'], '`pending`: the condition has not held for long enough yet.');
const acknowledgement = Type.Object({ by: text('E-mail address.'), at: time }, { description: 'Stops reminders.' });
const silencedUntil = Type.Object(
  { id: text('ID of the silence.'), by: text('E-mail address.'), until: time },
  { description: 'Nothing is sent until then.' },
);

export const alertResponse = namedObject('Alert', {
  id: optional(text('Only while it fires: ID of the event with which it started to.')),
  rule: text('ID of the rule.'),
  channel: text('ID of the channel.'),
  state: alertState,
  severity,
  since: time,
  value: optional(number('The current value; at most a minute old.')),
  event: optional(alertEvent),
  acknowledged: optional(acknowledgement),
  silenced: optional(silencedUntil),
});

export const alertQuery = Type.Object({
  rule: filterText(128, 'ID of a rule.'),
  channel: filterText(128, 'ID of a channel.'),
  state: optional(alertState),
  severity: optional(severity),
});

const short = (description: string) => optional(text(description, { maxLength: 40 }));
export const eventQuery = Type.Object({
  rule: filterText(128, 'ID of a rule.'),
  channel: filterText(128, 'ID of a channel.'),
  state: optional(eventState),
  from: short('Start of the range, ISO 8601 or UNIX seconds. Default: all.'),
  to: short('End of the range, exclusive. Default: now.'),
  limit: integer('Events per page.', { minimum: 1, maximum: 1000, default: 100 }),
  cursor: short('`x-next-cursor` of the previous page.'),
});

export const streamQuery = Type.Object({
  seconds: integer('Length of the response. Then reconnect: keys are checked when a response starts.', {
    minimum: 1,
    maximum: 3600,
    default: 300,
  }),
});

export type AlertRuleBody = Static<typeof alertRuleBody>;
export type AlertRuleResponse = Static<typeof alertRuleResponse>;
export type AlertEventResponse = Static<typeof alertEvent>;
export type AlertResponse = Static<typeof alertResponse>;
