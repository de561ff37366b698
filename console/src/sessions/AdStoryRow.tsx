import type { TracedAd } from '../../../src/http/airContract.ts';
import type { BeaconAnswer } from '../../../src/http/beaconContract.ts';
import { serverNow } from '../api/clock.ts';
import { type AdState, stateOfAd, whyNot } from '../logic/story.ts';
import { formatClock, sayLength } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';
import { Beacons } from './Beacons.tsx';
import { Delivered } from './Delivered.tsx';

const states: Readonly<Record<AdState, readonly [Tone, string]>> = {
  shown: ['good', 'Shown'],
  toCome: ['info', 'To come'],
  notFetched: ['warn', 'Not fetched'],
  notShown: ['bad', 'Not shown'],
};

type AdStoryRowProps = { readonly ad: TracedAd; readonly beacons: readonly BeaconAnswer[] };

/** One ad: shown and how far, or not and why. */
export function AdStoryRow({ ad, beacons }: AdStoryRowProps) {
  const { adId, creativeId, title, duration, startsAt, delivered, reason } = ad;
  const why = whyNot(ad);
  const state = stateOfAd(ad, serverNow());
  const [tone, text] = states[state];
  return (
    <li class={why === undefined ? 'shown' : 'skipped'}>
      <div class="row">
        <Badge tone={tone}>{text}</Badge>
        <strong>{title || adId}</strong>
        <span class="small quiet">
          {sayLength(duration)}
          {startsAt === undefined ? '' : `, from ${formatClock(startsAt)}`}
        </span>
      </div>
      {why === undefined ? null : <p class="why">{why}</p>}
      <p class="small quiet ids">
        Ad <code>{adId}</code>
        {creativeId === undefined ? null : (
          <>
            , creative <code>{creativeId}</code>
          </>
        )}
        {reason === undefined || why === undefined ? null : (
          <>
            , code <code>{reason.code}</code>
            {reason.fault === undefined ? null : (
              <>
                , fault <code>{reason.fault}</code>
              </>
            )}
          </>
        )}
      </p>
      {delivered && state !== 'toCome' ? <Delivered delivered={delivered} duration={duration} /> : null}
      <Beacons beacons={beacons} />
    </li>
  );
}
