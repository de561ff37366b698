// SPDX-License-Identifier: Apache-2.0
// The contract of alert rules, alerts and events.

import { type Static, Type } from 'typebox';
import { closed, filterText, nameField, recordId, time, written } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';
import { DEFAULT_FOR_MINUTES, thresholds as defaults } from './alertValues.ts';

const optional = Type.Optional;
const percent = (value: number, description: string) =>
  optional(Type.Number({ minimum: 0, maximum: 100, default: value, description }));
const minutes = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1440, default: value, description });
const count = (value: number, description: string) =>
  optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: value, description }));

export const alertKind = Type.Enum(['fill', 'ad-server', 'off-air', 'origin', 'creative', 'beacons'], {
  description:
    '`fill`: of breaks. `ad-server`: ad requests that fail. `off-air`: an enabled channel that is not on air. `origin`: of a live channel. `creative`: creatives that cannot be conditioned. `beacons`: late or failed.',
});

const thresholds = {
  belowPercent: percent(defaults.fill.belowPercent, '`fill`: of the time of breaks.'),
  abovePercent: percent(
    defaults.beacons.abovePercent,
    '`ad-server`: of ad requests. `beacons`: of beacons that were sent.',
  ),
  outcome: optional(
    Type.Enum(['failed', 'timeout'], { default: 'failed', description: '`ad-server`: `failed` includes timeouts.' }),
  ),
  minRequests: count(
    defaults['ad-server'].minRequests,
    '`ad-server`: ad requests in a minute; with fewer, the minute is not judged.',
  ),
  when: optional(
    Type.Enum(['failing', 'slate'], {
      default: 'failing',
      description:
        '`origin`: `failing` when an origin fails or stalls, also while a backup replaces it; `slate` when viewers are shown slate in place of it.',
    }),
  ),
  minFailures: count(defaults.creative.minFailures, '`creative`: creatives that fail within `forMinutes`.'),
  minBeacons: count(defaults.beacons.minBeacons, '`beacons`: in a minute; with fewer, failures are not judged.'),
  olderMinutes: optional(
    minutes(defaults.beacons.olderMinutes, '`beacons`: how late the oldest pending beacon may be.'),
  ),
};

export const ruleChannels = Type.Array(recordId, {
  maxItems: 500,
  uniqueItems: true,
  description: 'IDs of channels; empty for all. Each channel has its own alert.',
});
export const ruleWebhooks = Type.Array(recordId, { maxItems: 20, uniqueItems: true, description: 'IDs of webhooks.' });
const forMinutes = minutes(
  DEFAULT_FOR_MINUTES,
  'How long the condition must hold. `creative`: the time in which failures are counted.',
);
const repeatMinutes = optional(
  Type.Integer({ minimum: 5, maximum: 10_080, description: 'Minutes between reminders. Default: no reminders.' }),
);

export const alertRuleBody = named(
  'AlertRuleBody',
  closed(
    {
      id: optional(recordId),
      name: optional(nameField),
      enabled: optional(Type.Boolean({ default: true })),
      kind: alertKind,
      channels: optional(ruleChannels),
      forMinutes: optional(forMinutes),
      repeatMinutes,
      webhooks: optional(ruleWebhooks),
      ...thresholds,
    },
    'An alert rule, as sent in requests.',
  ),
);

export const alertRuleResponse = named(
  'AlertRule',
  Type.Object({
    id: recordId,
    name: nameField,
    enabled: Type.Boolean(),
    kind: alertKind,
    channels: ruleChannels,
    forMinutes,
    repeatMinutes,
    webhooks: ruleWebhooks,
    ...thresholds,
    ...written,
  }),
);

const eventState = Type.Enum(['firing', 'reminder', 'resolved']);

export const alertEvent = named(
  'AlertEvent',
  Type.Object({
    id: Type.String(),
    at: time,
    state: eventState,
    alert: Type.String({ description: 'ID of the event with which the alert started to fire.' }),
    rule: Type.Object({ id: Type.String(), name: Type.String(), kind: alertKind }),
    channel: Type.Object({ id: Type.String(), name: optional(Type.String()) }),
    since: Type.String({ description: 'Since when the condition holds, or held. ISO 8601, UTC.' }),
    value: optional(Type.Number()),
    threshold: optional(Type.Number()),
    unit: optional(Type.Enum(['%', 'min', 'creatives'])),
    text: Type.String({ description: 'One sentence.' }),
    reason: optional(Type.String({ description: 'The most frequent failure, or why the alert was resolved.' })),
    link: optional(Type.String({ description: 'A page of the console. Only if ADMIN_URL is set.' })),
  }),
);

export const alertResponse = named(
  'Alert',
  Type.Object({
    rule: Type.String({ description: 'ID of the rule.' }),
    channel: Type.String({ description: 'ID of the channel.' }),
    state: Type.Enum(['pending', 'firing'], {
      description: '`pending`: the condition has not held for long enough yet.',
    }),
    since: time,
    event: optional(alertEvent),
  }),
);

const text = (description: string) => optional(Type.String({ maxLength: 40, description }));
export const eventQuery = Type.Object({
  rule: filterText(128, 'ID of a rule.'),
  channel: filterText(128, 'ID of a channel.'),
  state: optional(eventState),
  from: text('Start of the range, ISO 8601 or UNIX seconds. Default: all.'),
  to: text('End of the range, exclusive. Default: now.'),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Events per page.' }),
  cursor: text('`x-next-cursor` of the previous page.'),
});

export const streamQuery = Type.Object({
  seconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 300,
    description: 'Length of the response. Then reconnect: keys are checked when a response starts.',
  }),
});

export type AlertRuleBody = Static<typeof alertRuleBody>;
export type AlertRuleResponse = Static<typeof alertRuleResponse>;
export type AlertEventResponse = Static<typeof alertEvent>;
export type AlertResponse = Static<typeof alertResponse>;
