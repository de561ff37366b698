// SPDX-License-Identifier: Apache-2.0
// What a fault during playback proves. On a machine with idle time it is a fault of the stream. On a busy machine its cause is
// unknown: then the test fails because it has judged nothing. No fault passes.
import { type BusyTime, busyTimesBefore } from './machineLoad.ts';

/** Something that a viewer would notice. */
export type Fault = {
  /** A clause of a sentence, for example "playback stalled for 1.2 s". */
  readonly what: string;
  /** When it ended, in milliseconds since 1970. */
  readonly wall: number;
  /** How long it lasted, in milliseconds; default 0. */
  readonly length?: number;
  /** "stream": no load causes it. "machine": no stream causes it. Default: depends on the load at that time. */
  readonly cause?: 'stream' | 'machine';
};

export type Verdict = {
  /** What the stream has caused. */
  readonly faults: readonly string[];
  /** Why the rest cannot be judged: a sentence that starts with "Not judged: ". */
  readonly notJudged?: string;
};

/** In the sentence; the others are counted. */
const NAMED = 3;

function sentenceOf(unclear: readonly { readonly what: string; readonly busy: readonly BusyTime[] }[]): string {
  const rest = unclear.length - NAMED;
  const named = unclear.slice(0, NAMED).map(({ what }) => what);
  const parts = rest > 0 ? [...named, `${rest} more faults occurred`] : named;
  const what = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  const shares = unclear.flatMap(({ busy }) => busy.map(({ idle }) => idle));
  const load =
    shares.length === 0 ? '' : ` while ${Math.round(100 * Math.min(...shares))} % of the processors were idle`;
  return `Not judged: ${what}${load}. Run this file alone on an idle machine.`;
}

export function judgeFaults(faults: readonly Fault[], busy: readonly BusyTime[]): Verdict {
  const seen = faults.map(({ what, wall, length, cause }) => {
    const times = busyTimesBefore(busy, wall, length);
    return { what, busy: times, isStream: cause === 'stream' || (cause === undefined && times.length === 0) };
  });
  const unclear = seen.filter(({ isStream }) => !isStream);
  return {
    faults: seen.filter(({ isStream }) => isStream).map(({ what }) => what),
    ...(unclear.length > 0 ? { notJudged: sentenceOf(unclear) } : {}),
  };
}
