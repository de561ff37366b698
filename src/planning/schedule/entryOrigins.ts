// SPDX-License-Identifier: Apache-2.0
// What the origins of live entries play. An analysis is shared by plannings, dry runs and the recorder.
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import type { PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import { type Clock, within } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { AnalyseOrigin } from '../live/planLiveChannel.ts';
import type { FindOrigin } from './scheduleWindow.ts';

type Verdict = PlayableOrigin | { readonly problem: string };
type Analysis = { readonly at: Millis; readonly verdict: Promise<Verdict>; known?: Verdict };

/** Milliseconds: for how long an analysis is used, and one that found a problem. */
const KEPT_MS = 600_000;
const RETRY_MS = 15_000;
/** An origin with a problem is analysed again after this time, if it was used within the other. */
const REPEATED_MS = 60_000;
const ASKED_MS = 2 * 3_600_000;
/** A planning waits so long for an origin, and is repeated when it is known. */
const WAIT_MS = 3000;
/** Origins. */
const MAX_KNOWN = 1000;
const problemOf = (verdict: Verdict): string | undefined => ('problem' in verdict ? verdict.problem : undefined);
const UNKNOWN: Verdict = { problem: 'its origin is being analysed' };

type EntryOriginsDeps = Clock & {
  readonly analyse: AnalyseOrigin;
  /** Plans a channel again whose planning had another answer. */
  readonly onChanged: (channel: ChannelRef) => void;
};

export function createEntryOrigins({ analyse, onChanged, now, timers }: EntryOriginsDeps) {
  const analyses = new Map<string, Analysis>();
  /** The problems that channels were given, by origin and channel. */
  const answers = new Map<
    string,
    Map<string, { readonly channel: ChannelRef; readonly problem: string | undefined }>
  >();
  const askedAt = new Map<string, Millis>();

  async function verdictOf(url: string): Promise<Verdict> {
    const found = await analyse(url).catch((error: unknown) => ({ playable: undefined, problems: [String(error)] }));
    return found.playable ?? { problem: found.problems.join('; ') };
  }

  function begin(url: string): Analysis {
    if (analyses.size >= MAX_KNOWN) for (const known of [analyses, answers, askedAt]) known.clear();
    const made: Analysis = { at: now(), verdict: verdictOf(url) };
    analyses.set(url, made);
    void made.verdict.then((verdict) => {
      made.known = verdict;
      for (const { channel, problem } of answers.get(url)?.values() ?? [])
        if (problem !== problemOf(verdict)) onChanged(channel);
    });
    return made;
  }

  const find: FindOrigin = async (channel, url) => {
    askedAt.set(url, now());
    const last = analyses.get(url);
    const lifetime = last?.known !== undefined && 'problem' in last.known ? RETRY_MS : KEPT_MS;
    const isKept = last !== undefined && (last.known === undefined || last.at > millis(now() - lifetime));
    const analysis = isKept ? last : begin(url);
    const verdict = analysis.known ?? (await within(timers, WAIT_MS, analysis.verdict)) ?? UNKNOWN;
    const own = answers.get(url) ?? new Map();
    answers.set(url, own);
    own.set(channelKey(channel), { channel, problem: problemOf(verdict) });
    return verdict;
  };
  return {
    find,
    /** Analyses origins with problems again when that is due. Call it every second. */
    repeat(): void {
      for (const [url, { at, known }] of analyses) {
        const isDue = known !== undefined && 'problem' in known && at < now() - REPEATED_MS;
        if (isDue && (askedAt.get(url) ?? 0) > now() - ASKED_MS) begin(url);
      }
    },
  };
}
