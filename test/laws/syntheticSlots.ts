// SPDX-License-Identifier: Apache-2.0
// The timeline of a live channel that exists only as numbers: slots as the reader of an origin makes them.
import type { RungSource } from '../../src/live/feed.ts';
import type { Slot, SlotSegment } from '../../src/live/slot.ts';
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, flicks, ticksToFlicks } from '../../src/time/units.ts';
import { after, type Instant } from '../../src/timeline/programme/span.ts';

export const FRAME = FLICKS_PER_SECOND / 25;

export type SlotShape = {
  /** Video frames. */
  readonly frames: number;
  /** How much longer the slot is on the timeline than in its media, in hundredths of a millisecond. */
  readonly slew: number;
  readonly startsStretch: boolean;
  readonly hasNewKey: boolean;
  readonly isGap: boolean;
  /** Frames of a break before it; 0 for none. */
  readonly breakFrames: number;
};

export type Origin = {
  /** Whether the media times of segments are known. */
  readonly hasTimes: boolean;
  /** Seconds at which media times start. */
  readonly base: number;
  readonly videoScale: number;
  /** Audio segments of a slot. */
  readonly audioParts: number;
  readonly urls: 'number' | 'time' | 'name';
  readonly keys: 'none' | 'fixed' | 'ivs';
};

export const AUDIO_SCALE = 48_000;

export const rungSources = ({ videoScale }: Origin): RungSource[] => [
  {
    ...{ key: 'video', kind: 'video', container: 'fmp4', codecs: 'avc1.64001f', frameRate: { n: 25, d: 1 } },
    ...{ bandwidth: 2_000_000, averageBandwidth: 1_500_000, width: 1280, height: 720, timescale: videoScale },
  },
  {
    ...{ key: 'audio', kind: 'audio', container: 'fmp4', codecs: 'mp4a.40.2', bandwidth: 128_000 },
    ...{ averageBandwidth: 128_000, sampleRate: AUDIO_SCALE, channels: 2, language: 'en', timescale: AUDIO_SCALE },
  },
];

/** A name without a pattern. */
const hashed = (number: number): string => ((number * 2_654_435_761) % 2 ** 32).toString(36);

function urlOf({ urls }: Origin, rung: string, number: number, time: number): string {
  const name = urls === 'number' ? `${number + 9990}` : urls === 'time' ? `${time}` : hashed(number);
  return `https://origin.test/${rung}/seg-${name}.m4s`;
}

/** In audio frames since the start of the media: the frame that is nearest to a video frame. */
const audioFrames = (frames: number): number => Math.round((frames * 1920) / 1024);

export function syntheticSlots(origin: Origin, shapes: readonly SlotShape[], start: Instant): Slot[] {
  const { hasTimes, base, videoScale, audioParts, keys } = origin;
  let at = start;
  let frames = 0;
  let key = 0;
  let epoch = 0;
  let audioNumber = 0;
  const zero = { video: base * videoScale, audio: base * AUDIO_SCALE };
  return shapes.map((shape, number) => {
    const isNewStretch = number === 0 || shape.startsStretch;
    at = after(at, shape.breakFrames * FRAME);
    // The media of a break are not listed, but they count.
    frames += shape.breakFrames;
    if (isNewStretch) epoch += 7;
    if (shape.hasNewKey) key += 1;
    const ticks = (count: number) => zero.video + epoch * videoScale + (count * videoScale) / 25;
    const samples = (count: number) => zero.audio + epoch * AUDIO_SCALE + 1024 * count;
    const made = (rung: string, segment: number, time: number, duration: number, scale: number): SlotSegment => ({
      number: segment,
      duration: ticksToFlicks(duration, scale),
      media: { url: urlOf(origin, rung, segment, time) },
      init: { url: `https://origin.test/${rung}/init.mp4` },
      ...(keys === 'none'
        ? {}
        : {
            keys: [
              `METHOD=AES-128,URI="https://keys.test/${key}",IV=0x${(keys === 'ivs' ? segment : key).toString(16)}`,
            ],
          }),
      ...(hasTimes ? { mediaTime: time } : {}),
      ...(shape.isGap ? { isGap: true } : {}),
    });
    const video = made('video', number, ticks(frames), (shape.frames * videoScale) / 25, videoScale);
    const [first, last] = [audioFrames(frames), audioFrames(frames + shape.frames)];
    const audioBorder = (part: number) => first + Math.round(((last - first) * part) / audioParts);
    const late = flicks(ticksToFlicks(1024 * first, AUDIO_SCALE) - frames * FRAME);
    const audio = Array.from({ length: audioParts }, (_, part) => {
      const [from, to] = [audioBorder(part), audioBorder(part + 1)];
      const segment = made('audio', audioNumber, samples(from), 1024 * (to - from), AUDIO_SCALE);
      audioNumber += 1;
      return part === 0 && hasTimes ? { ...segment, late } : segment;
    });
    const duration = flicks(shape.frames * FRAME + (shape.slew * FLICKS_PER_MILLI) / 100);
    const slot: Slot = { number, start: at, duration, isNewStretch, segments: [[video], audio] };
    at = after(at, duration);
    frames += shape.frames;
    return slot;
  });
}
