// SPDX-License-Identifier: Apache-2.0
// What a viewer has read in playlists over hours, folded as it is read: each segment of the picture with what it shows.
import { isOurs, type SeenSegment } from '../../../laws/readBack.ts';

export type AiredSegment = {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** `ours` for slate and breaks, else the origin and the folder of the media. */
  readonly of: string;
  /** As its file is named: its number in an asset. */
  readonly file: number;
};

const read = (uri: string): readonly [string, number] => {
  if (isOurs(uri)) return ['ours', 0];
  const [, of, file] = /^(.*)\/[^/]*?(\d+)\.m4s$/.exec(uri) ?? [];
  return [(of ?? uri).replace(/\/v\d+(\/.*)?$/, ''), Number(file)];
};

export function collectAired() {
  const segments = new Map<number, AiredSegment>();
  /** Parts of a text keep all of it in memory: each name is copied once. */
  const names = new Map<string, string>();
  return {
    add({ number, uri, date, duration }: SeenSegment): void {
      if (segments.has(number)) return;
      const [of, file] = read(uri);
      if (!names.has(of)) names.set(structuredClone(of), structuredClone(of));
      segments.set(number, { number, from: date, to: date + duration / 1000, of: names.get(of)!, file });
    },
    /** In order. */
    all: (): AiredSegment[] => [...segments.values()].sort((one, other) => one.number - other.number),
  };
}
