// SPDX-License-Identifier: Apache-2.0
import type { CreativeState } from '../../ads/creative/creative.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';

/** A creative or slate that this process has looked up. */
export type Entry = {
  readonly order: ConditionOrder;
  state: CreativeState;
  /** Resolves when the state is no longer `preparing`. */
  settled: Promise<CreativeState>;
  settle: (state: CreativeState) => void;
  /** When the cached state expires. */
  until: number;
  /** True once the job is in the queue. */
  isQueued: boolean;
  /** Polls in which the job was ready but the media were missing. */
  missing: number;
  /** The owners that are in the queue. */
  readonly owners: Set<string>;
  /** The highest urgency of the requests (the lowest number), and the time of the last one. */
  urgency: number;
  requestedAt: number;
  /** How many jobs are made before it. */
  queued: number | undefined;
};
