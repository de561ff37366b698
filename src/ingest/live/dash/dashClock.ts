// SPDX-License-Identifier: Apache-2.0
// The clock of a live MPD: the local one, corrected by UTCTiming (ISO/IEC 23009-1 5.8.4.11). Only the clock states which
// segments of equal duration are available.
import type { LiveMpd } from '../../../dash/read/live/liveMpd.ts';
import { readInstant } from '../../../dash/read/live/liveTimes.ts';
import { type Flicks, flicks, type Millis, millis } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { Origin } from '../../ports.ts';
import { shortUrl } from '../../source/mediaReader.ts';

export type DashClock = {
  now(): Instant;
  /**
   * Measures the difference of the clocks, unless it did so a short time ago.
   * @param receivedAt when the MPD was received, for a time that it contains
   * @returns a warning if the local clock is used although the MPD names another
   */
  set(timing: LiveMpd['timing'], receivedAt: Millis, signal?: AbortSignal): Promise<string | undefined>;
};

const VALID_MS = 10 * 60_000;
const RETRY_MS = 30_000;
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 4096;

/** With the year of the specification left out. */
const schemes = /^urn:mpeg:dash:utc:(http-iso|http-xsdate|http-head|direct):20\d\d$/;

export function createDashClock(origin: Origin, now: () => Millis): DashClock {
  let offset = 0;
  let until = Number.NEGATIVE_INFINITY;
  let warning: string | undefined;

  async function remote(url: string, isHead: boolean, signal: AbortSignal | undefined): Promise<number | string> {
    const sent = now();
    const read = await origin.read(url, {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...(signal && { signal }),
    });
    const middle = (sent + now()) / 2;
    if (!read.ok) return `${shortUrl(url)} ${read.reason}`;
    const text = isHead ? (read.date ?? '') : new TextDecoder().decode(read.bytes).trim();
    const at = isHead ? Date.parse(text) + 500 : readInstant(text)?.millis;
    if (at === undefined || Number.isNaN(at)) return `${shortUrl(url)} returned no date`;
    return Math.round(at - middle);
  }

  async function measure(
    timing: LiveMpd['timing'],
    receivedAt: Millis,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const problems: string[] = [];
    for (const { scheme, value } of timing) {
      const kind = schemes.exec(scheme)?.[1];
      if (kind === undefined) problems.push(`UTCTiming with the scheme "${scheme.slice(0, 60)}" is not supported`);
      else if (kind === 'direct') {
        const at = readInstant(value);
        if (at !== undefined) return succeed(at.millis - receivedAt);
        problems.push('UTCTiming@value must be a date and time');
      } else {
        for (const url of value.split(/\s+/).filter((each) => URL.canParse(each))) {
          const measured = await remote(url, kind === 'http-head', signal);
          if (typeof measured === 'number') return succeed(measured);
          problems.push(measured);
        }
      }
    }
    until = now() + RETRY_MS;
    warning = problems.length === 0 ? undefined : `${problems.slice(0, 3).join('; ')}; the local clock is used`;
  }

  function succeed(measured: number): void {
    offset = measured;
    until = now() + VALID_MS;
    warning = undefined;
  }

  return {
    now: () => ({ millis: millis(now() + offset), rest: flicks(0) as Flicks }),
    async set(timing, receivedAt, signal) {
      if (timing.length > 0 && now() >= until) await measure(timing, receivedAt, signal);
      return warning;
    },
  };
}
