// SPDX-License-Identifier: Apache-2.0
// The reader of live HLS origins, on the origin of the tests: it finds all segments and all breaks.
import { expect, test } from 'vitest';
import { createEgressGuard } from '../../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../../src/adapters/http/httpOrigin.ts';
import { readMultivariant } from '../../../src/hls/readMultivariant.ts';
import { createHlsOriginReader } from '../../../src/ingest/live/hls/createHlsOriginReader.ts';
import { renditionKeys } from '../../../src/ingest/live/hls/renditionKeys.ts';
import type { RungSource } from '../../../src/live/feed.ts';
import type { OriginReading } from '../../../src/live/origin.ts';
import { flicksToMillis, flicksToSeconds } from '../../../src/time/units.ts';
import { after } from '../../../src/timeline/programme/span.ts';
import { naming } from '../../naming.ts';
import type { LiveOrigin, LiveOriginSetup } from './liveOrigin.ts';
import { hlsMarkers } from './markers/hlsMarkers.ts';
import { readFrom } from './memoryOrigin.ts';
import { startOriginOfTest } from './originOfTest.ts';

/** Rungs as a feed has them; the reader uses only these fields. */
async function rungsOf(url: string): Promise<RungSource[]> {
  const multivariant = readMultivariant(await (await fetch(url)).text(), url);
  if ('refused' in multivariant) throw new Error(multivariant.refused);
  return renditionKeys(multivariant).map(({ key }) => {
    const kind = key.startsWith('v:') ? 'video' : key.startsWith('audio') ? 'audio' : 'text';
    return {
      key,
      kind,
      container: 'fmp4',
      codecs: '',
      bandwidth: 1,
      averageBandwidth: 1,
      timescale: kind === 'audio' ? 48_000 : 90_000,
    };
  });
}

async function start(setup: Partial<LiveOriginSetup>, path: (live: LiveOrigin) => string = ({ hlsUrl }) => hlsUrl) {
  const { clock, origin: live } = await startOriginOfTest(setup);
  const origin = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }));
  const rungs = await rungsOf(live.hlsUrl);
  const serves = setup.packaging === 'ts' || setup.encryption ? 'hls' : 'both';
  const reader = createHlsOriginReader({ origin, feed: { url: path(live), rungs, serves }, now: clock.now });
  return { clock, live, rungs, reader, read: () => readFrom(reader) };
}

test.each<[string, Partial<LiveOriginSetup>]>([
  ['CMAF with subtitles and two languages', { subtitles: 'vtt', languages: ['en', 'sv'], gzips: true }],
  ['MPEG-TS', { packaging: 'ts' }],
  ['encrypted MPEG-TS', { packaging: 'ts', encryption: { rotation: 3 } }],
  ['byte ranges', { byteRanges: true }],
  ['variables, and a date at the first segment only', { defines: true, dates: 'first' }],
  ['a cookie', { access: 'cookie' }],
  ['tokens that change', { access: 'token' }],
])('finds every segment: %s', async (_name, setup) => {
  const { clock, live, rungs, reader, read } = await start(setup, ({ hlsUrl }) =>
    hlsUrl.replace('/master', '/moved/master'),
  );
  const seen = rungs.map(() => new Map<number, string>());
  const dates = rungs.map(() => new Map<number, number>());
  for (let poll = 0; poll < 30; poll += 1) {
    const reading = await read();
    for (const [rung, { segments }] of (reading?.renditions ?? []).entries()) {
      for (const { number, startsAt, media, keys } of segments) {
        const iv = keys?.map((key) => /IV=0x0*([0-9a-f]+)$/.exec(key)?.[1]);
        expect(iv).toEqual(setup.encryption && rungs[rung]!.kind !== 'text' ? [number.toString(16)] : undefined);
        const text = JSON.stringify([media.url.split('?')[0], media.range, iv]);
        expect(seen[rung]!.get(number) ?? text).toBe(text);
        seen[rung]!.set(number, text);
        // Dates are written in milliseconds, and sound has borders between them.
        const date = startsAt!.millis;
        expect(Math.abs((dates[rung]!.get(number) ?? date) - date)).toBeLessThanOrEqual(1);
        dates[rung]!.set(number, date);
      }
    }
    clock.at += 1300;
  }
  expect(reader.targetDuration()).toBe(2);
  // Of three readings, one finds that nothing has changed.
  expect(live.requests.filter(({ status }) => status === 304).length).toBeGreaterThan(8);
  for (const one of seen) {
    const numbers = [...one.keys()];
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    expect(numbers.length).toBeGreaterThan(18);
  }
});

test('reads media times where they are needed, and makes dates as exact', async () => {
  const { clock, live, rungs, read } = await start({ window: 40, history: 120, dates: 'truncated', mediaTime: 'unix' });
  const run = live.broadcast.runs[0]!;
  const heads = () => live.count(/\.m4s$/);
  const expectExact = (reading: OriginReading | undefined) => {
    for (const [rung, { segments }] of reading!.renditions.entries()) {
      const { timescale, kind } = rungs[rung]!;
      for (const { number, mediaTime } of segments) {
        const index = number - run.firstNumber;
        const late = mediaTime! - (live.broadcast.mediaMsOf(run, index) * timescale) / 1000;
        // Sound starts beside the border of the picture.
        expect(Math.abs(late)).toBeLessThanOrEqual(kind === 'audio' ? 0.022 * timescale : 1);
      }
    }
    const [own, ...others] = reading!.renditions;
    const misfits = others.flatMap(({ segments }) =>
      segments.map(({ startsAt }, index) => Math.abs(startsAt!.millis - own!.segments[index]!.startsAt!.millis)),
    );
    expect(Math.max(...misfits)).toBeLessThanOrEqual(23);
  };
  expectExact(await read());
  const atFirst = heads();
  expect(atFirst).toBeLessThanOrEqual(rungs.length * 2);
  clock.at += 10_000;
  expectExact(await read());
  expect(heads()).toBe(atFirst);
  run.discontinuities.add(live.broadcast.edgeAt(run, clock.at) + 2);
  clock.at += 10_000;
  expectExact(await read());
  expect(heads()).toBe(atFirst + rungs.length);
});

test.each(['first', 'all'] as const)(
  'reads each media time if durations are whole seconds, with dates: %s',
  async (dates) => {
    const { clock, live, rungs, read } = await start({ window: 12, dates });
    const run = live.broadcast.runs[0]!;
    // After it, no segment of the same stretch shows how long the first one is.
    run.discontinuities.add(live.broadcast.edgeAt(run, clock.at) + 5);
    // Every third one is rounded up.
    const inWholeSeconds = (text: string) => {
      let number = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
      return text.replace(
        /#EXTINF:([\d.]+)/g,
        (_, seconds) => `#EXTINF:${Math.floor(Number(seconds) + (number++ % 3) / 2)}`,
      );
    };
    live.fail(({ kind }) => (kind === 'media' ? { does: 'rewrite', rewrite: inWholeSeconds } : undefined));
    for (let poll = 0; poll < 12; poll += 1) {
      const reading = await read();
      for (const [rung, { segments }] of (reading?.renditions ?? []).entries()) {
        for (const { number, mediaTime, duration, startsAt } of segments) {
          const index = number - run.firstNumber;
          const { timescale } = rungs[rung]!;
          expect(Math.abs(mediaTime! / timescale - live.broadcast.mediaMsOf(run, index) / 1000)).toBeLessThan(0.023);
          expect(flicksToSeconds(duration)).toBeCloseTo(2, 1);
          expect(Math.abs(startsAt!.millis - live.broadcast.startOf(run, index))).toBeLessThan(25);
        }
      }
      clock.at += 2000;
    }
    expect(live.count(/\.m4s$/)).toBeLessThanOrEqual(rungs.length * 25);
  },
);

test('retries media times that cannot be read, and lists segments without them in the end', async () => {
  const { live, reader } = await start({});
  live.fail(({ kind }) => (kind === 'segment' ? { does: 'respond', status: 404 } : undefined));
  for (let poll = 0; poll < 3; poll += 1) expect(await reader.read()).toMatchObject({ refused: naming('404') });
  expect(await reader.read()).toMatchObject({ warnings: [naming('404')] });
});

test.each(['cmaf', 'ts'] as const)('finds the breaks of every form in %s', async (packaging) => {
  for (const form of hlsMarkers) {
    const { clock, live, read } = await start({
      ...{ packaging, hlsMarkers: form, window: 20 },
      breaks: { every: 20, seconds: 6, lead: 4 },
    });
    const starts = new Set<number>();
    const warnings = new Set<string>();
    for (let poll = 0; poll < 40; poll += 1) {
      const reading = await read();
      const segments = reading?.renditions[0]?.segments ?? [];
      for (const { kind, number, offset, duration, warnings: found = [] } of reading?.signals ?? []) {
        for (const warning of found) warnings.add(warning);
        const last = segments.at(-1)!;
        const own = segments.find((each) => each.number === number);
        const at = own === undefined ? after(last.startsAt!, last.duration + offset) : after(own.startsAt!, offset);
        if (own === undefined) expect(number).toBe(last.number + 1);
        if (kind === 'out') starts.add(at.millis + flicksToMillis(at.rest));
        if (kind === 'out' && duration) expect(flicksToSeconds(duration)).toBe(6);
      }
      expect(reading?.warnings ?? []).toEqual([]);
      clock.at += 2000;
    }
    const expected = live.breaks(0).map(({ startsAt }) => startsAt);
    expect(expected.length).toBeGreaterThan(0);
    expect([...starts], form).toEqual(expect.arrayContaining(expected));
    expect(
      [...starts].every((at) => (at - expected[0]!) % 20_000 === 0),
      form,
    ).toBe(true);
    expect(warnings.size > 0, form).toBe(form === 'malformed');
  }
});
