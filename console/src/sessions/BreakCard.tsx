// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { TracedAd, TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Badge, StatusBadge, type Statuses, type Tone } from '../components/feedback/Badge.tsx';
import { FoldedWarnings } from '../components/feedback/TextList.tsx';
import { DocumentView } from '../components/layout/DocumentView.tsx';
import { fieldLabel } from '../format/labels.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { adBeacons, beaconStatus } from './beacons.ts';
import { describePosition, isVmapRecord, vodBreakName } from './breakNames.ts';
import {
  type AdStatus,
  adReason,
  adStatus,
  breakShares,
  breakStatuses,
  breakSummary,
  filledSeconds,
} from './breakSummary.ts';
import { offerText, type TracedSource } from './offers.ts';
import { ReplayBreak } from './ReplayBreak.tsx';
import { SourcesTable } from './SourcesTable.tsx';

type BreakCardProps = {
  readonly session: string;
  readonly one: TracedBreak;
  /** The beacons of the whole session. */
  readonly beacons: readonly BeaconResponse[];
  readonly isVod: boolean;
  /** Whether the card is open at first: later it is up to the operator, also when newer breaks come. */
  readonly isOpen: boolean;
};

/** A break: its ads, its ad request and the warnings about the response. */
export function BreakCard({ session, one, beacons, isVod, isOpen }: BreakCardProps) {
  const [isInitiallyOpen] = useState(isOpen);
  const { position, reason, warnings } = one;
  const isDocument = isVod && isVmapRecord(one);
  /** A break of VoD without ads is left out, so it has no length. */
  const hasLength = one.duration > 0;
  return (
    <details class="card break-card" open={isInitiallyOpen}>
      <summary>
        {isVod ? (
          <strong>{vodBreakName(one)}</strong>
        ) : (
          <time dateTime={one.startsAt}>{formatTimeOfDay(one.startsAt)}</time>
        )}
        {isDocument ? (
          <StatusBadge status={reason === undefined ? ['info', 'Response'] : ['bad', 'Failed']} />
        ) : (
          <StatusBadge status={breakStatuses[one.status]} />
        )}
        <span class="break-summary">{isDocument ? (reason?.text ?? 'Lists the breaks') : breakSummary(one)}</span>
        {hasLength ? (
          <span class="small muted number">
            {formatDuration(filledSeconds(one))} of {formatDuration(one.duration)}
          </span>
        ) : null}
      </summary>
      <div class="stack">
        {position ? <p class="small muted">{describePosition(position)}</p> : null}
        {hasLength ? <BreakBar one={one} /> : null}
        {reason && one.ads.length > 0 ? <p>{reason.text}</p> : null}
        {one.ads.length > 0 ? (
          <ol class="ads">
            {one.ads.map((ad, index) => (
              <AdRow
                key={`${ad.adId} ${index}`}
                ad={ad}
                offer={offerText(ad, one.sources)}
                isVod={isVod}
                beacons={adBeacons(beacons, one.id, ad.adId)}
              />
            ))}
          </ol>
        ) : null}
        {one.sources ? (
          <SourcesTable
            sources={one.sources.map((source) => ({ ...source, ms: source.request?.ms }))}
            adsHook={one.adsHook}
          />
        ) : (
          <AdRequest one={one} />
        )}
        {one.sources?.map((source) =>
          source.request ? <AdRequest key={source.source} one={source} name={source.name || source.source} /> : null,
        )}
        {isDocument ? null : <ReplayBreak session={session} one={one} />}
        <FoldedWarnings texts={warnings} noun="response warning" />
      </div>
    </details>
  );
}

/** Per cent of the bar; narrower parts have no text. */
const MIN_TEXT_WIDTH = 8;

/** The parts of a break to scale. Screen readers have the list below it. */
const BreakBar = ({ one }: { readonly one: TracedBreak }) => (
  <div class="break-bar" aria-hidden="true">
    {breakShares(one).map(({ kind, percent, name }, index) => (
      <span key={`${kind}${index}`} class={`${kind} ellipsis`} style={{ width: `${percent}%` }} title={name}>
        {percent > MIN_TEXT_WIDTH ? name : ''}
      </span>
    ))}
  </div>
);

type Exchange = NonNullable<TracedBreak['wrappers']>[number] & { readonly curl?: string };

const outcome = ({ status, ms, error }: Exchange): string =>
  [status === undefined ? undefined : `Status ${status}`, `${Math.round(ms)} ms`, error].filter(Boolean).join(', ');

const ExchangeLine = ({ exchange }: { readonly exchange: Exchange }) => (
  <li>
    <code class="url">{exchange.url}</code> <CopyButton text={exchange.url} label="Copy URL" />
    {exchange.curl === undefined ? null : <CopyButton text={exchange.curl} label="Copy as curl" />}
    <br />
    <span class={exchange.error === undefined ? 'small muted' : 'small reason'}>{outcome(exchange)}</span>
    {exchange.response?.raw === undefined ? null : (
      <DocumentView title="Failed response" contentType={exchange.response.contentType} text={exchange.response.raw} />
    )}
  </li>
);

type AdRequestProps = {
  readonly one: Pick<TracedBreak, 'request' | 'wrappers'> & { readonly response?: SourceResponse };
  /** Of its ad source. */
  readonly name?: string;
};
type SourceResponse = NonNullable<TracedSource['response']>;

/** An ad request of a break, its wrappers and the raw response. */
function AdRequest({ one: { request, response, wrappers = [] }, name = 'Ad request' }: AdRequestProps) {
  if (request === undefined) return <p class="small muted">No ad request</p>;
  const { version, bytes = 0, raw, contentType } = response ?? {};
  const facts = [
    `${Math.round(request.ms)} ms`,
    ...(version ? [version.startsWith('VMAP') ? version : `VAST ${version}`] : []),
    ...(wrappers.length > 0 ? [plural(wrappers.length, 'wrapper')] : []),
  ];
  return (
    <details class="ad-request">
      <summary>
        {name}: {facts.join(', ')}
      </summary>
      <ol class="stack tight">
        <ExchangeLine exchange={request} />
        {wrappers.map((wrapper, index) => (
          <ExchangeLine key={`${wrapper.url} ${index}`} exchange={wrapper} />
        ))}
      </ol>
      {raw === undefined ? (
        <p class="small muted">{response === undefined ? 'No response' : 'The response requires the scope manage.'}</p>
      ) : (
        <DocumentView
          title={contentType === undefined ? 'Raw response' : 'Failed response'}
          text={raw}
          contentType={contentType}
          bytes={bytes}
        />
      )}
    </details>
  );
}

const adStatuses: Statuses<AdStatus> = {
  delivered: ['good', 'Delivered'],
  scheduled: ['info', 'Scheduled'],
  notFetched: ['warn', 'Not fetched'],
  skipped: ['bad', 'Skipped'],
  outbid: ['calm', 'Outbid'],
};

type AdRowProps = {
  readonly ad: TracedAd;
  /** Which ad source offered it; empty if the channel has one ad server. */
  readonly offer: string;
  readonly beacons: readonly BeaconResponse[];
  /** Ads of VoD have no time of day: viewers pause and seek. */
  readonly isVod: boolean;
};

/** One ad: how much of it was delivered, or why it was skipped or cut. */
function AdRow({ ad, offer, beacons, isVod }: AdRowProps) {
  const { adId, creativeId, title, duration, outcome, startsAt, delivered, reason } = ad;
  const text = adReason(ad);
  const status = adStatus(ad, isVod ? undefined : serverNow());
  const ids: readonly (readonly [label: string, id: string | undefined])[] = [
    ['Ad', adId],
    ['creative', creativeId],
    ['code', reason?.code],
    ['fault', reason?.fault],
  ];
  return (
    <li class={outcome}>
      <div class="row">
        <StatusBadge status={adStatuses[status]} />
        <strong>{title || adId}</strong>
        <span class="small muted">
          {[
            duration > 0 && formatDuration(duration),
            startsAt !== undefined && !isVod && `at ${formatTimeOfDay(startsAt)}`,
            offer,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </div>
      {text === undefined ? null : <p class={status === 'outbid' ? 'small' : 'reason'}>{text}</p>}
      <p class="small muted wraps">
        {ids
          .filter(([, id]) => id !== undefined)
          .map(([label, id], index) => (
            <span key={label}>
              {index > 0 ? ', ' : ''}
              {label} <code>{id}</code>
            </span>
          ))}
      </p>
      {delivered && status !== 'scheduled' ? <Delivered delivered={delivered} duration={duration} /> : null}
      <Beacons beacons={beacons} />
    </li>
  );
}

type DeliveredProps = { readonly delivered: NonNullable<TracedAd['delivered']>; readonly duration: number };

/** How much of an ad the player fetched, and the events that follow from it. */
const Delivered = ({ delivered: { seconds, events }, duration }: DeliveredProps) => (
  <p class="small">
    Delivered {formatDuration(seconds)} of {formatDuration(duration)}
    {events.length === 0 ? '' : ': '}
    {events.map((event) => fieldLabel(event).toLowerCase()).join(', ')}
  </p>
);

const beaconTones: Readonly<Record<BeaconResponse['outcome'], Tone>> = {
  pending: 'calm',
  sent: 'good',
  failed: 'bad',
};

const count = (beacons: readonly BeaconResponse[], outcome: BeaconResponse['outcome']): number =>
  beacons.filter((beacon) => beacon.outcome === outcome).length;

/** The outcome of each beacon of an ad. */
function Beacons({ beacons }: { readonly beacons: readonly BeaconResponse[] }) {
  if (beacons.length === 0) return null;
  const [sent, failed] = [count(beacons, 'sent'), count(beacons, 'failed')];
  return (
    <details>
      <summary>
        {sent} of {beacons.length} beacons sent{failed > 0 ? `, ${failed} failed` : ''}
      </summary>
      <ul class="beacons">
        {beacons.map((beacon) => (
          <li key={beacon.id}>
            <time dateTime={beacon.dueAt}>{formatTimeOfDay(beacon.settledAt ?? beacon.dueAt)}</time>
            <strong>{beacon.event}</strong>
            <Badge tone={beaconTones[beacon.outcome]}>{beaconStatus(beacon)}</Badge>
            <code class="url muted">{beacon.url}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
