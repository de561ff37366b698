// SPDX-License-Identifier: Apache-2.0
// What the encoder has uploaded: its playlists, and the segments of the last minutes, in memory.
import { nextNumber } from './markPlaylist.ts';
import type { EncoderEdge } from './sentBreaks.ts';

/** The most segments of all three tracks: more than the windows of viewers list. */
const MAX_SEGMENTS = 3 * 60;
/**
 * The most initialization segments of all tracks, for as many starts of the encoder as can be in the windows of
 * viewers.
 */
const MAX_INITS = 3 * 10;

export type Upload = { readonly run: string; readonly bytes: Buffer };
export type Uploads = {
  /** @param name of a file, for example `v0.m3u8` */
  store(run: string, name: string, bytes: Buffer): void;
  read(name: string): Upload | undefined;
  /** The edge of the playlists; undefined before the first one. */
  edge(): EncoderEdge | undefined;
};

function limit(files: Map<string, Upload>, most: number): void {
  for (const name of files.keys()) {
    if (files.size <= most) return;
    files.delete(name);
  }
}

export function createUploads(): Uploads {
  const playlists = new Map<string, Upload>();
  const inits = new Map<string, Upload>();
  const segments = new Map<string, Upload>();
  let edge: EncoderEdge | undefined;
  return {
    store(run, name, bytes) {
      if (name.endsWith('.m3u8')) {
        playlists.set(name, { run, bytes });
        const next = nextNumber(bytes.toString());
        if (next > 0) edge = { run, next: edge?.run === run ? Math.max(edge.next, next) : next };
      } else if (name.includes('-init-')) {
        inits.set(name, { run, bytes });
        limit(inits, MAX_INITS);
      } else {
        segments.set(name, { run, bytes });
        limit(segments, MAX_SEGMENTS);
      }
    },
    read: (name) => playlists.get(name) ?? segments.get(name) ?? inits.get(name),
    edge: () => edge,
  };
}
