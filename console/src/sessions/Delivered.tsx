// SPDX-License-Identifier: Apache-2.0
import type { TracedAd } from '../../../src/http/contract/airContract.ts';
import { fieldLabel } from '../format/labels.ts';
import { formatDuration } from '../format/time.ts';

type DeliveredProps = { readonly delivered: NonNullable<TracedAd['delivered']>; readonly duration: number };

/** How much of an ad the player fetched, and the events that follow from it. */
export const Delivered = ({ delivered: { seconds, events }, duration }: DeliveredProps) => (
  <p class="small">
    Delivered {formatDuration(seconds)} of {formatDuration(duration)}
    {events.length === 0 ? '' : ': '}
    {events.map((event) => fieldLabel(event).toLowerCase()).join(', ')}
  </p>
);
