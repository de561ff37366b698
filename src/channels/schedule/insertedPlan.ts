// SPDX-License-Identifier: Apache-2.0
import type { Millis } from '../../time/units.ts';
import type { Insertion } from './nextEditions.ts';

/** A break or a blackout that an operator has inserted. */
export type InsertedPlan = Insertion & {
  readonly startsAt: Millis;
  /** Milliseconds. */
  readonly length: number;
  /** Set once the asset of a blackout is ready; `during` plans it for so many milliseconds, if that is long enough. */
  readonly asset?: { readonly slateId: string; readonly during: (length: number) => Insertion | undefined };
};
