import type { AssetAnswer } from '../../../src/http/assetContract.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/clock.ts';
import { useAction } from '../api/useAction.ts';
import { formatBytes } from '../logic/formatValue.ts';
import { nameOfUrl } from '../logic/nameOfUrl.ts';
import { formatDate, sayDistance, sayLength } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';
import { Button } from '../parts/Button.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { Thumbnail } from './Thumbnail.tsx';

const states: Readonly<Record<AssetAnswer['state'], readonly [Tone, string]>> = {
  waiting: ['calm', 'Waiting'],
  preparing: ['info', 'Being made'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
};
const nameOf = ({ kind, source }: AssetAnswer): string =>
  source === undefined ? (kind === 'slate' ? 'Built-in slate' : 'Creative') : nameOfUrl(source);

/** `216p, 360p` */
const heights = ({ renditions = [] }: AssetAnswer): string =>
  [...new Set(renditions.flatMap(({ height }) => (height === undefined ? [] : [height])))]
    .sort((a, b) => b - a)
    .map((height) => `${height}p`)
    .join(', ');

export function CreativeCard({ asset, onChanged }: { readonly asset: AssetAnswer; onChanged(): void }) {
  const {
    id,
    state,
    fault,
    reason,
    attempts,
    nextAttemptAt,
    source,
    channels,
    duration,
    bytes,
    createdAt,
    lastUsedAt,
  } = asset;
  const [tone, text] = states[state];
  const retry = useAction(async () => {
    await call('POST', `/assets/${id}/retry`);
    onChanged();
  });
  const remove = async () => {
    await call('DELETE', `/assets/${id}`);
    onChanged();
  };
  return (
    <li class="card creative">
      <Thumbnail path={asset.thumbnail === undefined ? undefined : `/assets/${id}/thumbnail`} />
      <div class="stack tight">
        <div class="row between">
          <h2>{nameOf(asset)}</h2>
          <Badge tone={tone}>{text}</Badge>
        </div>
        {reason ? (
          <p class="why small">
            {reason}
            {fault ? (
              <>
                {' '}
                (<code>{fault}</code>)
              </>
            ) : null}
          </p>
        ) : null}
        {nextAttemptAt ? (
          <p class="small quiet">
            Tried {attempts} {attempts === 1 ? 'time' : 'times'}, again{' '}
            {sayDistance(Date.parse(nextAttemptAt) - serverNow())}
          </p>
        ) : null}
        <p class="small quiet">
          {[
            duration === undefined ? '' : sayLength(duration),
            heights(asset),
            bytes === undefined ? '' : formatBytes(bytes),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
        <p class="small quiet">
          For {channels.length === 0 ? 'no channel any more' : channels.join(', ')}.{' '}
          {lastUsedAt ? `Last asked for ${formatDate(lastUsedAt)}.` : `Known since ${formatDate(createdAt)}.`}
        </p>
        {source ? <code class="small url quiet">{source}</code> : null}
        <ErrorNotice error={retry.error} />
        <div class="row">
          {state === 'failed' || state === 'waiting' ? (
            <Button icon="refresh" isSmall isBusy={retry.isBusy} onClick={() => void retry.run()}>
              Try again
            </Button>
          ) : null}
          <ConfirmButton
            label="Delete"
            kind="quiet"
            question="What is on air plays on. When it is asked for again, it is fetched and made anew."
            act={remove}
          />
        </div>
      </div>
    </li>
  );
}
