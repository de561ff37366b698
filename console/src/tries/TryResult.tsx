// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { AdTry, JudgedAd, TriedExchange } from '../../../src/platform/tries/contract/tryContract.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Badge, StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { FoldedWarnings } from '../components/feedback/TextList.tsx';
import { DocumentView } from '../components/layout/DocumentView.tsx';
import { plural } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';
import { breakStatuses, breakSummary, filledSeconds } from '../sessions/breakSummary.ts';
import { offerText } from '../sessions/offers.ts';
import { SourcesTable } from '../sessions/SourcesTable.tsx';
import { type AdVerdict, adVerdict, contentsText, exchangeBar } from './verdicts.ts';

type TriedLadder = AdTry['ladders'][number];

const ladderName = ({ formats, rungs }: TriedLadder): string => {
  const top = rungs.find(({ height }) => height !== undefined);
  const size = top === undefined ? '' : `, ${top.width} × ${top.height}`;
  return `${formats.map((format) => format.toUpperCase()).join(' and ')}${size}`;
};

type VerdictProps = {
  readonly one: TriedLadder['breaks'][number];
  readonly name: string;
  /** Only if the channel has steps. */
  readonly sources: AdTry['sources'];
};

const Verdict = ({ one, name, sources }: VerdictProps) => (
  <section class="card stack">
    <div class="row between">
      <h2>{one.timeOffset === undefined ? 'Break' : `Break at ${one.timeOffset}`}</h2>
      <span class="small muted">{name}</span>
    </div>
    <div class="row">
      <StatusBadge status={breakStatuses[one.status]} />
      <span>{breakSummary(one)}</span>
      {one.duration > 0 ? (
        <span class="small muted number">
          {formatDuration(filledSeconds(one))} of {formatDuration(one.duration)}
        </span>
      ) : null}
    </div>
    <JudgedAds ads={one.ads} sources={sources} />
    <FoldedWarnings texts={one.warnings} noun="warning" />
  </section>
);

/** What a try found: the verdict of each break, and the requests. */
export function TryResult({ result, action }: { readonly result: AdTry; readonly action: ComponentChildren }) {
  const { ladders, exchanges, reason, omittedExchanges, sources, adsHook } = result;
  // With VMAP, the exchanges include requests for ad tags; with steps, those of each source and their wrappers.
  const isMixed = sources !== undefined || exchanges[0]?.contents?.format === 'VMAP';
  const exchangeName = (index: number) =>
    index === 0 ? 'Ad request' : isMixed ? `Request ${index + 1}` : `Wrapper ${index}`;
  return (
    <div class="stack try-result" aria-live="polite">
      {action === null ? null : <div class="row">{action}</div>}
      {reason && ladders.length === 0 ? <Notice tone="bad">{reason.text}</Notice> : null}
      {ladders.length === 0 ? (
        <Notice tone="warn">The channel is not on air, so Midroll cannot determine which creatives fit.</Notice>
      ) : null}
      {ladders.flatMap((ladder) =>
        ladder.breaks.map((one) => (
          <Verdict key={`${ladderName(ladder)} ${one.id}`} one={one} name={ladderName(ladder)} sources={sources} />
        )),
      )}
      {sources ? (
        <section class="card stack">
          <h2>Ad sources</h2>
          <SourcesTable sources={sources} adsHook={adsHook} />
        </section>
      ) : null}
      <section class="card stack">
        <h2>Requests</h2>
        <ol class="stack">
          {exchanges.map((exchange, index) => (
            <ExchangeItem
              key={`${index} ${exchange.url}`}
              name={exchangeName(index)}
              exchange={exchange}
              all={exchanges}
            />
          ))}
        </ol>
        {omittedExchanges > 0 ? <p class="small muted">{plural(omittedExchanges, 'more request')}</p> : null}
      </section>
    </div>
  );
}

/** The statuses of an ad in a try. */
const verdictStatuses: Statuses<AdVerdict> = {
  plays: ['good', 'Would play'],
  making: ['info', 'Preparing'],
  absent: ['warn', 'Not prepared yet'],
  failed: ['bad', 'Creative failed'],
  skipped: ['calm', 'Skipped'],
};

/** The ads of a judged break, each with its verdict and the reason. */
const JudgedAds = ({ ads, sources }: Pick<VerdictProps, 'sources'> & { readonly ads: readonly JudgedAd[] }) => (
  <ol class="ads">
    {ads.map((ad, index) => {
      const { adId, title, duration, outcome, reason, mediaFile } = ad;
      return (
        <li key={`${adId} ${index}`} class={outcome}>
          <div class="row">
            <StatusBadge status={verdictStatuses[adVerdict(ad)]} />
            <strong>{title || adId || 'Ad without a title'}</strong>
            <span class="small muted">
              {[duration > 0 && formatDuration(duration), offerText(ad, sources)].filter(Boolean).join(', ')}
            </span>
          </div>
          {reason === undefined ? null : (
            <p class={reason.code === 'OUTBID' ? 'small' : 'reason'}>
              {reason.text} <code class="small">{reason.code}</code>
            </p>
          )}
          {mediaFile === undefined ? null : <code class="url">{mediaFile}</code>}
        </li>
      );
    })}
  </ol>
);

type ExchangeItemProps = {
  readonly name: string;
  readonly exchange: TriedExchange;
  readonly all: readonly TriedExchange[];
};

/** One request: its redirects, its place in time, and its document. */
function ExchangeItem({ name, exchange, all }: ExchangeItemProps) {
  const { url, method, headers, body, curl, redirects, status, ms, error, contentType, bytes, document } = exchange;
  const problem = error ?? exchange.contents?.problem;
  const { start, width } = exchangeBar(exchange, all);
  const contents = contentsText(exchange);
  return (
    <li class="exchange">
      <div class="row">
        <Badge tone={problem === undefined ? 'good' : 'bad'}>
          {status === undefined ? 'No response' : String(status)}
        </Badge>
        <strong>{name}</strong>
        <span class="small muted number">{Math.round(ms)} ms</span>
        <span class="fill" />
        {curl === undefined ? null : <CopyButton text={curl} label="Copy as curl" />}
      </div>
      <div class="exchange-bar" aria-hidden="true">
        <i style={{ marginInlineStart: `${start}%`, width: `${width}%` }} class={problem === undefined ? '' : 'bad'} />
      </div>
      <code class="url">
        {method === 'POST' ? 'POST ' : ''}
        {url}
      </code>
      {redirects.map((redirect, index) => (
        <p class="small" key={`${redirect.location} ${index}`}>
          <span class="muted">{redirect.status} redirects to </span>
          <code class="url">{redirect.location}</code>
        </p>
      ))}
      {problem === undefined ? null : <p class="reason">{problem}</p>}
      {problem === undefined && contents !== undefined ? <p class="small muted">{contents}</p> : null}
      <details>
        <summary>Request headers</summary>
        <dl class="headers">
          {Object.entries(headers).map(([header, value]) => (
            <div key={header}>
              <dt>{header}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {body === undefined ? null : <pre class="small">{body}</pre>}
      </details>
      {document === undefined ? null : (
        <DocumentView
          title="Response"
          contentType={contentType}
          bytes={bytes}
          {...document}
          isOpen={problem !== undefined}
        />
      )}
    </li>
  );
}
