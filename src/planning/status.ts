// What an operator is told of a channel: whether it plays as asked, and for each item whether it does, or why not.
import type { CueReport } from '../channels/cuePoints.ts';

export type ItemStatus = {
  readonly index: number;
  readonly url?: string;
  /** `importing`: its asset is being read. Until the channel is planned, `ready` says no more than that it was read. */
  readonly state: 'ready' | 'importing' | 'failed' | 'leftOut';
  readonly reason?: string;
  /** Seconds, measured. */
  readonly duration?: number;
  readonly warnings?: string[];
  readonly cuePoints?: CueReport[];
};

/** How far the preparation of a channel is; plain values, which change from moment to moment. */
export type Preparation = {
  /** What is waited for: its assets to be read, then its slate to be made. */
  readonly step: 'assets' | 'slate';
  /** Different URLs in the playlist, and how many of them were read or failed. */
  readonly assets: number;
  readonly assetsRead: number;
  /** Jobs that are made before the slate; 0 while it is being made, absent before that is known. */
  readonly jobsAhead?: number;
};

export type ChannelStatus = {
  readonly state: 'enabled' | 'disabled' | 'failed';
  /** What is not as it was asked for, in one or more sentences. */
  readonly stateReason?: string;
  /** Present while the channel is being planned and something is waited for. */
  readonly preparation?: Preparation;
  readonly items: readonly ItemStatus[];
};
