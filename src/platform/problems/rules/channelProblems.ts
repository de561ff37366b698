// SPDX-License-Identifier: Apache-2.0
// What is wrong on a channel, in sentences for ad operations, worst first: it does not play as configured, its ad server fails,
// creatives cannot be prepared.
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelProblem } from '../../../http/contract/statusContract.ts';
import type { ChannelFailures } from '../../../ingest/creatives/creativeJobs.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { isoText, type Millis } from '../../../time/units.ts';
import type { FailingServer } from './ports.ts';
import { failureText } from './serverHealth.ts';

export type ChannelFacts = {
  readonly servers: readonly FailingServer[];
  readonly creatives?: ChannelFailures | undefined;
  /** Why it does not play as configured. */
  readonly state?: { readonly text: string; readonly since?: Millis } | undefined;
  /** Of the last hour; undefined if it is not known. */
  readonly fillRate?: number | undefined;
  readonly adsLost?: number | undefined;
};

/** Servers that wrappers name may all fail at once. */
const MAX_SERVERS = 3;

const endsSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The host that requests go to; undefined if it depends on macros. */
function hostOf(url: string): string | undefined {
  const [, host] = /^https?:\/\/(?:[^/?#]*@)?([\w.:-]+)(?:[/?#]|$)/i.exec(url) ?? [];
  return host === undefined || !URL.canParse(url) ? undefined : new URL(url).host;
}

/** False if the channel has had another ad server since, or none. What fails of a source of a step is current until it is forgotten. */
export function isCurrent(
  { asked, adServer }: FailingServer,
  { adSource, adSteps = [] }: Pick<Channel, 'adSource' | 'adSteps'>,
): boolean {
  if (adSteps.length > 0) return true;
  if (adSource === undefined) return false;
  const host = hostOf(adSource.url);
  return asked === 'wrapper' || host === undefined || host === adServer;
}

/** Without its period. */
export function serverText({ asked, adServer, failure }: FailingServer): string {
  const what = failureText(failure);
  return asked === 'source' ? `The ad server ${adServer} ${what}` : `${adServer}, to which wrappers lead, ${what}`;
}

function creativeText({ count, name, reason }: ChannelFailures): string {
  if (count > 1) return `${count} creatives cannot be prepared.`;
  return endsSentence(`The creative ${name ?? 'of an ad'} cannot be prepared${reason ? `: ${reason}` : ''}`);
}

export function problemsOf(channel: Pick<Channel, 'adSource' | 'adSteps'>, facts: ChannelFacts): ChannelProblem[] {
  const { servers, creatives, state, fillRate, adsLost } = facts;
  const problems: ChannelProblem[] = [];
  if (state !== undefined) {
    const since = state.since === undefined ? undefined : isoText(state.since);
    problems.push({ kind: 'state', text: endsSentence(state.text), ...withoutUndefined({ since }) });
  }
  const sorted = servers
    .filter((server) => isCurrent(server, channel))
    .toSorted((a, b) => (a.asked === b.asked ? a.since - b.since : a.asked === 'source' ? -1 : 1));
  for (const server of sorted.slice(0, MAX_SERVERS)) {
    const { since, adServer } = server;
    const failing = {
      kind: 'ad-server',
      since: isoText(since),
      text: endsSentence(serverText(server)),
      adServer,
    } as const;
    problems.push({ ...failing, ...withoutUndefined({ fillRate }) });
  }
  if (creatives !== undefined) {
    const { since, count, failing } = creatives;
    const counted = { since: isoText(since), creatives: count, failing, ...withoutUndefined({ adsLost }) };
    problems.push({ kind: 'creative', text: creativeText(creatives), ...counted });
  }
  return problems;
}
