// SPDX-License-Identifier: Apache-2.0
// What the calls of both hooks have in common: the session and the break in their bodies, and how answers are read.
import { plainAddress } from '../../ads/request/buildAdRequest.ts';
import type { AdRequestBreak, AdRequestSession } from '../../ads/request/requestVariables.ts';
import { type Fields, isFields } from '../../channels/fieldsOf.ts';
import { isoText } from '../../time/units.ts';

/** The timeout of hooks that state none. */
export const HOOK_TIMEOUT_MS = 300;

export type HookFacts = { readonly session: AdRequestSession; readonly adBreak: AdRequestBreak };

/** `session` and `break` of a body. `startsAt` is ISO 8601, `duration` in seconds. */
export function hookFacts({ session, adBreak }: HookFacts) {
  const { id, channelId: channel, parameters, viewer } = session;
  const { startsAt, duration, maxAds, position } = adBreak;
  return {
    session: { id, channel, parameters, address: plainAddress(viewer.address), userAgent: viewer.userAgent },
    // Fields that are undefined are not in JSON.
    break: { id: adBreak.id, startsAt: isoText(startsAt), duration, maxAds, position },
  };
}

/** Characters of an answer that a trace quotes. */
const MAX_QUOTED = 100;
/** Sentences of one call in a trace. */
const MAX_SENTENCES = 20;

export const quoted = (text: string): string =>
  `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}"`;

export const limited = (sentences: readonly string[]): string[] =>
  sentences.length <= MAX_SENTENCES
    ? [...sentences]
    : [...sentences.slice(0, MAX_SENTENCES), `There are ${sentences.length - MAX_SENTENCES} more.`];

/** The fields of an answer, or what is wrong with it, after the name of the hook. An empty answer has no fields. */
export function readHookAnswer(bytes: Uint8Array): Fields | string {
  if (bytes.length === 0) return {};
  try {
    const answer: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isFields(answer) ? answer : 'returned JSON that is not an object';
  } catch {
    return 'returned a body that is not JSON';
  }
}
