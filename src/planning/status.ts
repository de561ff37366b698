// What an operator is told of a channel: whether it plays as asked, and for each item whether it does, or why not.
import type { CueReport } from '../channels/cuePoints.ts';

export type ItemStatus = {
  readonly index: number;
  readonly url?: string;
  readonly state: 'ready' | 'failed' | 'leftOut';
  readonly reason?: string;
  /** Seconds, measured. */
  readonly duration?: number;
  readonly warnings?: readonly string[];
  readonly cuePoints?: CueReport[];
};

export type ChannelStatus = {
  readonly state: 'enabled' | 'disabled' | 'failed';
  /** What is not as it was asked for, in one or more sentences. */
  readonly stateReason?: string;
  readonly items: readonly ItemStatus[];
};
