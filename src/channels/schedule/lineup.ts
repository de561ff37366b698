// SPDX-License-Identifier: Apache-2.0
import type { Millis } from '../../time/units.ts';
import type { Edition } from './edition.ts';

/** The editions of a channel's life on air, compiled. */
export type Lineup = {
  readonly startedAt: Millis;
  /** By ascending `from`; not empty. */
  readonly editions: readonly Edition[];
};
