// SPDX-License-Identifier: Apache-2.0
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { formatCount } from '../format/numbers.ts';
import { formatDateTimeSeconds } from '../format/time.ts';
import type { OriginEvent } from './liveTypes.ts';
import { originPhases, phaseOf } from './originPhases.ts';

const MAX_EVENTS = 10;

/** The latest changes of an origin, newest first. */
export const OriginEvents = ({ events }: { readonly events: readonly OriginEvent[] }) =>
  events.length === 0 ? null : (
    <details>
      <summary>Events ({formatCount(events.length)})</summary>
      <ol class="events">
        {events.slice(0, MAX_EVENTS).map((event) => (
          <li key={`${event.at} ${event.state} ${event.onAir} ${event.url}`}>
            <time dateTime={event.at}>{formatDateTimeSeconds(event.at)}</time>
            <StatusBadge status={originPhases[phaseOf(event)]} />
            <span class="small url">{event.reason ?? event.url ?? ''}</span>
          </li>
        ))}
      </ol>
    </details>
  );
