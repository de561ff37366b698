// SPDX-License-Identifier: Apache-2.0
import { wrapMpegTime } from '../time/mpegClock.ts';
import type { Cues } from './cue.ts';

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

function timeOf(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const seconds = Math.floor(whole / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = digits(Math.floor(minutes / 60), 2);
  return `${hours}:${digits(minutes % 60, 2)}:${digits(seconds % 60, 2)}.${digits(whole % 1000, 3)}`;
}

/**
 * Writes a subtitle segment for HLS (RFC 8216 §3.5).
 * @param zero the media time of cue time 0, in ticks of 90 kHz
 */
export function writeWebvtt({ cues, blocks }: Cues, zero: number): string {
  const mpegts = wrapMpegTime(Math.round(zero));
  const head = `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${mpegts},LOCAL:00:00:00.000\n`;
  const written = cues.map(({ start, end, text, settings, id }) => {
    const timing = `${timeOf(start)} --> ${timeOf(end)}${settings ? ` ${settings}` : ''}`;
    return `${id ? `${id}\n` : ''}${timing}\n${text}\n`;
  });
  return [head, ...(cues.length > 0 ? blocks.map((block) => `${block}\n`) : []), ...written].join('\n');
}
