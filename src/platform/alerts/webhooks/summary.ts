// SPDX-License-Identifier: Apache-2.0
// What a message says about the events of a group, whatever its format: one line each, what to do and where to look.
import { withoutUndefined } from '../../../invariant.ts';
import type { AlertEventResponse } from '../contract/alertContract.ts';
import { consoleUrl, minuteInWords, type Severity, valuesInWords, withUnit } from '../contract/alertValues.ts';

/** At least one. */
export type Events = readonly [AlertEventResponse, ...AlertEventResponse[]];

export type Summary = {
  /** One sentence. */
  readonly title: string;
  readonly state: AlertEventResponse['state'];
  readonly severity: Severity;
  /** Name and value, such as `Severity` and `critical`. */
  readonly facts: readonly (readonly [string, string])[];
  /** Of a group: a line for each channel, and how many are not listed. */
  readonly lines: readonly string[];
  readonly link?: string;
  readonly runbook?: string;
};

const MAX_NAMED = 2;
const MAX_LINES = 20;

/** At most so many characters, without half of a character at the end, which receivers reject. */
export const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** Names may contain line breaks, which must not look like lines of a message. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const nameOf = ({ channel }: AlertEventResponse): string => channel.name ?? channel.id;

/** The latest event of each channel: one may have fired twice within a group. */
function latest(events: Events): Events {
  const [first, ...rest] = events;
  const byChannel = new Map([[first.channel.id, first]]);
  for (const event of rest) byChannel.set(event.channel.id, event);
  const [head = first, ...others] = byChannel.values();
  return [head, ...others];
}

function valuesOf(event: AlertEventResponse): string | undefined {
  const [values, { threshold, unit }] = [valuesInWords(event), event];
  return values && threshold !== undefined ? `${values} (threshold ${withUnit(threshold, unit)})` : values;
}

/** Such as `12 channels: News, Sports and 10 more`. */
function channelsInWords(names: readonly string[]): string {
  // "1 more" would be as long as a name.
  const named = names.slice(0, names.length === MAX_NAMED + 1 ? MAX_NAMED + 1 : MAX_NAMED);
  const rest = names.length - named.length;
  return `${names.length} channels: ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

const prefixes = { firing: '', reminder: 'Still firing: ', resolved: 'Resolved: ' } as const;

export function summarize(all: Events, adminUrl: string | undefined): Summary {
  const events = latest(all);
  const [first] = events;
  const { state, severity, rule, runbook } = first;
  const isOne = events.length === 1;
  const since = events.map((event) => event.since).sort()[0] ?? first.since;
  const values = isOne ? valuesOf(first) : undefined;
  const link = isOne ? first.link : adminUrl && consoleUrl(adminUrl, '#/alerts');
  const lines = events.slice(0, MAX_LINES).map((event) => {
    const details = [valuesOf(event), event.reason].filter((text) => text !== undefined).join(', ');
    return oneLine(`${nameOf(event)}${details === '' ? '' : `: ${details}`}`);
  });
  if (events.length > MAX_LINES) lines.push(`and ${events.length - MAX_LINES} more`);
  return {
    title: oneLine(isOne ? first.text : `${prefixes[state]}${rule.name} on ${channelsInWords(events.map(nameOf))}.`),
    state,
    severity,
    facts: [
      ['Severity', severity],
      ['Since', minuteInWords(since)],
      ...(values === undefined ? [] : [['Value', values] as const]),
      ['Rule', oneLine(rule.name)],
    ],
    lines: isOne ? [] : lines,
    ...withoutUndefined({ link, runbook }),
  };
}
