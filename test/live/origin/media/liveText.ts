// SPDX-License-Identifier: Apache-2.0
// The subtitles of a test's live origin: a cue in each segment, with its number, from 0.2 s after its start to 0.2 s before its
// end. As WebVTT files, or in fragmented MP4.
import { writeBox } from '../../../../src/mp4/boxes.ts';
import { writeFragment } from '../../../../src/mp4/writeFragment.ts';
import { writeStppInit, writeWvttInit, writeWvttSegment } from '../../../../src/subtitles/mp4Text.ts';

export type TextForm = 'vtt' | 'wvtt' | 'stpp';

/** Of fragmented MP4: milliseconds. */
export const TEXT_TIMESCALE = 1000;
export const textCodecs = { vtt: undefined, wvtt: 'wvtt', stpp: 'stpp.ttml.im1t' } as const;
/** Milliseconds. */
export const CUE_MARGIN = 200;

const time = (milliseconds: number): string => {
  const [seconds, minutes] = [(milliseconds % 60_000) / 1000, Math.floor(milliseconds / 60_000)];
  const hours = Math.floor(minutes / 60);
  return `${String(hours).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:${seconds.toFixed(3).padStart(6, '0')}`;
};

export const textInit = (form: TextForm): Uint8Array | undefined =>
  form === 'vtt' ? undefined : form === 'wvtt' ? writeWvttInit(TEXT_TIMESCALE) : writeStppInit(TEXT_TIMESCALE);

/** @param mediaMs the media time of its start, and `lengthMs` its length, in milliseconds */
export function textSegment(form: TextForm, number: number, mediaMs: number, lengthMs: number): Uint8Array {
  const text = `segment ${number}`;
  const [start, end] = [CUE_MARGIN, lengthMs - CUE_MARGIN];
  if (form === 'vtt') {
    const map = `X-TIMESTAMP-MAP=MPEGTS:${(mediaMs * 90) % 2 ** 33},LOCAL:00:00:00.000`;
    return Buffer.from(`WEBVTT\n${map}\n\n${time(start)} --> ${time(end)}\n${text}\n`);
  }
  if (form === 'wvtt') {
    return writeWvttSegment(number, [{ start, end, text }], {
      timescale: TEXT_TIMESCALE,
      zero: mediaMs,
      from: mediaMs,
      to: mediaMs + lengthMs,
    });
  }
  const [begin, stop] = [mediaMs + start, mediaMs + end].map((at) => time(at));
  const body = `<body><div><p begin="${begin}" end="${stop}">${text}</p></div></body>`;
  const data = Buffer.from(`<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en">${body}</tt>`);
  const sample = {
    trackId: 1,
    decodeTime: mediaMs,
    sampleDuration: lengthMs,
    kind: 'audio',
    sizes: [data.length],
  } as const;
  const fragment = writeFragment(number, [{ ...sample, data }]);
  return Buffer.concat([writeBox('styp', Buffer.from('msdh\0\0\0\0msdh')), fragment]);
}
