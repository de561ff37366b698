// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryOrigin } from '../../../test/live/origin/memoryOrigin.ts';
import { encodeOnce } from '../../../test/media/encodeOnce.ts';
import { naming } from '../../../test/naming.ts';
import { scratchFolder } from '../../../test/opened.ts';
import { findBox, joinBytes, readUint32, readUint64, writeBox, writeFields } from '../../mp4/boxes.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { NominalTrack, Presentation, Refusal } from '../source/presentation.ts';
import { readDashPresentation } from './importDash.ts';

const files = new Map<string, Uint8Array>();
const requests: string[] = [];
const base = 'http://origin.test';
const origin = memoryOrigin((url, { range }) => {
  const path = url.slice(base.length);
  requests.push(`${path} bytes=${range!.start}-${range!.start + range!.length - 1}`);
  const file = files.get(path);
  if (file !== undefined && range!.start >= file.length) return 416;
  return file?.subarray(range!.start, range!.start + range!.length);
});

const folder = scratchFolder();
const onDemand = ['-threads', '2', '-movflags', '+dash+global_sidx'];
const videoOutput = ['-map', '0', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', ...onDemand, 'v.mp4'];
const audioOutput = ['-map', '1', '-c:a', 'aac', '-frag_duration', '1000000', ...onDemand, 'a.mp4'];
const sources = ['-f', 'lavfi', '-i', 'testsrc=s=64x36:r=25:d=5', '-f', 'lavfi', '-i', 'sine=d=5'];
await encodeOnce(folder, [...sources, ...videoOutput, ...audioOutput]);
for (const name of ['v.mp4', 'a.mp4']) files.set(`/${name}`, readFileSync(join(folder, name)));

const mpd = (...periods: string[]): string => `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">${periods.join('')}</MPD>`;
const period = (seconds: number, content: string): string => `<Period duration="PT${seconds}S">${content}</Period>`;
const set = (type: string, content: string, id = type): string =>
  `<AdaptationSet mimeType="${type}/mp4"><Representation id="${id}" bandwidth="1000">${content}</Representation></AdaptationSet>`;

async function presentation(text: string): Promise<Presentation> {
  const result = await readDashPresentation(text, `${base}/manifest.mpd`, origin);
  if ('refused' in result) throw new Error(result.refused);
  return result;
}
async function refusal(text: string): Promise<Refusal> {
  const result = await readDashPresentation(text, `${base}/manifest.mpd`, origin);
  if ('refused' in result) return result;
  throw new Error('must be refused');
}
const fileOf = (url: string): Uint8Array => files.get(url.slice(base.length))!;

const refOf = ({ nominalBorders: borders, urls }: NominalTrack, index: number) => segmentUrl({ borders, urls }, index);

/** The decode times of the fragments at the byte ranges of a track. */
function fragmentTimes(track: NominalTrack): number[] {
  return Array.from({ length: track.count }, (_, index) => {
    const { url, range } = refOf(track, index);
    const bytes = fileOf(url).subarray(range!.start, range!.start + range!.length);
    expect(findBox(bytes, ['moof'])?.start).toBe(0);
    const tfdt = findBox(bytes, ['moof', 'traf', 'tfdt'])!;
    return bytes[tfdt.body] === 0 ? readUint32(bytes, tfdt.body + 4) : readUint64(bytes, tfdt.body + 4);
  });
}

describe('on-demand resources', () => {
  it('are imported with the index at the beginning of the file', async () => {
    const text = mpd(period(5, set('video', '<BaseURL>v.mp4</BaseURL>') + set('audio', '<BaseURL>a.mp4</BaseURL>')));
    const { renditions, warnings } = await presentation(text);
    expect({ warnings, parts: renditions[0]!.tracks.length }).toEqual({ warnings: [], parts: 1 });
    expect(renditions.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['video video', 'audio audio']);
    for (const { tracks } of renditions) {
      const [track] = tracks as [NominalTrack];
      expect(track.exact).toBe(true);
      const seconds = (track.nominalBorders.at(-1)! - track.nominalBorders[0]!) / track.nominalTimescale;
      expect(seconds).toBeCloseTo(5, 1);
      // The media of ffmpeg have a composition offset, which is the same for all fragments.
      const [first] = fragmentTimes(track);
      expect(fragmentTimes(track)).toEqual(
        [...track.nominalBorders].slice(0, -1).map((border) => border - track.nominalBorders[0]! + first!),
      );
      const init = fileOf(track.init!.url).subarray(0, track.init!.range!.length);
      expect(track.init!.range!.start).toBe(0);
      expect(findBox(init, ['moov', 'trak', 'mdia', 'mdhd'])).toBeDefined();
      expect(findBox(init, ['sidx'])).toBeUndefined();
    }
  });

  it('are imported with the index that the MPD names, read once for all Periods', async () => {
    const index = findBox(fileOf(`${base}/v.mp4`), ['sidx'])!;
    const segmentBase = (offset: number) =>
      `<BaseURL>v.mp4</BaseURL><SegmentBase timescale="1000" presentationTimeOffset="${offset}" indexRange="${index.start}-${index.end - 1}"/>`;
    requests.length = 0;
    const text = mpd(period(2, set('video', segmentBase(0))), period(3, set('video', segmentBase(2000))));
    const { renditions } = await presentation(text);
    expect(requests).toEqual([`/v.mp4 bytes=${index.start}-${index.end - 1}`]);
    expect(renditions[0]!.tracks).toHaveLength(2);
    expect(renditions[0]!.tracks.map(({ count }) => count)).toEqual([2, 3]);
    expect(renditions[0]!.tracks[1]!.presentationTimeOffset).toBe(2 * renditions[0]!.tracks[1]!.nominalTimescale);
  });

  it('may have nested indexes, and boxes before them that are longer than one read', async () => {
    const sidx = (timescale: number, earliest: number, ...references: [number, number][]) =>
      writeBox(
        'sidx',
        writeFields(0, 1, timescale, earliest, 0, references.length),
        ...references.map(([size, duration]) => writeFields(size, duration, 0x90000000)),
      );
    const media = (size: number) => writeBox('mdat', new Uint8Array(size - 8));
    const first = joinBytes([sidx(1000, 0, [100, 2000], [200, 1000]), media(100), media(200)]);
    const second = joinBytes([sidx(10, 30, [50, 25]), media(50)]);
    const top = sidx(1000, 0, [0x80000000 + first.length, 3000], [0x80000000 + second.length, 2500]);
    const init = joinBytes([writeBox('ftyp', writeFields(0)), writeBox('moov', new Uint8Array(150_000))]);
    files.set('/nested.mp4', joinBytes([init, top, first, second]));
    const { renditions } = await presentation(mpd(`<Period>${set('video', '<BaseURL>nested.mp4</BaseURL>')}</Period>`));
    const [track] = renditions[0]!.tracks as [NominalTrack];
    expect([...track.nominalBorders]).toEqual([0, 2000, 3000, 5500]);
    expect(track.init!.range).toEqual({ start: 0, length: init.length });
    const file = fileOf(`${base}/nested.mp4`);
    const lengths = [0, 1, 2].map((index) => {
      const { range } = refOf(track, index);
      expect(readUint32(file, range!.start)).toBe(range!.length);
      return range!.length;
    });
    expect(lengths).toEqual([100, 200, 50]);
  });

  it('are refused if they are missing, cut off or have no index; text is left out', async () => {
    const plain = joinBytes([writeBox('ftyp'), writeBox('mdat', new Uint8Array(99)), writeBox('moov')]);
    files.set('/plain.mp4', plain);
    files.set('/cut.mp4', fileOf(`${base}/v.mp4`).subarray(0, 800));
    files.set('/text.mp4', new TextEncoder().encode('#EXTM3U\n#EXTINF:2,\n'));
    const one = (name: string) =>
      refusal(mpd(`<Period duration="PT5S">${set('video', `<BaseURL>${name}</BaseURL>`)}</Period>`));
    for (const name of ['plain.mp4', 'cut.mp4', 'text.mp4']) {
      expect(await one(name)).toEqual({ code: 'NO_INDEX', refused: naming('"video"', 'Period 1', `${base}/${name}`) });
    }
    const missing = { code: 'NOT_FETCHED', status: 404, refused: naming('missing.mp4', 404) };
    expect(await one('missing.mp4')).toEqual(missing);
    const text =
      '<AdaptationSet mimeType="application/mp4" codecs="stpp"><Representation id="t"><BaseURL>missing.mp4</BaseURL></Representation></AdaptationSet>';
    const { renditions, warnings } = await presentation(
      mpd(period(5, set('video', '<BaseURL>v.mp4</BaseURL>') + text)),
    );
    expect(renditions.map(({ id }) => id)).toEqual(['video']);
    expect(warnings[0]).toEqual(naming('"t"', 'Period 1', 0, 65535, 'missing.mp4'));
  });
});

describe('readDashPresentation', () => {
  const template = '<SegmentTemplate timescale="10" duration="20" media="$RepresentationID$/$Number$.m4s"/>';

  it('returns a track for each Period', async () => {
    const video = `${template}<ContentProtection schemeIdUri="urn:x"/>`;
    const text = mpd(period(4, set('video', video)), period(2, set('video', template, 'other')));
    const { renditions } = await presentation(text);
    expect(renditions).toHaveLength(1);
    expect(renditions[0]).toMatchObject({ id: 'video', where: 'Representation "video" of Period 1', bandwidth: 1000 });
    const listed = (name: string, ...borders: number[]) => ({
      urls: { kind: 'number', prefix: `${base}/${name}/`, suffix: '.m4s', first: 1, width: 1 },
      count: borders.length - 1,
      nominalBorders: Float64Array.from(borders),
      nominalTimescale: 10,
      exact: false,
      presentationTimeOffset: 0,
    });
    const dash = ['<ContentProtection schemeIdUri="urn:x" xmlns="urn:mpeg:dash:schema:mpd:2011"/>'];
    const expected = [{ ...listed('video', 0, 20, 40), protection: { dash } }, listed('other', 0, 20)];
    expect(renditions[0]!.tracks).toEqual(expected);
  });

  it('assigns unique ids to renditions if the MPD repeats one', async () => {
    const text = mpd(period(4, set('video', template, '1') + set('audio', template, '1')));
    expect((await presentation(text)).renditions.map(({ id }) => id)).toEqual(['1', '1-2']);
  });

  it('refuses an MPD without usable renditions, with reasons', async () => {
    expect(await refusal('<MPD type="dynamic"/>')).toMatchObject({ code: 'LIVE', line: 1 });
    const [video, audio] = [set('video', template), set('audio', template)];
    const inOne = (kind: string) => ({ code: 'NOT_IN_ALL_PERIODS', refused: naming(kind, 2, `"${kind}"`, 'Period 1') });
    expect(await refusal(mpd(period(4, video), period(4, audio)))).toEqual(inOne('video'));
    expect(await refusal(mpd(period(4, video + audio), period(4, video)))).toEqual(inOne('audio'));
    const webm = '<AdaptationSet mimeType="video/webm"><Representation id="w"/></AdaptationSet>';
    const nothing = { code: 'NOTHING_PLAYABLE', refused: naming('Period 1', '"w"', 'WebM') };
    expect(await refusal(mpd(period(4, webm)))).toEqual(nothing);
  });
});

it('tries several BaseURLs in order, and names all if none works', async () => {
  const bases = (...urls: string[]) => urls.map((url) => `<BaseURL>${url}</BaseURL>`).join('');
  const content = (...urls: string[]) =>
    mpd(`<Period>${bases(...urls)}${set('video', bases('v.mp4'))}${set('audio', bases('a.mp4'))}</Period>`);
  const found = await presentation(content(`${base}/none/`, `${base}/`));
  const firsts = found.renditions.map(({ tracks: [track] }) => refOf(track!, 0).url);
  expect(firsts).toEqual([`${base}/v.mp4`, `${base}/a.mp4`]);
  expect(found.warnings).toEqual([naming('none/v.mp4', '404'), naming('none/a.mp4', '404')]);
  const refused = await refusal(content(`${base}/none/`, `${base}/neither/`));
  expect(refused).toMatchObject({ code: 'NOT_FETCHED', refused: naming('none/v.mp4', 'neither/v.mp4') });
});
