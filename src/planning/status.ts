// SPDX-License-Identifier: Apache-2.0
// The status of a channel for its operator: whether it plays as configured, and the state of each item.
import type { CueReport } from '../channels/cuePoints.ts';
import { type Millis, millis } from '../time/units.ts';
import type { LiveStatus } from './live/liveStatus.ts';

export type ItemStatus = {
  readonly index: number;
  /** Of a schedule: the entry that the item is. */
  readonly entryId?: string;
  readonly url?: string;
  /** `importing`: its asset is being imported. Until the channel is planned, `ready` means only that it was imported. */
  readonly state: 'ready' | 'importing' | 'failed' | 'leftOut';
  readonly reason?: string;
  /** Seconds, measured. */
  readonly duration?: number;
  readonly warnings?: string[];
  readonly cuePoints?: CueReport[];
};

/** The progress of a channel's preparation. */
export type Preparation = {
  /** The current step: importing the assets, then conditioning the slate. */
  readonly step: 'assets' | 'slate';
  /** The number of different URLs in the playlist, and how many of them were imported or failed. */
  readonly assets: number;
  readonly assetsRead: number;
  /** Jobs queued before the slate; 0 while the slate is being conditioned, absent while unknown. */
  readonly jobsAhead?: number;
};

export type ChannelStatus = {
  readonly state: 'enabled' | 'disabled' | 'failed';
  /** What differs from the configuration, in one or more sentences. */
  readonly stateReason?: string;
  /** Present while the channel is being prepared. */
  readonly preparation?: Preparation;
  readonly items: readonly ItemStatus[];
  readonly live?: LiveStatus;
  /** When the channel is planned again because a slate, or the origin of a live channel, could not be used. */
  readonly retryAt?: Millis;
  /** When the channel is planned again to lay out more of its schedule. */
  readonly planAt?: Millis;
  /** An origin that is on air could not be analysed; it is with the next planning. */
  readonly isUnchecked?: true;
};

/** Milliseconds; a planning reads several records. */
const SOONEST_MS = 5000;

/** @param at when another attempt may have another result; undefined if none is needed */
export const retryFrom = (at: Millis | undefined, now: Millis): Pick<ChannelStatus, 'retryAt'> =>
  at === undefined ? {} : { retryAt: millis(Math.max(at, now + SOONEST_MS)) };
