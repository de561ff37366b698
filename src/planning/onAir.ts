// SPDX-License-Identifier: Apache-2.0
import type { AiringRecord, EditionRecord } from '../channels/schedule/airing.ts';
import type { Lineup } from '../channels/schedule/edition.ts';

/** The current life of a channel: its records, and the lineup compiled from them. */
export type OnAir = {
  readonly airing: AiringRecord;
  readonly records: readonly EditionRecord[];
  readonly lineup: Lineup;
};
