// One Midroll, a channel and an ad server for each trouble, a viewer of each channel, all at the same time. Whatever
// happens, the stream goes on and decodes, and the trace says in one plain reason what happened.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeSpans } from '../live/decode.ts';
import { item, openVirtualStage, type Stage, type TracedBreak, titlesOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { type MisbehavingServer, startMisbehavingServer } from '../servers/misbehavingServer.ts';
import { documentedFields, tracedFields } from '../tracedFields.ts';
import { makeTroubleMedia } from './troubleMedia.ts';
import { type Outcome, type Trouble, troubles } from './troubles.ts';

const BREAK = 6;
const LONGEST = 400_000;

type Played = { readonly viewer: Viewer; readonly host: MisbehavingServer; readonly last: TracedBreak | undefined };
const played = new Map<string, Played>();
let stage: Stage;

const reasonsOf = ({ reason, ads }: TracedBreak): string =>
  [reason, ...ads.map((ad) => ad.reason)].map((one) => one?.text ?? '').join(' ');

const lostAs = ({ ads }: TracedBreak): (string | undefined)[] => ads.map(({ reason }) => reason?.code);

function meets(one: TracedBreak, host: MisbehavingServer, outcome: Outcome): boolean {
  const { code, lost, names = [], shows = [], told } = outcome;
  const toldCodes = host.seen.flatMap(({ path }) => /^\/error\?code=(\d+)/.exec(path)?.[1] ?? []);
  return (
    one.reason?.code === code &&
    titlesOf(one).join() === shows.join() &&
    (lost === undefined || lostAs(one).includes(lost)) &&
    names.every((name) => reasonsOf(one).includes(name)) &&
    (told === undefined || toldCodes.includes(String(told)))
  );
}

/** Until a break that is over was what it should be; creatives may need longer than the first one waits for them. */
async function play({ prepare, outcome }: Trouble, index: number, video: string): Promise<Played> {
  const host = await startMisbehavingServer();
  stage.onClose(() => host.close());
  host.on('/error', (response) => void response.writeHead(204).end());
  const asked = prepare(host, stage.origin.url);
  const source = typeof asked === 'string' ? { url: host.url + asked } : asked;
  const channel = `trouble${index}`;
  const adSource = { timeoutMs: 700, ...source };
  await stage.air(channel, [item(video, { spliceTime: 2, maxDuration: BREAK })], { adSource, playlistSize: 20 });
  const viewer = await stage.watch(channel, { dash: false });
  const deadline = stage.clock.now() + LONGEST;
  let last: TracedBreak | undefined;
  while (stage.clock.now() < deadline) {
    await stage.clock.sleep(1000);
    const isOver = ({ at, duration }: TracedBreak) => at + duration * 1000 + 3000 < stage.clock.now();
    const over = (await stage.breaks(viewer)).filter(isOver);
    last = over.at(-1);
    if (last !== undefined && meets(last, host, outcome)) break;
  }
  await viewer.leave();
  return { viewer, host, last };
}

beforeAll(async () => {
  stage = await openVirtualStage({ CONDITION_JOBS: '2' });
  await makeTroubleMedia(stage.origin.folder);
  const video = await stage.video({ seconds: 4 });
  await Promise.all(
    troubles.map(async (trouble, index) => void played.set(trouble.name, await play(trouble, index, video))),
  );
});
afterAll(() => stage?.close());

describe.each(troubles)('$name', ({ name, outcome }) => {
  test('has its outcome, with its reason', () => {
    const { last, host } = played.get(name)!;
    const { code, lost, names = [], shows = [], told } = outcome;
    expect([last?.reason?.code, titlesOf(last!)]).toEqual([code, shows]);
    if (lost !== undefined) expect(lostAs(last!)).toContain(lost);
    for (const value of names) expect(reasonsOf(last!)).toContain(value);
    if (lost === 'CREATIVE_FAILED') {
      const alike = troubles.filter((one) => one.outcome.lost === lost && one.name !== name);
      // Whatever is wrong with a file, each fault is told in words of its own.
      for (const one of alike) expect(reasonsOf(played.get(one.name)!.last!)).not.toBe(reasonsOf(last!));
    }
    if (told !== undefined) {
      expect(host.seen.map(({ path }) => path)).toContain(`/error?code=${told}`);
    }
    const seconds = last!.ads
      .filter((ad) => ad.outcome === 'stitched')
      .reduce((sum, { duration }) => sum + duration, 0);
    expect(seconds + last!.slate).toBeCloseTo(BREAK, 5);
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

test('macros in media URLs are filled before they are asked, once for all who see them', () => {
  const { host } = played.get('has macros in the media URL')!;
  const asked = host.seen.filter(({ path }) => path.startsWith('/media'));
  expect(asked.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/media\?b=\d{8}$/)]);
});

test('every field of the traces is documented', async () => {
  const documented = new Set(documentedFields());
  for (const { viewer } of played.values()) {
    const { json } = await stage.midroll.api('GET', `/sessions/${viewer.session}`);
    expect(tracedFields(json).filter((field) => !documented.has(field))).toEqual([]);
  }
});

test('the log tells of no bug', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
