// SPDX-License-Identifier: Apache-2.0
// Playback of a programme without editions: a list of spans that grows at its end and discards its oldest ones, like that of a
// live origin.
import { expect, test } from 'vitest';
import { readHls } from '../../../test/laws/readBack.ts';
import { airingOf, decide, hlsOf, syntheticChannel, viewerOf } from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { millis } from '../../time/units.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { isBreakSpan, type Span, spanEnd, spanStart } from '../../timeline/programme/span.ts';
import { markVoidDecisions } from '../viewers/choicesOf.ts';
import { viewAt } from './view.ts';

const start = Date.parse('2026-03-01T00:00:00.000Z');
const asset = twoSecondAsset('a', 10);
const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 10, maxDuration: 10 }] }], start);

function growing() {
  let spans: Span[] = [];
  let cancelled: string | undefined;
  let revision = 0;
  const programme: Programme = {
    startedAt: millis(start),
    changes: [],
    lag: 0,
    edgeAt: (now) => now,
    listedAt: (instant) => instant,
    get historyFrom() {
      return spanStart(spans[0]!);
    },
    get revision() {
      return revision;
    },
    spansBetween: (from, to) => spans.filter((span) => spanEnd(span) > from && spanStart(span) < to),
    isOnSchedule: (id) => id !== cancelled,
    breakSpan: (id) => spans.filter(isBreakSpan).find((span) => span.break.id === id),
  };
  return {
    programme,
    /** Lists what has started by now and discards what ended more than five minutes ago. */
    grow(now: number) {
      spans = channel.programme.spansBetween(millis(Math.max(start, now - 300_000)), millis(now)).map((span) => {
        const id = `origin:${span.discontinuity}`;
        return isBreakSpan(span) ? { ...span, id, break: { ...span.break, id } } : { ...span, id };
      });
    },
    cancel(id: string) {
      cancelled = id;
      revision += 1;
    },
  };
}

test('segments keep their numbers while a programme grows, discards old spans and has its breaks filled', () => {
  const { programme, grow } = growing();
  const airing = { ...airingOf(channel, 60), programme };
  const viewer = viewerOf(airing, start);
  const decider = { begin: () => {}, settle: async () => {} };
  const known = new Map<number, string>();
  for (let now = start + 61_000; now < start + 900_000; now += 2000) {
    grow(now);
    for (const span of programme.spansBetween(millis(start), millis(now))) {
      const isDecided = viewer.state.decisions.some(({ breakId }) => breakId === span.break?.id);
      if (span.break === undefined || isDecided) continue;
      const ads = [{ adId: `${span.id}-0`, mediaId: 'ad-x120', frames: 120 }];
      decide({ ...channel, programme }, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
    }
    const view = viewAt(airing, viewer, decider, millis(now));
    if (view instanceof Promise) throw new Error('a break was not decided');
    const { segments } = readHls(hlsOf(view, 0));
    for (const { number, uri, date, duration, discontinuity } of segments) {
      const facts = `${uri} ${date} ${duration} ${discontinuity}`;
      expect(known.get(number) ?? facts).toBe(facts);
      known.set(number, facts);
    }
  }
  expect(known.size).toBeGreaterThan(300);
  expect([...known.values()].some((facts) => facts.includes('ad-x120'))).toBe(true);
});

test('a decision for a cancelled break is void', () => {
  const { programme, grow, cancel } = growing();
  grow(start + 120_000);
  const airing = { ...airingOf(channel, 60), programme };
  const { state } = viewerOf(airing, start);
  const shift = { segments: [1, 1], discontinuities: 1 };
  const decisions = ['origin:1', 'origin:4'].map((breakId) => ({
    breakId,
    startsAt: start,
    joined: 0,
    ads: [],
    shift,
  }));
  cancel('origin:4');
  const marked = markVoidDecisions(airing, { ...state, decisions });
  expect(marked.decisions.map(({ isVoid = false }) => isVoid)).toEqual([false, true]);
});
