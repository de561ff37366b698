// SPDX-License-Identifier: Apache-2.0
// An ad break that the manifest of an asset marks. Markers change nothing about the asset's media.
import type { Flicks } from '../../time/units.ts';

export type AdMarker = {
  /** After the start of the asset, where the marker is; not moved to a cut point. */
  readonly at: Flicks;
  /** The end of the content that ads replace; absent when ads are inserted at `at`. */
  readonly until?: Flicks;
  /** The announced length of the break: for an insertion, the most that ads may take. */
  readonly duration?: Flicks;
  /** The tag, or the scheme of the DASH event stream, e.g. `EXT-X-CUE-OUT`. */
  readonly source: string;
  /** The tag or event as written, shortened. */
  readonly raw?: string;
  /** In the manifest or media playlist, counted from 1. */
  readonly line?: number;
};
