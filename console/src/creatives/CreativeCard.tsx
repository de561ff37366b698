// SPDX-License-Identifier: Apache-2.0

import { useEffect, useState } from 'preact/hooks';
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { AlertsOf } from '../alerts/AlertsOf.tsx';
import { call, callBlob } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { asSentence } from '../format/asSentence.ts';
import { formatBytes, formatHeights, plural } from '../format/numbers.ts';
import { formatDateTime, formatDuration, formatRelativeTime } from '../format/time.ts';
import { type CreativeGroup, creativeName, leadOf } from './creativeGroups.ts';

export const creativeStatuses: Statuses<AssetResponse['state']> = {
  failed: ['bad', 'Failed'],
  failing: ['warn', 'Failing'],
  preparing: ['info', 'Preparing'],
  waiting: ['calm', 'Queued'],
  ready: ['good', 'Ready'],
};

const mediaFacts = ({ duration, bytes, renditions = [] }: AssetResponse): string =>
  [
    duration === undefined ? '' : formatDuration(duration),
    formatHeights(renditions),
    bytes === undefined ? '' : formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(', ');

/** Why a creative failed, and when it is tried again. */
const Failure = ({ asset: { reason, fault, attempts, nextAttemptAt } }: { readonly asset: AssetResponse }) => (
  <>
    {reason ? (
      <p class="reason small">
        {asSentence(reason)}
        {fault ? (
          <>
            {' '}
            (<code>{fault}</code>)
          </>
        ) : null}
      </p>
    ) : null}
    {nextAttemptAt ? (
      <p class="small muted">
        {plural(attempts, 'attempt')}, next {formatRelativeTime(Date.parse(nextAttemptAt) - serverNow())}
      </p>
    ) : null}
  </>
);

/** What the ad server calls it, and the ads that it has cost. */
function AdFacts({ asset: { adId, creativeId, adsLost = 0 } }: { readonly asset: AssetResponse }) {
  return (
    <>
      {adId === undefined && creativeId === undefined ? null : (
        <p class="small">
          {adId === undefined ? null : (
            <>
              Ad <code>{adId}</code>
            </>
          )}
          {adId === undefined || creativeId === undefined ? null : ', creative '}
          {creativeId === undefined ? null : <code>{creativeId}</code>}
        </p>
      )}
      {adsLost === 0 ? null : <p class="small reason">{plural(adsLost, 'ad')} not shown in the last hour</p>}
    </>
  );
}

/** `3 ladders: 2 ready, 1 failing` */
function ladderFacts(group: CreativeGroup): string | undefined {
  if (group.length === 1) return undefined;
  const counts = Object.entries(creativeStatuses).flatMap(([state, [, label]]) => {
    const count = group.filter((asset) => asset.state === state).length;
    return count === 0 ? [] : [`${count} ${label.toLowerCase()}`];
  });
  return `${plural(group.length, 'ladder')}: ${counts.join(', ')}`;
}

/** A creative or slate with all of its ladders. */
export function CreativeCard({ group, onChanged }: { readonly group: CreativeGroup; onChanged(): void }) {
  const lead = leadOf(group);
  const { state, source, createdAt, lastUsedAt } = lead;
  const name = creativeName(lead);
  const channels = [...new Set(group.flatMap((asset) => asset.channels))];
  const unmade = group.filter((asset) => asset.state !== 'ready' && asset.state !== 'preparing');
  const retry = useAction(async () => {
    await Promise.all(unmade.map(({ id }) => call('POST', '/assets/{id}/retry', { path: { id } })));
    onChanged();
  });
  const remove = async () => {
    await Promise.all(group.map(({ id }) => call('DELETE', '/assets/{id}', { path: { id } })));
    showToast({ text: `${name} deleted.` });
    onChanged();
  };
  const ladders = ladderFacts(group);
  return (
    <li class="card creative">
      <Thumbnail id={group.find(({ thumbnail }) => thumbnail !== undefined)?.id} />
      <div class="stack tight">
        <div class="row between">
          <h2>{name}</h2>
          <StatusBadge status={creativeStatuses[state]} />
        </div>
        <AdFacts asset={lead} />
        <Failure asset={lead} />
        {state === 'failing' || state === 'failed' ? <AlertsOf channels={channels} kind="creative" isCompact /> : null}
        <p class="small muted">{mediaFacts(lead)}</p>
        {ladders === undefined ? null : <p class="small muted">{ladders}</p>}
        <p class="small muted">
          Channels: {channels.length === 0 ? 'none' : <RecordNames kind="channels" ids={channels} />}.{' '}
          {lastUsedAt ? `Last used ${formatDateTime(lastUsedAt)}.` : `Added ${formatDateTime(createdAt)}.`}
        </p>
        {source ? <code class="small url muted">{source}</code> : null}
        <ErrorNotice error={retry.error} />
        <div class="row">
          {unmade.length === 0 ? null : (
            <Button icon="refresh" isSmall requires="operate" action={retry}>
              Retry
            </Button>
          )}
          <ConfirmationButton
            requires="tenant"
            label="Delete"
            title={`Delete ${name}?`}
            kind="quiet"
            target={{ kind: 'creative', channelIds: channels }}
            name={name}
            consequence="Breaks on air are not affected. Midroll prepares the creative again when an ad server returns it."
            verb="Delete creative"
            isHarmless
            act={remove}
          />
        </div>
      </div>
    </li>
  );
}

/** An image that requires the API key, so it is fetched and shown from memory. @param id of the asset that has one */
function Thumbnail({ id }: { readonly id: string | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (id === undefined) return;
    const controller = new AbortController();
    let objectUrl: string | undefined;
    callBlob('/assets/{id}/thumbnail', { path: { id }, accept: 'image/*', signal: controller.signal }).then(
      (blob) => {
        if (controller.signal.aborted) return;
        objectUrl = URL.createObjectURL(blob);
        setUrl(objectUrl);
      },
      // The icon stays in place of a missing image.
      () => {},
    );
    return () => {
      controller.abort();
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [id]);
  return <div class="thumbnail">{url === undefined ? <Icon name="creatives" /> : <img src={url} alt="" />}</div>;
}
