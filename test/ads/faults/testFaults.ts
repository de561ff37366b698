// SPDX-License-Identifier: Apache-2.0
// One Midroll with a channel, an ad server and a viewer for each fault, all at the same time. With every fault the stream
// continues and decodes, and the trace states the reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeSpans } from '../../live/decode.ts';
import { item, openVirtualStage, type Stage, type TracedBreak, titlesOf } from '../../live/stage.ts';
import type { Viewer } from '../../live/viewer.ts';
import { type MisbehavingServer, startMisbehavingServer } from '../../servers/misbehavingServer.ts';
import { documentedFields, tracedFields } from '../../tracedFields.ts';
import type { ExpectedOutcome, FaultCase } from './faultCase.ts';
import { makeFaultyMedia } from './faultyMedia.ts';

const BREAK_SECONDS = 6;
const TIMEOUT_MS = 400_000;

type Played = { readonly viewer: Viewer; readonly host: MisbehavingServer; readonly last: TracedBreak | undefined };
const played = new Map<string, Played>();
let stage: Stage;

const reasonTexts = ({ reason, ads }: TracedBreak): string =>
  [reason, ...ads.map((ad) => ad.reason)].map((one) => one?.text ?? '').join(' ');

const skipCodes = ({ ads }: TracedBreak): (string | undefined)[] => ads.map(({ reason }) => reason?.code);

function hasOutcome(one: TracedBreak, host: MisbehavingServer, expected: ExpectedOutcome): boolean {
  const { code, skipCode, values = [], titles = [], errorCode } = expected;
  const errorCodes = host.seen.flatMap(({ path }) => /^\/error\?code=(\d+)/.exec(path)?.[1] ?? []);
  return (
    one.reason?.code === code &&
    titlesOf(one).join() === titles.join() &&
    (skipCode === undefined || skipCodes(one).includes(skipCode)) &&
    values.every((value) => reasonTexts(one).includes(value)) &&
    (errorCode === undefined || errorCodes.includes(String(errorCode)))
  );
}

/** Plays until a break has the expected outcome: a creative may not be ready for the first break. */
async function play({ prepare, outcome }: FaultCase, index: number, content: string): Promise<Played> {
  const host = await startMisbehavingServer();
  stage.onClose(() => host.close());
  host.on('/error', (response) => void response.writeHead(204).end());
  const prepared = prepare(host, stage.origin.url);
  const source = typeof prepared === 'string' ? { url: host.url + prepared } : prepared;
  const channel = `fault${index}`;
  const adSource = { timeoutMs: 700, ...source };
  const contents = [item(content, { spliceTime: 2, maxDuration: BREAK_SECONDS })];
  await stage.air(channel, contents, { adSource, playlistSize: 20 });
  const viewer = await stage.watch(channel, { dash: false });
  const deadline = stage.clock.now() + TIMEOUT_MS;
  let last: TracedBreak | undefined;
  while (stage.clock.now() < deadline) {
    await stage.clock.sleep(1000);
    const isOver = ({ at, duration }: TracedBreak) => at + duration * 1000 + 3000 < stage.clock.now();
    const over = (await stage.breaks(viewer)).filter(isOver);
    last = over.at(-1);
    if (last !== undefined && hasOutcome(last, host, outcome)) break;
  }
  await viewer.leave();
  return { viewer, host, last };
}

/**
 * Defines the tests of faults.
 * @param media the names of the creatives that they need (faultyMedia.ts)
 */
export function testFaults(faultCases: readonly FaultCase[], media: readonly string[]): void {
  beforeAll(async () => {
    stage = await openVirtualStage({ CONDITION_JOBS: '2' });
    played.clear();
    await makeFaultyMedia(stage.origin.folder, media);
    const content = await stage.video({ seconds: 4 });
    await Promise.all(
      faultCases.map(async (fault, index) => void played.set(fault.name, await play(fault, index, content))),
    );
  });
  afterAll(() => stage?.close());

  describe.each(faultCases)('$name', ({ name, outcome }) => {
    test('has the expected outcome and reason', () => {
      const { last, host } = played.get(name)!;
      const { code, skipCode, values = [], titles = [], errorCode } = outcome;
      expect([last?.reason?.code, titlesOf(last!)]).toEqual([code, titles]);
      if (skipCode !== undefined) expect(skipCodes(last!)).toContain(skipCode);
      for (const value of values) expect(reasonTexts(last!)).toContain(value);
      if (skipCode === 'CREATIVE_FAILED') {
        // Each fault of a creative has a text of its own.
        const others = faultCases.filter((one) => one.outcome.skipCode === skipCode && one.name !== name);
        for (const one of others) expect(reasonTexts(played.get(one.name)!.last!)).not.toBe(reasonTexts(last!));
      }
      if (errorCode !== undefined) {
        expect(host.seen.map(({ path }) => path)).toContain(`/error?code=${errorCode}`);
      }
      const seconds = last!.ads
        .filter((ad) => ad.outcome === 'stitched')
        .reduce((sum, { duration }) => sum + duration, 0);
      expect(seconds + last!.slate).toBeCloseTo(BREAK_SECONDS, 5);
    });

    test('leaves the stream clean', async () => {
      const { viewer } = played.get(name)!;
      expect(viewer.faults).toEqual([]);
      for (const rung of viewer.rungs) {
        const spans = await decodeSpans(viewer, rung);
        expect(spans.length).toBeGreaterThan(1);
        for (const { decoderErrors, frames, seconds, uris } of spans) {
          expect([uris[0], decoderErrors]).toEqual([uris[0], '']);
          if (frames.video !== undefined) expect([uris[0], frames.video]).toEqual([uris[0], Math.round(seconds * 25)]);
        }
      }
    });
  });

  test('names of faults are unique', () => {
    expect(played.size).toBe(faultCases.length);
  });

  test('every field of the traces is documented', async () => {
    const documented = new Set(documentedFields());
    for (const { viewer } of played.values()) {
      const { json } = await stage.midroll.api('GET', `/sessions/${viewer.session}`);
      expect(tracedFields(json).filter((field) => !documented.has(field))).toEqual([]);
    }
  });

  test('Midroll logs no bug', () => {
    expect(stage.midroll.bugs()).toEqual([]);
  });
}

/** What the ad server of a fault was sent, after its test has played. */
export const requestsIn = (name: string): MisbehavingServer['seen'] => played.get(name)!.host.seen;
