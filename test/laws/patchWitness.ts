// SPDX-License-Identifier: Apache-2.0
// A player that keeps MPDs and requests patches of them; it checks each one.

import { expect } from 'vitest';
import { readSentMpd } from '../../src/dash/write/patch.ts';
import { mpdPatchOf } from '../../src/http/live/manifests/manifestTexts.ts';
import type { View } from '../../src/playback/view/view.ts';
import { applyPatch } from './applyPatch.ts';
import { mpdByRows, mpdOf } from './syntheticChannel.ts';

const locationIn = (mpd: string): string | undefined => /<PatchLocation [^>]*>[^<]*\?since=([^<]*)</.exec(mpd)?.[1];

export class PatchWitness {
  patched = 0;
  whole = 0;
  /** The sizes of patches, and of the MPDs to which they lead. */
  readonly bytes = { patches: 0, mpds: 0 };
  readonly #kept: string[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  check(view: View): void {
    const mpd = mpdOf(view);
    expect(mpd, 'the MPD as written row by row').toBe(mpdByRows(view));
    // The newest MPD, or an older one.
    const kept = this.#kept.at(this.#random() < 0.7 ? -1 : Math.floor(this.#random() * this.#kept.length));
    this.#kept.push(mpd);
    if (this.#kept.length > 5) this.#kept.shift();
    if (kept === undefined) return;
    const patch = mpdPatchOf(view, readSentMpd(locationIn(kept)!)!, 's/');
    const result = applyPatch(kept, patch);
    if (locationIn(result) === undefined) {
      // Players of a new session read whole MPDs.
      if (view.now - view.viewer.session.openedAt > 30_000) this.whole += 1;
      // Nothing else has changed.
      expect(result.split('\n').slice(2)).toEqual(
        kept
          .split('\n')
          .filter((line) => !line.startsWith('<PatchLocation'))
          .slice(2),
      );
      return;
    }
    this.patched += 1;
    this.bytes.patches += patch.length;
    this.bytes.mpds += mpd.length;
    expect(result).toBe(mpd);
  }
}
