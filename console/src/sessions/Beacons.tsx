import type { Delivery } from '../logic/story.ts';
import { formatClock, sayLength } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';

const toneOf = (status: string | undefined): Tone =>
  status === 'delivered' || status === 'sent' ? 'good' : status === 'failed' || status === 'lost' ? 'bad' : 'calm';

/** How much of the ad was fetched, and what became of each beacon. */
export function Beacons({ delivered, duration }: { readonly delivered: Delivery; readonly duration: number }) {
  const { seconds, events = [] } = delivered;
  return (
    <>
      {seconds === undefined ? null : (
        <p class="small">
          Delivered: {sayLength(seconds)} of {sayLength(duration)}
        </p>
      )}
      {events.length === 0 ? null : (
        <details>
          <summary>
            {events.length} {events.length === 1 ? 'beacon' : 'beacons'}
          </summary>
          <ul class="beacons">
            {events.map(({ event, at, status, url, error }, index) => (
              <li key={`${event} ${index}`}>
                <time>{at === undefined ? '' : formatClock(at)}</time>
                <span>{event}</span>
                {status === undefined ? null : <Badge tone={toneOf(status)}>{status}</Badge>}
                {error === undefined ? null : <span class="small">{error}</span>}
                {url === undefined ? null : <code class="url quiet">{url}</code>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
