// SPDX-License-Identifier: Apache-2.0
// The audio frames of a break as they are packaged, from the folders that its clips list: no hole at any border, and each
// segment where HLS dates it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { audioFrameSamples, creativeStart } from '../../ads/creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../../ads/creative/creative.ts';
import { breakClips, clipMakerFor } from '../../ads/placement/breakClips.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import { readJoined } from '../../timeline/asset/audioJoin.ts';
import { type Clip, mediaTime } from '../../timeline/asset/clip.ts';
import { creativeFrames, slateSegments, videoTicks } from '../../timeline/asset/frameGrid.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import { audioGrid, creativeShape, slateLoopShape, type TimeShape } from '../condition/plan/planEncode.ts';
import { type PackagedMedia, type PackagedTrack, packagedRanges } from './packagedMedia.ts';

const common = { bandwidth: 1e6, averageBandwidth: 1e6 };
const ladderOf = (rate: { n: number; d: number }, sampleRate: number, codecs: string): Ladder => {
  const video: Rung = { id: 'v0', kind: 'video', codecs: 'avc1.64001f', ...common };
  const audio: Rung = { id: 'a0', kind: 'audio', codecs, sampleRate, ...common };
  return { container: 'fmp4', layout: 'separate', frameRate: rate, targetDuration: 3, rungs: [video, audio] };
};

function packaged(id: string, kind: PackagedMedia['kind'], shape: TimeShape, ladder: Ladder): PackagedMedia {
  const { codecs, sampleRate = 0 } = ladder.rungs[1]!;
  const encode = { codec: 'aac', channels: 2, kbps: 96, sampleRate, frameSamples: audioFrameSamples(codecs) } as const;
  const { borders, unit } = audioGrid(shape, encode);
  const counts = borders.slice(1).map((border, index) => border - borders[index]!);
  const samples = { timescale: sampleRate, unit, first: borders[0]!, counts, sizes: counts };
  const audio: PackagedTrack = { file: 'a.mp4', kind: 'audio', codecs, config: '', initSize: 0, ...samples };
  const { container, frameRate } = ladder;
  const ticks = videoTicks(frameRate).timescale;
  const rungs = ladder.rungs.map((rung) => ({ ...common, codecs: rung.codecs, timescale: rung.sampleRate ?? ticks }));
  const media: ConditionedMedia = { id, frames: shape.frames, startFrame: creativeStart(frameRate), rungs };
  return { kind, container, frameRate, media, tracks: [audio], rungs: [{ id: 'a0', audio: 0 }] };
}

/** Where the packaged audio of a clip starts and ends, in samples after the clip's start and end; its segments have no holes. */
function soundOf(media: PackagedMedia, clip: Clip, sampleRate: number): { start: number; end: number } {
  const { track, first, end } = clip.cells[1]!;
  const zero = ((clip.asset.parts[0]!.zero + clip.from) * sampleRate) / FLICKS_PER_SECOND;
  let at: number | undefined;
  let start = 0;
  const { unit, counts } = media.tracks[0]!;
  for (let index = first; index < end; index += 1) {
    const [frames, folder = '', name = ''] = segmentUrl(track, index).url.split('/').slice(-3);
    const { rung, join } = readJoined(folder)!;
    const [range] = packagedRanges(media, { id: rung, audio: 0 }, Number(frames), Number.parseInt(name, 10), join)!;
    if (at === undefined) start = range!.time - zero;
    else expect(range!.time).toBe(at);
    const listed = mediaTime(clip.asset.parts[0]!, clip.cells[1]!, index) - clip.from;
    const dated = (listed * sampleRate) / FLICKS_PER_SECOND + zero;
    // Frames of AC-3 are so long that dates may be those of the borders.
    if (unit === 1024) expect(dated, 'where HLS dates it').toBeCloseTo(range!.time, 1);
    expect(range!.start).toBeGreaterThanOrEqual(0);
    expect(range!.start + range!.count).toBeLessThanOrEqual(counts.reduce((sum, count) => sum + count, 0));
    at = range!.time + (range!.count + (range!.repeated ?? 0) + (range!.before === undefined ? 0 : 1)) * unit;
  }
  return { start, end: at! - zero - (clip.duration * sampleRate) / FLICKS_PER_SECOND };
}

const rates = [
  { n: 25, d: 1 },
  { n: 30_000, d: 1001 },
  { n: 24_000, d: 1001 },
  { n: 60, d: 1 },
];

test('audio begins where the audio before it ends, and covers a frame of the content on both sides', () => {
  const seconds = fc.double({ min: 1, max: 40, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...rates),
      fc.constantFrom(44_100, 48_000),
      fc.constantFrom('mp4a.40.2', 'ac-3'),
      fc.array(fc.tuple(seconds, fc.integer({ min: -5, max: 12 })), { maxLength: 5 }),
      fc.constantFrom(0, 1, 7.3),
      fc.option(fc.nat(3), { nil: undefined }),
      (rate, sampleRate, codecs, pod, slateSeconds, joinedAt) => {
        const ladder = ladderOf(rate, sampleRate, codecs);
        const slate = packaged('slate', 'slate', slateLoopShape(8, rate), ladder);
        const made = new Map([['slate', slate]]);
        const ads = pod.map(([length, change], index) => {
          const frames = creativeFrames(length, rate);
          made.set(`m${index}`, packaged(`m${index}`, 'creative', creativeShape(frames, rate), ladder));
          return { adId: `0-0-${index}`, mediaId: `m${index}`, frames: frames + change };
        });
        const total = ads.reduce((sum, ad) => sum + ad.frames, 0);
        const isLate = joinedAt !== undefined && ads.length > 0;
        const frames = total + Math.ceil(((isLate || total === 0 ? 8 : slateSeconds) * rate.n) / rate.d);
        const joined = isLate ? slateSegments(frames, rate).first + joinedAt * Math.round(rate.n / rate.d) : 0;
        const clips = clipMakerFor(ladder, (id) => made.get(id)?.media);
        const decision = { breakId: '0-0', startsAt: 0, joined, ads };
        const shown = breakClips(decision, { id: '0-0', frames, slateId: 'slate' }, clips);
        let end = -audioFrameSamples(codecs);
        for (const { clip } of shown) {
          const media = made.get(clip.asset.id.slice(0, clip.asset.id.lastIndexOf('-')))!;
          const sound = soundOf(media, clip, sampleRate);
          // 2 ms is what a border may have at most; what overlaps is less than a frame.
          expect(sound.start - end).toBeLessThan(sampleRate * 0.002);
          expect(end - sound.start).toBeLessThan(audioFrameSamples(codecs));
          end = sound.end;
        }
        expect(end).toBeGreaterThan(audioFrameSamples(codecs) * 0.98);
        expect(end).toBeLessThan(audioFrameSamples(codecs) * 2);
      },
    ),
    lawRuns(200),
  );
});
