// SPDX-License-Identifier: Apache-2.0
import type { Millis } from '../time/units.ts';

/** Whether the origin of a feed can be read. */
export type OriginHealth = {
  /**
   * `idle`: the channel has no viewers, so that its origin is not read. `stalled`: it can be read, but there is nothing new that
   * can be listed. `ended`: nor will there be.
   */
  readonly state: 'idle' | 'ok' | 'stalled' | 'ended' | 'failing';
  /** Since when it is in this state. */
  readonly since?: Millis;
  /** Why it is failing, or stalled, or has ended. */
  readonly reason?: string;
  /** When it was last read without a failure. */
  readonly readAt?: Millis;
  /** What viewers are shown content from; absent if nothing has been on air yet. */
  readonly onAir?: OnAir;
  /** In their order. */
  readonly backups?: readonly BackupHealth[];
  /** What the last reading found that viewers may notice, such as missing subtitles. Absent if there is nothing. */
  readonly warnings?: readonly string[];
};

export type OnAir = {
  readonly kind: 'source' | 'backup' | 'slate';
  /** The origin; absent for slate. */
  readonly url?: string;
  readonly since: Millis;
};

export type BackupHealth = {
  readonly url: string;
  /** `unknown`: it was not needed yet. */
  readonly state: 'ok' | 'failing' | 'unknown';
  readonly reason?: string;
  readonly checkedAt?: Millis;
};
